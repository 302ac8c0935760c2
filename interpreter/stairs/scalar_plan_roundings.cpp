// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers: of n * unit by a shift or a division, of doubles by their own rounding.
#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/fraction.hpp"
#include "interpreter/operations/double_rounding.hpp"
#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {
namespace {

/// Floor division; the divisor is positive.
template <class T>
T floor_divide(T v, T divisor) {
  const T quotient = v / divisor;
  return quotient * divisor > v ? quotient - 1 : quotient;
}

/// v / divisor to a whole number, from its floor and what is left over.
template <class T, class Floor>
T round_quotient(T v, T divisor, Rounding rounding, Floor floor_of) {
  const T below = floor_of(v);
  const T rest = v - below * divisor;  // 0 <= rest < divisor
  const T twice = rest * 2;
  switch (rounding) {
    using enum Rounding;
    case nearest_even: return below + static_cast<T>(twice > divisor || (twice == divisor && (below & 1) != 0));
    case nearest_away: return below + static_cast<T>(twice > divisor || (twice == divisor && v > 0));
    case nearest_up: return below + static_cast<T>(twice >= divisor);
    case nearest_down: return below + static_cast<T>(twice > divisor);
    case nearest_zero: return below + static_cast<T>(twice > divisor || (twice == divisor && v < 0));
    case toward_zero: return below + static_cast<T>(rest != 0 && v < 0);
    case down: return below;
    case up: return below + static_cast<T>(rest != 0);
    case to_odd: return below + static_cast<T>(rest != 0 && (below & 1) == 0);
  }
  return below;
}

template <class T>
T round_division(T v, T divisor, Rounding rounding) {
  return round_quotient(v, divisor, rounding, [divisor](T w) { return floor_divide(w, divisor); });
}

template <class T>
T round_shift(T v, int shift, Rounding rounding) {
  return round_quotient(v, static_cast<T>(T{1} << shift), rounding, [shift](T w) { return static_cast<T>(w >> shift); });
}

}  // namespace

Lowering::Maybe Lowering::rounded_scaled(Rounding rounding, std::size_t a) {
  const Slot source = plan_.slots[a];
  const auto unit = fraction_of(source.unit);
  if (!unit || unit->exponent > 62 || unit->exponent < -125) return std::nullopt;
  // n * numerator * 2^up / (denominator * 2^down)
  auto factor = checked_multiply(unit->numerator, Wide{1} << std::max<std::int64_t>(unit->exponent, 0));
  const int down = static_cast<int>(std::max<std::int64_t>(-unit->exponent, 0));
  auto divisor = down <= 120 ? checked_multiply(unit->denominator, Wide{1} << down) : std::nullopt;
  if (!factor || !divisor || *divisor > (Wide{1} << 120)) return std::nullopt;
  const auto low = checked_multiply(source.low, *factor), high = checked_multiply(source.high, *factor);
  if (!low || !high || !fits_126(*low) || !fits_126(*high)) return std::nullopt;
  const Wide p = *factor, q = *divisor;
  auto out = whole_slot(Real(1), round_division<Wide>(*low, q, rounding), round_division<Wide>(*high, q, rounding));
  if (!out) return std::nullopt;
  const bool narrow = fits_64(*low) && fits_64(*high) && q <= (Wide{1} << 62);
  if (q == 1) {
    if (p == 1) {
      out->may_be_undefined = source.may_be_undefined;
      const std::size_t same = add_slot(*out);
      plan_.slots[same].place = source.place;
      return same;
    }
    return emit_whole(*out, a, a, narrow, [p](auto m, auto) { return m * static_cast<decltype(m)>(p); });
  }
  if (unit->denominator == 1)
    return emit_whole(*out, a, a, narrow,
                      [p, down, rounding](auto m, auto) { return round_shift<decltype(m)>(m * static_cast<decltype(m)>(p), down, rounding); });
  return emit_whole(*out, a, a, narrow, [p, q, rounding](auto m, auto) {
    using T = decltype(m);
    return round_division<T>(m * static_cast<T>(p), static_cast<T>(q), rounding);
  });
}

Lowering::Maybe Lowering::rounded_whole(const Node& node, std::size_t a) {
  const Slot source = plan_.slots[a];
  if (source.is_scaled()) {
    if (source.tails) return source.unit == Real(1) ? Maybe(a) : std::nullopt;
    if (strict_zeros_ && !node.integer) return std::nullopt;  // rne(-0.3) is -0
    return rounded_scaled(node.rounding, a);
  }
  if (source.kind != SlotKind::real || strict_zeros_) return std::nullopt;
  Slot out;
  out.kind = SlotKind::integer;
  const int top = std::min(source.top + 1, 61);
  out.tails = source.may_be_infinite || source.top >= 60;
  if (out.tails && !open_ends_) return std::nullopt;
  out.high = Wide{1} << (out.tails ? 61 : top);
  out.low = -out.high;
  const std::size_t result = add_slot(out);
  const bool open = out.tails;
  const Rounding rounding = node.rounding;
  const std::size_t from = source.place;
  auto whole = [open](double v) {
    if (open && !(std::fabs(v) < static_cast<double>(tail_value))) return v < 0 ? -tail_value : tail_value;
    return static_cast<std::int64_t>(v);
  };
  if (rounding == Rounding::nearest_even)
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].integers[lane] = whole(std::nearbyint(frame.lanes[from].reals[lane])); });
  else
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].integers[lane] = whole(tiebreak::round_whole(frame.lanes[from].reals[lane], rounding)); });
  inherit_undefined(result, {a});
  return result;
}

}  // namespace tiebreak
