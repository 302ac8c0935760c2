// SPDX-License-Identifier: Apache-2.0
// Whole numbers times a constant unit. Factors that are known go into the unit and cost nothing; sums bring both sides to one unit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "interpreter/exact/fraction.hpp"
#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {

/// Whether a machine integer keeps what later operations may ask of the node's zero.
bool Lowering::keeps_zero(const Node& node, const Slot& slot) const { return !strict_zeros_ || node.integer || slot.low > 0 || slot.high < 0; }

std::optional<Slot> Lowering::whole_slot(Real unit, Wide low, Wide high) const {
  if (!fits_126(low) || !fits_126(high)) return std::nullopt;
  Slot slot;
  slot.kind = fits_64(low) && fits_64(high) ? SlotKind::integer : SlotKind::wide;
  slot.unit = std::move(unit);
  slot.low = low;
  slot.high = high;
  return slot;
}

/// A whole constant counts ones, any other counts itself once.
Lowering::Maybe Lowering::as_scaled(std::size_t slot) {
  const Slot& source = plan_.slots[slot];
  if (source.is_scaled()) return slot;
  if (source.kind != SlotKind::constant || !source.constant.is_number()) return std::nullopt;
  const Real number = source.constant.number();
  if (!number.is_finite() || !fraction_of(number)) return std::nullopt;
  const auto whole = number.to_int64();
  const std::int64_t count = whole.value_or(number.sign());
  const std::size_t out = add_slot(*whole_slot(whole ? Real(1) : abs(number), count, count));
  emit([out, count](Frame& frame, std::size_t lane) { frame.lanes[out].integers[lane] = count; });
  return out;
}

std::optional<Lowering::Common> Lowering::common_unit(const Slot& a, const Slot& b) const {
  if (a.unit == b.unit) return Common{a.unit, 1, 1};
  // A zero fits any unit.
  if (a.low == 0 && a.high == 0) return Common{b.unit, 1, 1};
  if (b.low == 0 && b.high == 0) return Common{a.unit, 1, 1};
  const auto u = fraction_of(a.unit), v = fraction_of(b.unit);
  if (!u || !v) return std::nullopt;
  const std::int64_t numerator = std::gcd(u->numerator, v->numerator);
  auto denominator = checked_multiply(u->denominator / std::gcd(u->denominator, v->denominator), v->denominator);
  if (!denominator || !fits_64(*denominator)) return std::nullopt;
  const std::int64_t exponent = std::min(u->exponent, v->exponent);
  auto factor = [&](const Fraction& unit) -> std::optional<std::int64_t> {
    if (unit.exponent - exponent > 62) return std::nullopt;
    auto odd = checked_multiply(unit.numerator / numerator, *denominator / unit.denominator);
    auto whole = odd ? checked_multiply(*odd, Wide{1} << (unit.exponent - exponent)) : std::nullopt;
    if (!whole || !fits_64(*whole)) return std::nullopt;
    return static_cast<std::int64_t>(*whole);
  };
  const auto first = factor(*u), second = factor(*v);
  if (!first || !second) return std::nullopt;
  return Common{Real(numerator) / Real(static_cast<std::int64_t>(*denominator)) * Real::power_of_two(exponent), *first, *second};
}

Lowering::Maybe Lowering::sum(const Node& node, std::size_t a, std::size_t b) {
  const Maybe left = as_scaled(a), right = as_scaled(b);
  if (!left || !right) return std::nullopt;
  const Slot x = plan_.slots[*left], y = plan_.slots[*right];
  auto common = common_unit(x, y);
  if (!common) return std::nullopt;
  const bool minus = node.op == NodeOp::subtract;
  const Wide p = common->first_factor, q = common->second_factor;
  auto scaled = [](Wide v, Wide factor) { return checked_multiply(v, factor); };
  const auto x_low = scaled(x.low, p), x_high = scaled(x.high, p), y_low = scaled(minus ? y.high : y.low, minus ? -q : q),
             y_high = scaled(minus ? y.low : y.high, minus ? -q : q);
  if (!x_low || !x_high || !y_low || !y_high) return std::nullopt;
  const auto low = checked_add(*x_low, *y_low), high = checked_add(*x_high, *y_high);
  if (!low || !high) return std::nullopt;
  auto out = whole_slot(common->unit, *low, *high);
  if (!out || !keeps_zero(node, *out)) return std::nullopt;
  if (x.tails || y.tails) {
    // What is added must be small beside the open ends.
    const Slot& other = x.tails ? y : x;
    constexpr Wide small = Wide{1} << 50;
    if ((x.tails && y.tails) || p != 1 || q != 1 || other.low < -small || other.high > small) return std::nullopt;
    out->tails = true;
  }
  const bool narrow = fits_64(*x_low) && fits_64(*x_high) && fits_64(*y_low) && fits_64(*y_high);
  if (p == 1 && q == 1) {
    if (minus) return emit_whole(*out, *left, *right, narrow, [](auto m, auto n) { return m - n; });
    return emit_whole(*out, *left, *right, narrow, [](auto m, auto n) { return m + n; });
  }
  const Wide second = minus ? -q : q;
  return emit_whole(*out, *left, *right, narrow, [p, second](auto m, auto n) {
    using T = decltype(m);
    return m * static_cast<T>(p) + n * static_cast<T>(second);
  });
}

Lowering::Maybe Lowering::times_constant(std::size_t a, const Real& factor) {
  const Slot source = plan_.slots[a];
  if (source.tails || !factor.is_finite() || factor.is_zero()) return std::nullopt;
  const Real unit = source.unit * abs(factor);
  if (!fraction_of(unit)) return std::nullopt;
  const bool flips = factor.is_negative();
  auto out = whole_slot(unit, flips ? -source.high : source.low, flips ? -source.low : source.high);
  if (flips) return emit_whole(*out, a, a, fits_64(-source.low) && fits_64(-source.high), [](auto m, auto) { return -m; });
  // The lanes are the same; only what they count is another unit.
  out->may_be_undefined = source.may_be_undefined;
  const std::size_t same = add_slot(*out);
  plan_.slots[same].place = source.place;
  return same;
}

Lowering::Maybe Lowering::product(const Node& node, std::size_t a, std::size_t b) {
  const auto number_of = [&](std::size_t slot) -> const Real* {
    const Slot& source = plan_.slots[slot];
    return source.kind == SlotKind::constant && source.constant.is_number() ? &source.constant.number() : nullptr;
  };
  const bool division = node.op == NodeOp::divide;
  const Real* factor = number_of(b);
  std::size_t varied = a;
  if (factor == nullptr && !division) {
    factor = number_of(a);
    varied = b;
  }
  if (factor != nullptr) {
    if (!plan_.slots[varied].is_scaled() || !factor->is_finite() || factor->is_zero() || !keeps_zero(node, plan_.slots[varied])) return std::nullopt;
    return times_constant(varied, division ? Real(1) / *factor : *factor);
  }
  if (division) return std::nullopt;
  const Slot x = plan_.slots[a], y = plan_.slots[b];
  if (!x.is_scaled() || !y.is_scaled() || x.tails || y.tails) return std::nullopt;
  Wide low = 0, high = 0;
  bool first = true;
  for (const Wide m : {x.low, x.high})
    for (const Wide n : {y.low, y.high}) {
      auto corner = checked_multiply(m, n);
      if (!corner) return std::nullopt;
      low = first ? *corner : std::min(low, *corner);
      high = first ? *corner : std::max(high, *corner);
      first = false;
    }
  auto out = whole_slot(x.unit * y.unit, low, high);
  if (!out || !fraction_of(out->unit) || !keeps_zero(node, *out)) return std::nullopt;
  return emit_whole(*out, a, b, true, [](auto m, auto n) { return m * n; });
}

Lowering::Maybe Lowering::negated(std::size_t a) {
  const Slot source = plan_.slots[a];
  if (source.kind == SlotKind::real) {
    const std::size_t out = add_slot(source);
    plan_.slots[out].may_be_undefined = false;
    emit([out, from = source.place](Frame& frame, std::size_t lane) { frame.lanes[out].reals[lane] = -frame.lanes[from].reals[lane]; });
    inherit_undefined(out, {a});
    return out;
  }
  if (!source.is_scaled() || (strict_zeros_ && source.low <= 0 && source.high >= 0)) return std::nullopt;
  auto out = whole_slot(source.unit, -source.high, -source.low);
  out->tails = source.tails;
  return emit_whole(*out, a, a, out->kind == SlotKind::integer, [](auto m, auto) { return -m; });
}

Lowering::Maybe Lowering::bounded(const Node& node, std::size_t a) {
  const Slot source = plan_.slots[a];
  if (!source.is_scaled()) return std::nullopt;
  std::size_t from = a;
  Wide low = source.low, high = source.high, factor = 1;
  if (!(source.unit == Real(1))) {
    auto unit = fraction_of(source.unit);
    if (!unit || unit->denominator != 1 || unit->exponent < 0 || unit->exponent > 62 || source.tails) return std::nullopt;
    factor = Wide{unit->numerator} << unit->exponent;
    auto l = checked_multiply(low, factor), h = checked_multiply(high, factor);
    if (!l || !h || !whole_slot(Real(1), *l, *h)) return std::nullopt;
    low = *l;
    high = *h;
    from = emit_whole(*whole_slot(Real(1), low, high), a, a, fits_64(low) && fits_64(high),
                      [factor](auto m, auto) { return m * static_cast<decltype(m)>(factor); });
  }
  if (node.op == NodeOp::wrap) {
    if (source.tails) return std::nullopt;
    const int bits = node.integer_format.bits;
    const Wide least = node.integer_format.is_signed ? -(Wide{1} << (bits - 1)) : 0, greatest = least + ((Wide{1} << bits) - 1);
    if (low >= least && high <= greatest) return from;
    auto out = whole_slot(Real(1), least, greatest);
    const Wide mask = (Wide{1} << bits) - 1;
    if (bits == 32 && node.integer_format.is_signed)
      return emit_whole(*out, from, from, true,
                        [](auto m, auto) { return static_cast<decltype(m)>(static_cast<std::int32_t>(static_cast<std::uint64_t>(m))); });
    return emit_whole(*out, from, from, bits < 63, [least, mask](auto m, auto) {
      using T = decltype(m);
      return ((m - static_cast<T>(least)) & static_cast<T>(mask)) + static_cast<T>(least);
    });
  }
  const auto least = node.low.to_int64(), greatest = node.high.to_int64();
  if (!least || !greatest || *least < -tail_limit || *greatest > tail_limit) return std::nullopt;
  if (!source.tails && low >= *least && high <= *greatest) return from;
  auto out = whole_slot(Real(1), std::clamp<Wide>(low, *least, *greatest), std::clamp<Wide>(high, *least, *greatest));
  const std::int64_t lower = *least, upper = *greatest;
  const std::size_t clamped = emit_whole(*out, from, from, true, [lower, upper](auto m, auto) {
    using T = decltype(m);
    return m < static_cast<T>(lower) ? static_cast<T>(lower) : m > static_cast<T>(upper) ? static_cast<T>(upper) : m;
  });
  if (node.op == NodeOp::trap) {
    const std::size_t place = plan_.slots[from].place;
    const bool fresh = !plan_.slots[clamped].may_be_undefined;
    plan_.slots[clamped].may_be_undefined = true;
    emit([clamped, place, lower, upper, fresh](Frame& frame, std::size_t lane) {
      const Wide m = frame.lanes[place].whole(lane);
      const std::uint8_t outside = m < lower || m > upper ? 1 : 0;
      std::uint8_t& undefined = frame.lanes[clamped].undefined[lane];
      undefined = static_cast<std::uint8_t>(fresh ? outside : undefined | outside);
    });
  }
  return clamped;
}

Lowering::Maybe Lowering::extreme(const Node& node, std::size_t a, std::size_t b) {
  const bool least = node.op == NodeOp::minimum;
  const Maybe left = as_scaled(a), right = as_scaled(b);
  if (left && right) {
    const Slot x = plan_.slots[*left], y = plan_.slots[*right];
    auto common = common_unit(x, y);
    const auto scaled = [](Wide v, std::int64_t factor) { return checked_multiply(v, factor); };
    if (common && !(strict_zeros_ && !node.integer)) {
      const Wide p = common->first_factor, q = common->second_factor;
      const auto x_low = scaled(x.low, common->first_factor), x_high = scaled(x.high, common->first_factor), y_low = scaled(y.low, common->second_factor),
                 y_high = scaled(y.high, common->second_factor);
      const bool open = x.tails || y.tails;
      const Slot& other = x.tails ? y : x;
      if (x_low && x_high && y_low && y_high && (!open || (p == 1 && q == 1 && !(x.tails && y.tails) && other.low > -tail_limit && other.high < tail_limit))) {
        auto out = whole_slot(common->unit, least ? std::min(*x_low, *y_low) : std::max(*x_low, *y_low),
                              least ? std::min(*x_high, *y_high) : std::max(*x_high, *y_high));
        if (out) {
          out->tails = open;
          const bool narrow = fits_64(*x_low) && fits_64(*x_high) && fits_64(*y_low) && fits_64(*y_high);
          return emit_whole(*out, *left, *right, narrow, [p, q, least](auto m, auto n) {
            using T = decltype(m);
            const T v = m * static_cast<T>(p), w = n * static_cast<T>(q);
            return (v < w) == least ? v : w;
          });
        }
      }
    }
  }
  const Maybe first = as_real(a), second = as_real(b);
  if (!first || !second) return std::nullopt;
  const Slot x = plan_.slots[*first], y = plan_.slots[*second];
  Slot out = x;
  out.may_be_undefined = false;
  out.precision = std::max(x.precision, y.precision);
  out.top = std::max(x.top, y.top);
  out.bottom = std::min(x.bottom, y.bottom);
  out.may_be_infinite = x.may_be_infinite || y.may_be_infinite;
  // A finite bound on one side keeps infinities of that sign out only; the other operand's sign is not followed here.
  const std::size_t result = add_slot(out);
  emit([result, m = x.place, n = y.place, least](Frame& frame, std::size_t lane) {
    const double v = frame.lanes[m].reals[lane], w = frame.lanes[n].reals[lane];
    const bool v_first = v < w || (v == w && std::signbit(v));
    frame.lanes[result].reals[lane] = v_first == least ? v : w;
  });
  inherit_undefined(result, {*first, *second});
  return result;
}

Lowering::Maybe Lowering::magnitude(const Node& node, std::size_t a) {
  const Slot source = plan_.slots[a];
  if (source.kind == SlotKind::real && node.op == NodeOp::absolute) {
    Slot out = source;
    out.may_be_undefined = false;
    const std::size_t result = add_slot(out);
    emit([result, from = source.place](Frame& frame, std::size_t lane) { frame.lanes[result].reals[lane] = std::fabs(frame.lanes[from].reals[lane]); });
    inherit_undefined(result, {a});
    return result;
  }
  if (!source.is_scaled()) return std::nullopt;
  if (node.op == NodeOp::sign)
    return emit_whole(*whole_slot(Real(1), -1, 1), a, a, true, [](auto m, auto) { return static_cast<decltype(m)>((m > 0) - (m < 0)); });
  const Wide high = std::max(source.high, -source.low), low = source.low > 0 ? source.low : source.high < 0 ? -source.high : 0;
  auto out = whole_slot(source.unit, low, high);
  if (!out) return std::nullopt;
  out->tails = source.tails;
  return emit_whole(*out, a, a, out->kind == SlotKind::integer, [](auto m, auto) { return m < 0 ? -m : m; });
}

}  // namespace tiebreak
