// SPDX-License-Identifier: Apache-2.0
// Doubles. An operation stands alone only where its exact result is a double; under a rounding to a float format it may be inexact, because it
// is then rounded to odd first, or is that format's own operation. No slot of doubles ever holds a nan: what could make one is left to apply_node.
#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/fraction.hpp"
#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/double_rounding.hpp"
#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {
namespace {

__extension__ using UnsignedWide = unsigned __int128;

int bits_of(Wide v) {
  const auto size = v < 0 ? ~static_cast<UnsignedWide>(v) + 1 : static_cast<UnsignedWide>(v);
  const auto high = static_cast<std::uint64_t>(size >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high)) : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size)));
}

/// Far from the ends of double's range, where neither an operation nor its error term underflows.
bool is_tame(const Slot& slot) { return slot.top <= 500 && slot.bottom >= -500; }

}  // namespace

Lowering::Maybe Lowering::as_real(std::size_t index) {
  const Slot source = plan_.slots[index];
  if (source.kind == SlotKind::real) return index;
  Slot out;
  out.kind = SlotKind::real;
  if (source.kind == SlotKind::constant) {
    if (!source.constant.is_number()) return std::nullopt;
    const Real& number = source.constant.number();
    const double v = number.to_double();
    if (number.is_nan() || !Real::from_double(v).identical(number)) return std::nullopt;
    out.may_be_infinite = number.is_infinite();
    const auto parts = fraction_of(number);
    if (parts && parts->numerator != 0) {
      out.precision = bits_of(parts->numerator);
      out.bottom = static_cast<int>(parts->exponent);
      out.top = out.bottom + out.precision;
    } else {
      out.precision = 1;
      out.bottom = out.top = 0;
    }
    const std::size_t result = add_slot(out);
    emit([result, v](Frame& frame, std::size_t lane) { frame.lanes[result].reals[lane] = v; });
    return result;
  }
  if (!source.is_scaled() || source.tails) return std::nullopt;
  const auto unit = fraction_of(source.unit);
  if (!unit || unit->denominator != 1) return std::nullopt;
  const int digits = std::max(bits_of(source.low), bits_of(source.high)), unit_digits = bits_of(unit->numerator);
  if (digits + unit_digits > 53 || unit->exponent < -900 || unit->exponent > 900) return std::nullopt;
  out.precision = digits + unit_digits;
  out.bottom = static_cast<int>(unit->exponent);
  out.top = out.bottom + out.precision;
  const std::size_t result = add_slot(out);
  const double factor = std::ldexp(static_cast<double>(unit->numerator), out.bottom);
  emit([result, from = source.place, factor](Frame& frame, std::size_t lane) {
    frame.lanes[result].reals[lane] = static_cast<double>(static_cast<std::int64_t>(frame.lanes[from].whole(lane))) * factor + 0.0;
  });
  inherit_undefined(result, {index});
  return result;
}

/// Exact sums, products and quotients by powers of two.
Lowering::Maybe Lowering::real_arithmetic(const Node& node, std::size_t a, std::size_t b) {
  const Maybe left = as_real(a), right = as_real(b);
  if (!left || !right) return std::nullopt;
  const Slot x = plan_.slots[*left], y = plan_.slots[*right];
  Slot out;
  out.kind = SlotKind::real;
  if (!is_tame(x) || !is_tame(y)) return std::nullopt;
  const std::size_t m = x.place, n = y.place;
  if (node.op == NodeOp::add || node.op == NodeOp::subtract) {
    out.bottom = std::min(x.bottom, y.bottom);
    out.top = std::max(x.top, y.top) + 1;
    out.precision = std::min(53, out.top - out.bottom);
    out.may_be_infinite = x.may_be_infinite || y.may_be_infinite;
    if (out.top - out.bottom > 53 || (x.may_be_infinite && y.may_be_infinite)) return std::nullopt;
    const double sign = node.op == NodeOp::add ? 1.0 : -1.0;
    const std::size_t result = add_slot(out);
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].reals[lane] = frame.lanes[m].reals[lane] + sign * frame.lanes[n].reals[lane]; });
    inherit_undefined(result, {*left, *right});
    return result;
  }
  const bool known = plan_.slots[b].kind == SlotKind::constant || plan_.slots[a].kind == SlotKind::constant;
  if (node.op == NodeOp::divide) {
    // Only by a constant power of two.
    const Slot& divisor = plan_.slots[b];
    if (divisor.kind != SlotKind::constant || y.precision != 1 || divisor.constant.number().is_zero() || y.may_be_infinite) return std::nullopt;
    out = x;
    out.bottom = x.bottom - y.bottom;
    out.top = x.top - y.bottom;
  } else {
    if ((x.may_be_infinite || y.may_be_infinite) && !known) return std::nullopt;
    for (const std::size_t arg : {a, b})
      if (const Slot& constant = plan_.slots[arg];
          constant.kind == SlotKind::constant && (constant.constant.number().is_zero() || constant.constant.number().is_infinite()))
        return std::nullopt;
    out.bottom = x.bottom + y.bottom;
    out.top = x.top + y.top;
    out.precision = x.precision + y.precision;
    out.may_be_infinite = x.may_be_infinite || y.may_be_infinite;
    if (out.precision > 53) return std::nullopt;
  }
  out.may_be_undefined = false;
  const bool division = node.op == NodeOp::divide;
  const std::size_t result = add_slot(out);
  emit([=](Frame& frame, std::size_t lane) {
    const double v = frame.lanes[m].reals[lane], w = frame.lanes[n].reals[lane];
    frame.lanes[result].reals[lane] = division ? v / w : v * w;
  });
  inherit_undefined(result, {*left, *right});
  return result;
}

/// What a value of the format may be; nothing where a nan or nothing at all may come out.
std::optional<Slot> Lowering::float_slot(const Node& node, int top, int bottom, bool infinite) const {
  const FloatFormat& format = *node.format;
  const int greatest = static_cast<int>(format.largest().exponent()) + 1;
  const bool overflows = top >= greatest || infinite;
  if (format.kind == FloatClass::scale || (overflows && (node.overflow == Overflow::nan || (node.overflow == Overflow::format && !format.has_infinity()))))
    return std::nullopt;
  Slot slot;
  slot.kind = SlotKind::real;
  slot.precision = format.precision();
  slot.top = std::min(top + 1, greatest);
  slot.bottom = std::max(static_cast<int>(format.smallest().exponent()), bottom);
  slot.may_be_infinite = overflows && node.overflow == Overflow::format;
  return slot;
}

Result<Lowering::Maybe> Lowering::rounded_float(const Node& node) {
  TIEBREAK_TRY(inner, known_.resolve(node.args[0]));
  const Node& operation = formula_[inner];
  using enum NodeOp;
  if (known_.varies(inner) && (operation.op == add || operation.op == subtract || operation.op == multiply || operation.op == divide)) {
    TIEBREAK_TRY(a, slot(operation.args[0]));
    TIEBREAK_TRY(b, slot(operation.args[1]));
    if (auto done = fused(node, operation, a, b)) return done;
  }
  TIEBREAK_TRY(a, slot(inner));
  if (plan_.slots[a].is_scaled()) return float_of_scaled(node, a);
  if (plan_.slots[a].kind == SlotKind::real) return float_of_real(node, a);
  return Maybe();
}

Lowering::Maybe Lowering::fused(const Node& rounding, const Node& operation, std::size_t a, std::size_t b) {
  const Maybe left = as_real(a), right = as_real(b);
  if (!left || !right) return std::nullopt;
  const Slot x = plan_.slots[*left], y = plan_.slots[*right];
  const FloatFormat& format = *rounding.format;
  const bool plain = rounding.rounding == Rounding::nearest_even && rounding.overflow == Overflow::format;
  const bool own = is_binary64(format) && plain;
  if (!own && (!is_tame(x) || !is_tame(y) || format.precision() > 51)) return std::nullopt;
  using enum NodeOp;
  const bool sum = operation.op == add || operation.op == subtract;
  auto unusual = [&](std::size_t arg) {
    const Slot& slot = plan_.slots[arg];
    return slot.kind == SlotKind::constant && (slot.constant.number().is_zero() || slot.constant.number().is_infinite());
  };
  const bool known = plan_.slots[a].kind == SlotKind::constant || plan_.slots[b].kind == SlotKind::constant;
  if (sum && x.may_be_infinite && y.may_be_infinite) return std::nullopt;
  if (operation.op == multiply && ((x.may_be_infinite || y.may_be_infinite) && (!known || unusual(a) || unusual(b)))) return std::nullopt;
  if (operation.op == divide && (plan_.slots[b].kind != SlotKind::constant || unusual(b))) return std::nullopt;
  const int top = sum ? std::max(x.top, y.top) + 1 : operation.op == multiply ? x.top + y.top : x.top - y.bottom;
  const int bottom = sum ? std::min(x.bottom, y.bottom) : operation.op == multiply ? x.bottom + y.bottom : -1074;
  auto out = float_slot(rounding, top, bottom, x.may_be_infinite || y.may_be_infinite);
  if (!out) return std::nullopt;
  // Operands of 24 bits: rounding an operation to double first changes nothing (53 >= 2 * 24 + 2).
  const bool narrow = is_binary32(format) && plain && x.precision <= 24 && y.precision <= 24;
  const std::size_t result = add_slot(*out), m = x.place, n = y.place;
  const NodeOp op = operation.op;
  auto apply = [&](auto each) {
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].reals[lane] = each(frame.lanes[m].reals[lane], frame.lanes[n].reals[lane]); });
  };
  if (own) {
    if (op == add) apply([](double v, double w) { return v + w; });
    if (op == subtract) apply([](double v, double w) { return v - w; });
    if (op == multiply) apply([](double v, double w) { return v * w; });
    if (op == divide) apply([](double v, double w) { return v / w; });
  } else if (narrow) {
    if (op == add) apply([](double v, double w) { return static_cast<double>(static_cast<float>(v + w)); });
    if (op == subtract) apply([](double v, double w) { return static_cast<double>(static_cast<float>(v - w)); });
    if (op == multiply) apply([](double v, double w) { return static_cast<double>(static_cast<float>(v * w)); });
    if (op == divide) apply([](double v, double w) { return static_cast<double>(static_cast<float>(v / w)); });
  } else {
    const FloatFormat* target = rounding.format;
    const Rounding word = rounding.rounding;
    const Overflow beyond = rounding.overflow;
    apply([=](double v, double w) {
      const double odd = op == add ? add_to_odd(v, w) : op == subtract ? add_to_odd(v, -w) : op == multiply ? multiply_to_odd(v, w) : divide_to_odd(v, w);
      bool missing = false;
      return round_to_format(odd, *target, word, beyond, missing);
    });
  }
  inherit_undefined(result, {*left, *right});
  return result;
}

/// Of n * unit: the machine's conversion where the unit is a power of two, a division rounded to odd where it is a fraction.
Lowering::Maybe Lowering::float_of_scaled(const Node& node, std::size_t a) {
  const Slot source = plan_.slots[a];
  const auto unit = fraction_of(source.unit);
  if (source.tails || !unit) return std::nullopt;
  const int digits = std::max(bits_of(source.low), bits_of(source.high));
  const int top = digits + bits_of(unit->numerator) + static_cast<int>(unit->exponent) - bits_of(unit->denominator) + 1;
  if (unit->exponent < -400 || unit->exponent > 400) return std::nullopt;
  const FloatFormat& format = *node.format;
  const bool plain = node.rounding == Rounding::nearest_even && node.overflow == Overflow::format;
  auto out = float_slot(node, top, unit->denominator == 1 ? static_cast<int>(unit->exponent) : -1074, false);
  if (!out || source.kind != SlotKind::integer) return std::nullopt;
  const std::size_t from = source.place;
  const double scale = std::ldexp(1.0, static_cast<int>(unit->exponent));
  if (unit->numerator == 1 && unit->denominator == 1 && plain && (is_binary32(format) || is_binary64(format)) && unit->exponent >= -100 &&
      !out->may_be_infinite) {
    // One conversion, then an exact shift: no result of it is subnormal.
    const std::size_t result = add_slot(*out);
    const bool single = is_binary32(format);
    emit([=](Frame& frame, std::size_t lane) {
      const std::int64_t n = frame.lanes[from].integers[lane];
      frame.lanes[result].reals[lane] = (single ? static_cast<double>(static_cast<float>(n)) : static_cast<double>(n)) * scale;
    });
    inherit_undefined(result, {a});
    return result;
  }
  if (digits + bits_of(unit->numerator) > 53 || bits_of(unit->denominator) > 53) return std::nullopt;
  const bool own = is_binary64(format) && plain && unit->exponent > -400;
  if (!own && format.precision() > 51) return std::nullopt;
  const std::size_t result = add_slot(*out);
  const double numerator = static_cast<double>(unit->numerator) * scale, denominator = static_cast<double>(unit->denominator);
  const FloatFormat* target = node.format;
  const Rounding word = node.rounding;
  const Overflow beyond = node.overflow;
  emit([=](Frame& frame, std::size_t lane) {
    const double dividend = static_cast<double>(frame.lanes[from].integers[lane]) * numerator;  // exact
    bool missing = false;
    frame.lanes[result].reals[lane] = own ? dividend / denominator : round_to_format(divide_to_odd(dividend, denominator), *target, word, beyond, missing);
  });
  inherit_undefined(result, {a});
  return result;
}

Lowering::Maybe Lowering::float_of_real(const Node& node, std::size_t a) {
  const Slot source = plan_.slots[a];
  const FloatFormat& format = *node.format;
  auto out = float_slot(node, source.top, source.bottom, source.may_be_infinite);
  if (!out) return std::nullopt;
  const bool inside = source.precision <= format.precision() && source.bottom >= static_cast<int>(format.smallest().exponent()) &&
                      source.top <= static_cast<int>(format.largest().exponent()) &&
                      (!source.may_be_infinite || (format.has_infinity() && node.overflow == Overflow::format));
  if (inside) return a;  // already a value of the format
  out->precision = std::min(out->precision, source.precision);
  const std::size_t result = add_slot(*out), from = source.place;
  const FloatFormat* target = node.format;
  const Rounding word = node.rounding;
  const Overflow beyond = node.overflow;
  emit([=](Frame& frame, std::size_t lane) {
    bool missing = false;
    frame.lanes[result].reals[lane] = round_to_format(frame.lanes[from].reals[lane], *target, word, beyond, missing);
  });
  inherit_undefined(result, {a});
  return result;
}

}  // namespace tiebreak
