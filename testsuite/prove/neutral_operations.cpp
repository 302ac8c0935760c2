// SPDX-License-Identifier: Apache-2.0
#include "testsuite/prove/neutral_operations.hpp"

#include <algorithm>

#include "interpreter/ranges/innocuous_rounding.hpp"
#include "testsuite/prove/zero_cases.hpp"

namespace tiebreak {
namespace {

bool narrows(NodeOp op) { return op == NodeOp::saturate || op == NodeOp::wrap || op == NodeOp::trap; }
Real least_of(const Node& node) { return node.op == NodeOp::wrap ? node.integer_format.min() : node.low; }
Real greatest_of(const Node& node) { return node.op == NodeOp::wrap ? node.integer_format.max() : node.high; }

/// The whole numbers up to this magnitude are values of the format.
Real whole_limit(const FloatFormat& format) { return Real::power_of_two(std::min<std::int64_t>(format.precision(), format.largest().exponent())); }

}  // namespace

/// Bounds that hold for any sizes and parameters of the same types: not those of a sum, nor of scales that a type states.
bool NeutralOperations::bounded_by_types(NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::aggregate)
    return (node.aggregate.kind == AggregateKind::minimum || node.aggregate.kind == AggregateKind::maximum) && bounded_by_types(node.args[0]);
  if (node.op == NodeOp::element) return formula.sources[static_cast<std::size_t>(node.source)].tensor != nullptr;
  if (node.op == NodeOp::saturate || node.op == NodeOp::wrap || node.op == NodeOp::trap || node.op == NodeOp::round_float) return true;
  return std::ranges::all_of(node.args, [&](NodeId arg) { return bounded_by_types(arg); });
}

bool NeutralOperations::changes_nothing(const Node& node, bool zeros) {
  using enum NodeOp;
  if (node.op != round_whole && node.op != round_float && !narrows(node.op)) return false;
  if (node.op == round_float && node.overflow == Overflow::format && in_format(node.args[0], *node.format)) return true;
  if (whole_fits(node, zeros)) return true;
  if (node.op == round_float && formula[node.args[0]].integer) {
    const std::optional<Real> most = magnitude(node.args[0]);
    if (most && *most <= whole_limit(*node.format)) return node.format->kind != FloatClass::scale;
  }
  const Bounds known = bounds_.of(node.args[0]);
  const bool whole_word = node.op == round_whole;
  if (!whole_word && !(node.op == round_float && formula[node.args[0]].op == round_float) && !bounded_by_types(node.args[0])) return false;
  if (known.carrier == Carrier::integer) {
    if (node.op == round_whole) return true;
    if (node.op == round_float) {
      if (node.format->kind == FloatClass::scale) return false;
      return Real(known.low) >= -whole_limit(*node.format) && Real(known.high) <= whole_limit(*node.format);
    }
    return Real(known.low) >= least_of(node) && Real(known.high) <= greatest_of(node);
  }
  // Infinities and nan pass through formats that have both; the rest must fit.
  if (known.carrier != Carrier::real || node.op != round_float || node.format->kind != FloatClass::ieee) return false;
  return known.precision <= node.format->precision() && known.top <= node.format->largest().exponent() && known.bottom >= node.format->smallest().exponent();
}

/// Whether every value is one of the format, infinities, nan and zeros included.
bool NeutralOperations::in_format(NodeId id, const FloatFormat& format) {
  const auto fits = [&](const FloatFormat& other) {
    return &other == &format || (other.kind == FloatClass::ieee && format.kind == FloatClass::ieee && other.precision() <= format.precision() &&
                                 other.largest() <= format.largest() && other.smallest() >= format.smallest());
  };
  if (formula[id].op == NodeOp::round_float && fits(*formula[id].format)) return true;
  const Node& node = formula[without(id, true)];
  const auto all = [&](std::size_t first) {
    return std::all_of(node.args.begin() + static_cast<std::ptrdiff_t>(first), node.args.end(), [&](NodeId arg) { return in_format(arg, format); });
  };
  switch (node.op) {
    using enum NodeOp;
    case round_float: return fits(*node.format);
    case constant: {
      if (!node.constant.is_number()) return false;
      const std::optional<Real> rounded = round_to(node.constant.number(), format);
      return rounded && (rounded->identical(node.constant.number()) || (rounded->is_nan() && node.constant.number().is_nan()));
    }
    case element: {
      const Source& source = formula.sources[static_cast<std::size_t>(node.source)];
      const Tensor* tensor = source.tensor;
      if (tensor == nullptr) return !source.integer && fits(*find_float_format("f64"));  // a scale is a double
      return tensor != nullptr && tensor->element().is_float() && fits(tensor->element().floating()) && all(0);
    }
    case negate:
    case absolute:
    case minimum:
    case maximum: return format.kind == FloatClass::ieee && all(0);
    case subtract: {
      if (format.kind != FloatClass::ieee) return false;
      if (const auto remainder = remainder_of(formula, id)) return in_format(remainder->first, format) && in_format(remainder->second, format);
      return is_zero(node.args[0]) && in_format(node.args[1], format);
    }
    case multiply: return format.kind == FloatClass::ieee && (is_zero(node.args[0]) || is_zero(node.args[1]));  // a zero, or not a number
    case power: return power_in_format(id, format, false);
    case divide: return (format.has_infinity() && always_infinite(id)) || (is_one(node.args[0]) && power_in_format(node.args[1], format, true));
    case round_whole: return format.kind == FloatClass::ieee && all(0);  // beyond the format's digits all numbers are whole
    case conditional: return all(1);
    case aggregate:
      if (node.aggregate.kind == AggregateKind::sum && node.aggregate.step >= 0)
        return format.kind == FloatClass::ieee && formula[node.aggregate.step].op == round_float && in_format(node.aggregate.step, format);
      return (node.aggregate.kind == AggregateKind::minimum || node.aggregate.kind == AggregateKind::maximum) && node.aggregate.step < 0 &&
             format.has_infinity() && all(0);
    default: return false;
  }
}

/// The largest magnitude of a whole number, with sums over as many items as a tensor may have; nullopt where nothing is known.
std::optional<Real> NeutralOperations::magnitude(NodeId id) {
  const Node& node = formula[id];
  const auto of = [&](std::size_t i) { return magnitude(node.args[i]); };
  switch (node.op) {
    using enum NodeOp;
    case constant:
      if (!node.constant.is_number() || !node.constant.number().is_whole()) return std::nullopt;
      return abs(node.constant.number());
    case element: {
      const Bounds known = bounds_.of(id);
      if (known.carrier != Carrier::integer || !bounded_by_types(id)) return std::nullopt;
      return max(abs(Real(known.low)), abs(Real(known.high)));
    }
    case saturate:
    case trap: return max(abs(node.low), abs(node.high));
    case wrap: return max(abs(node.integer_format.min()), abs(node.integer_format.max()));
    case negate:
    case absolute: return of(0);
    case add:
    case subtract:
    case multiply: {
      const auto a = of(0), b = of(1);
      if (!a || !b) return std::nullopt;
      return node.op == multiply ? *a * *b : *a + *b;
    }
    case aggregate: {
      if (node.aggregate.kind != AggregateKind::sum || node.aggregate.step >= 0) return std::nullopt;
      const auto item = of(0);
      return item ? std::optional<Real>(*item * Real::power_of_two(31)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<Real> NeutralOperations::only_value(NodeId id) {
  const ValueRange range = ranges.of(id);
  return range.is_point() ? std::optional(range.low) : std::nullopt;
}

/// A zero without the sign bit: a constant, or by what is known of it.
bool NeutralOperations::is_positive_zero(NodeId id) {
  const ValueRange range = ranges.of(id);
  return range.is_point() && range.low.is_zero() && !range.negative_zero;
}

/// The product of two values of a format has twice its digits. A wider format that holds these rounds only what is so small that the format makes a zero of it.
NodeId NeutralOperations::before_rounding(const Node& rounding) {
  const NodeId argument = without(rounding.args[0], true);
  const Node& inner = formula[argument];
  const FloatFormat& format = *rounding.format;
  const auto nearest = [](const Node& node) {
    return node.rounding == Rounding::nearest_even && node.overflow == Overflow::format && node.format->kind == FloatClass::ieee;
  };
  if (!nearest(rounding) || inner.op != NodeOp::round_float || !nearest(inner)) return argument;
  const Node& product = formula[inner.args[0]];
  if (innocuous_rounding(product, format, *inner.format) && std::ranges::all_of(product.args, [&](NodeId arg) { return in_format(arg, format); }))
    return inner.args[0];
  const bool fits = inner.format->precision() >= 2 * format.precision() && inner.format->largest() >= format.largest() &&
                    inner.format->smallest() * Real::power_of_two(2 * format.precision() - 1) <= format.smallest() / Real(2);
  if (!fits || product.op != NodeOp::multiply || !in_format(product.args[0], format) || !in_format(product.args[1], format)) return argument;
  return inner.args[0];
}

/// 2^e, or one divided by it, where every such power is a value of the format.
bool NeutralOperations::power_in_format(NodeId id, const FloatFormat& format, bool reciprocal) {
  const NodeId exponent = exponent_of_two(formula, id);
  if (exponent < 0 || format.kind != FloatClass::ieee) return false;
  const ValueRange e = ranges.of(exponent), power = ranges.of(id);
  if (!e.whole || power.nan || power.empty() || !power.low.is_finite() || !power.high.is_finite()) return false;
  const Real low = reciprocal ? Real(1) / power.high : power.low, high = reciprocal ? Real(1) / power.low : power.high;
  return low >= format.smallest() && high <= format.largest();
}

/// x with bits that reach beyond all of its values.
NodeId NeutralOperations::unmasked(const Node& node) {
  for (const std::size_t i : {0u, 1u}) {
    const ValueRange range = ranges.of(node.args[i]);
    if (!formula.is_constant(node.args[1 - i]) || !formula[node.args[1 - i]].constant.is_number() || !range.whole || range.nan || range.undefined ||
        range.infinite())
      continue;
    const Real& mask = formula[node.args[1 - i]].constant.number();
    if (mask == Real(-1)) return node.args[i];
    const bool all_ones = mask.is_finite() && mask > Real(0) && mask + Real(1) == Real::power_of_two((mask + Real(1)).exponent());
    if (all_ones && range.low >= Real(0) && range.high <= mask) return node.args[i];
  }
  return -1;
}

NodeId NeutralOperations::before_cut(const Node& cut) {
  const NodeId argument = without(cut.args[0], true);
  const Node& inner = formula[argument];
  const bool whole = cut.rounding == Rounding::toward_zero || cut.rounding == Rounding::down || cut.rounding == Rounding::up;
  if (!whole || inner.op != NodeOp::round_float || inner.rounding != Rounding::nearest_even || inner.overflow != Overflow::format) return argument;
  const Node& quotient = formula[inner.args[0]];
  if (quotient.op != NodeOp::divide) return argument;
  const ValueRange a = ranges.of(quotient.args[0]), b = ranges.of(quotient.args[1]);
  if (a.empty() || b.empty() || !a.whole || !b.whole) return argument;
  return keeps_whole_part(max(abs(a.low), abs(a.high)), max(abs(b.low), abs(b.high)), *inner.format) ? inner.args[0] : argument;
}

NodeId NeutralOperations::before_saturation(const Node& saturation) {
  const Real most = max(abs(saturation.low), abs(saturation.high));
  NodeId id = without(saturation.args[0], false);
  for (;;) {
    const Node& node = formula[id];
    if (node.op != NodeOp::round_float || node.format->kind != FloatClass::ieee || node.overflow == Overflow::nan) return id;
    if (!ranges.of(node.args[0]).whole || most > whole_limit(*node.format)) return id;
    id = without(node.args[0], false);
  }
}

std::optional<Real> NeutralOperations::least_above(NodeId id, const Real& limit, bool strict) {
  if (!limit.is_finite()) return std::nullopt;
  if (always_infinite(id)) return Real::infinity();
  const FloatFormat* format = format_of(id);
  if (format == nullptr) return std::nullopt;
  const std::optional<Real> value = round_to(limit, *format, Rounding::up);
  if (!value || !strict || !(*value == limit)) return value;
  return round_to(limit + format->smallest() / Real(2), *format, Rounding::up);
}

bool NeutralOperations::always_infinite(NodeId id) {
  const Node& node = formula[id];
  if (node.op != NodeOp::divide) return false;
  const ValueRange a = ranges.of(node.args[0]), b = ranges.of(node.args[1]);
  return b.is_point() && b.low.is_zero() && !a.nan && !a.undefined && !a.empty() && !a.contains_zero();
}

const FloatFormat* NeutralOperations::format_of(NodeId id) {
  for (const char* name : {"bf16", "f16", "f32", "f64"})
    if (const FloatFormat* format = find_float_format(name); format != nullptr && in_format(id, *format)) return format;
  return nullptr;
}

NodeId NeutralOperations::source_of_nan(NodeId id) {
  for (;;) {
    id = without(id, false);
    const Node& node = formula[id];
    const bool rounds = node.op == NodeOp::round_whole || node.op == NodeOp::negate || node.op == NodeOp::absolute ||
                        (node.op == NodeOp::round_float && node.format->kind == FloatClass::ieee && node.overflow != Overflow::nan);
    if (!rounds) return id;
    id = node.args[0];
  }
}

bool NeutralOperations::lies_between(NodeId id, const Real& low, const Real& high) {
  const ValueRange range = ranges.of(id);
  return range.empty() || (range.low >= low && range.high <= high);
}

bool NeutralOperations::is_one(NodeId id) const {
  return formula.is_constant(id) && formula[id].constant.is_number() && formula[id].constant.number() == Real(1);
}

/// Whole numbers in the range of the operation, for any values of these types.
bool NeutralOperations::whole_fits(const Node& node, bool zeros) {
  const ValueRange range = ranges.of(node.args[0]);
  if (!range.whole || range.empty()) return false;
  if (node.op == NodeOp::round_whole) return !zeros || formula[node.args[0]].integer || !range.negative_zero;
  if (narrows(node.op))
    return !range.nan && (!zeros || formula[node.args[0]].integer || !range.negative_zero) && range.low >= least_of(node) && range.high <= greatest_of(node);
  if (node.format->kind != FloatClass::ieee || range.infinite()) return false;
  const Real most = max(abs(range.low), abs(range.high)), limit = whole_limit(*node.format);
  return most <= limit || (most <= node.format->largest() && most <= limit * Real::power_of_two(power_divisor(node.args[0])));
}

/// min(a, b) is a where b is always a number that is no less: then a nan of a is the result as well.
bool NeutralOperations::never_beyond(const Node& node, std::size_t kept, bool zeros) {
  const ValueRange a = ranges.of(node.args[kept]), b = ranges.of(node.args[1 - kept]);
  if (b.nan || b.undefined || b.empty()) return false;
  if (a.empty()) return true;
  const bool least = node.op == NodeOp::minimum;
  if (least ? a.high < b.low : a.low > b.high) return true;
  const bool reached = least ? a.high <= b.low : a.low >= b.high;
  const bool zero_meets_zero = a.contains_zero() && b.contains_zero() && (a.negative_zero || b.negative_zero);
  return reached && (!zeros || !zero_meets_zero);
}

/// The same operation of the same arguments, once what changes nothing is left out.
bool NeutralOperations::same_number(NodeId a, NodeId b) {
  a = without(a, true), b = without(b, true);
  const Node &x = formula[a], &y = formula[b];
  return a == b || (x.op == NodeOp::divide && y.op == NodeOp::divide && same_number(x.args[0], y.args[0]) && same_number(x.args[1], y.args[1]));
}

/// A number compared with itself; only a nan is not equal to itself.
bool NeutralOperations::always_equal(const Node& comparison) {
  if (comparison.op != NodeOp::equal || formula[comparison.args[0]].truth) return false;
  const ValueRange range = ranges.of(comparison.args[0]);
  return !range.nan && !range.undefined && same_number(comparison.args[0], comparison.args[1]);
}

NodeId NeutralOperations::equal_argument(NodeId id, bool zeros) {
  const Node& node = formula[id];
  switch (node.op) {
    using enum NodeOp;
    case round_whole:
    case round_float:
    case saturate:
    case wrap:
    case trap: return changes_nothing(node, zeros) ? node.args[0] : -1;
    case subtract:
      // -0 - 0 is -0, so that only -0 - -0 is another zero.
      if (is_positive_zero(node.args[1]) || (is_zero(node.args[1]) && (node.integer || !zeros))) return node.args[0];
      return -1;
    case add:
      for (std::size_t i = 0; i < 2; ++i)
        if ((is_zero(node.args[i]) || is_positive_zero(node.args[i])) && (node.integer || !zeros || !ranges.of(node.args[1 - i]).negative_zero))
          return node.args[1 - i];
      return -1;
    case multiply:
      for (std::size_t i = 0; i < 2; ++i)
        if (is_one(node.args[i])) return node.args[1 - i];
      return -1;
    case divide: return is_one(node.args[1]) ? node.args[0] : -1;
    case bit_and: return unmasked(node);
    case conjunction:
    case disjunction:
      for (std::size_t i = 0; i < 2; ++i)
        if (ranges.truth(node.args[i]) == (node.op == conjunction) && !ranges.truth_may_be_undefined(node.args[i])) return node.args[1 - i];
      return -1;
    case minimum:
    case maximum:
      for (std::size_t i = 0; i < 2; ++i)
        if (never_beyond(node, i, zeros)) return node.args[i];
      return -1;
    case conditional: {
      if (const NodeId value = cut_value(node); value >= 0) return value;
      const std::optional<bool> known = ranges.truth(node.args[0]);
      if (known || always_equal(formula[node.args[0]])) return node.args[known.value_or(true) ? 1 : 2];
      return ranges.truth_may_be_undefined(node.args[0]) ? -1 : branch_at_zeros(formula, id);
    }
    default: return -1;
  }
}

NodeId NeutralOperations::without(NodeId id, bool zeros) {
  for (;;) {
    const NodeId argument = equal_argument(id, zeros);
    if (argument < 0) return id;
    id = argument;
  }
}

}  // namespace tiebreak
