// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/exact/magnitude.hpp"

namespace tiebreak {
namespace {

__extension__ typedef __int128 Wide;
constexpr std::int64_t most_looked_at = 4096;  // elements of a tensor that a bound may look through

Bounds integer(Wide low, Wide high) {
  if (low < std::numeric_limits<std::int64_t>::min() || high > std::numeric_limits<std::int64_t>::max()) return {};
  return {.carrier = Carrier::integer, .low = static_cast<std::int64_t>(low), .high = static_cast<std::int64_t>(high)};
}

int bit_width(std::int64_t low, std::int64_t high) { return static_cast<int>(std::bit_width(std::max(magnitude(low), magnitude(high)))); }

Bounds real_of(const FloatFormat& format) {
  Bounds bounds{.carrier = Carrier::real};
  bounds.precision = format.precision();
  bounds.top = static_cast<int>(format.largest().exponent());
  bounds.bottom = static_cast<int>(format.smallest().exponent());
  if (format.kind == FloatClass::scale) bounds.bottom = -127;
  return bounds;
}

bool within_double(const Bounds& bounds) { return bounds.precision <= 53 && bounds.top <= 1023 && bounds.bottom >= -1074; }

}  // namespace

bool fits_double(const Bounds& bounds) {
  if (bounds.carrier == Carrier::real) return true;
  return bounds.carrier == Carrier::integer && bounds.low >= -double_limit && bounds.high <= double_limit;
}

Bounds as_real(const Bounds& bounds) {
  if (bounds.carrier != Carrier::integer) return bounds;
  Bounds real{.carrier = Carrier::real, .whole = true};
  real.precision = std::max(1, bit_width(bounds.low, bounds.high));
  real.top = std::max(0, real.precision - 1);
  real.bottom = 0;
  return real;
}

std::optional<int> divides_by_power_of_two(const Formula& formula, const Node& node) {
  if (node.op != NodeOp::divide || !formula.is_constant(node.args[1])) return std::nullopt;
  const Value& divisor = formula[node.args[1]].constant;
  if (!divisor.is_number() || !divisor.number().is_finite() || divisor.number().sign() <= 0) return std::nullopt;
  const std::int64_t exponent = divisor.number().exponent();
  if (exponent < -500 || exponent > 500 || !(divisor.number() == Real::power_of_two(exponent))) return std::nullopt;
  return static_cast<int>(exponent);
}

const Bounds& BoundsTable::of(NodeId node) {
  if (known_.size() < formula_.nodes.size()) {
    known_.resize(formula_.nodes.size());
    bounds_.resize(formula_.nodes.size());
  }
  const std::size_t i = static_cast<std::size_t>(node);
  if (!known_[i]) {
    bounds_[i] = compute(node);
    known_[i] = true;
  }
  return bounds_[i];
}

Bounds BoundsTable::of_constant(const Node& node) const {
  if (node.constant.is_truth()) return {.carrier = Carrier::truth};
  if (!node.constant.is_number()) return {};
  const Real& value = node.constant.number();
  if (node.integer)
    if (auto whole = value.to_int64()) return integer(*whole, *whole);
  if (!Real::from_double(value.to_double()).identical(value)) return {};
  Bounds bounds{.carrier = Carrier::real, .whole = value.is_whole()};
  if (!value.is_finite() || value.is_zero()) {
    bounds.precision = 1;
    bounds.top = bounds.bottom = 0;
    bounds.whole = value.is_zero();
    return bounds;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value.to_double()), &exponent);
  const std::int64_t mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  bounds.precision = 53 - __builtin_ctzll(static_cast<unsigned long long>(mantissa));
  bounds.top = exponent - 1;
  bounds.bottom = exponent - bounds.precision;
  return bounds;
}

/// What stands in a tensor of whole numbers.
Bounds BoundsTable::of_values(const Source& source) {
  std::int64_t low = *source.value(0).to_int64(), high = low;
  for (std::int64_t i = 1; i < source.size(); ++i) {
    const std::int64_t value = *source.value(i).to_int64();
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return integer(low, high);
}

Bounds BoundsTable::of_element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  Bounds bounds;
  if (node.truth) return {.carrier = Carrier::truth};
  if (source.tensor != nullptr) {
    const ElementType& type = source.tensor->element();
    if (type.is_float()) bounds = real_of(type.floating());
    if (type.is_integer() && type.max().to_int64())
      bounds =
          source.settled && source.size() > 0 && source.size() <= most_looked_at ? of_values(source) : integer(*type.min().to_int64(), *type.max().to_int64());
  } else if (source.integer) {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for (const Real& value : source.values) {
      auto whole = value.to_int64();
      if (!whole) return {};
      low = std::min(low, *whole);
      high = std::max(high, *whole);
    }
    bounds = integer(low, high);
  } else if (std::ranges::all_of(source.values, [](const Real& value) { return Real::from_double(value.to_double()).identical(value); })) {
    bounds.carrier = Carrier::real;
  }
  if (!node.args.empty() && bounds.carrier == Carrier::integer) {
    const Bounds& pad = of(node.args[0]);
    if (pad.carrier != Carrier::integer) return {};
    bounds = integer(std::min(bounds.low, pad.low), std::max(bounds.high, pad.high));
  } else if (!node.args.empty() && bounds.carrier == Carrier::real) {
    const Bounds pad = of(node.args[0]);
    if (!fits_double(pad)) return {};
    const Bounds other = as_real(pad);
    bounds.precision = std::max(bounds.precision, other.precision);
    bounds.top = std::max(bounds.top, other.top);
    bounds.bottom = std::min(bounds.bottom, other.bottom);
  }
  return bounds;
}

Bounds BoundsTable::of_arithmetic(const Node& node) {
  const Bounds a = of(node.args[0]);
  if (node.op == NodeOp::negate || node.op == NodeOp::absolute) {
    if (a.carrier != Carrier::integer) return a.carrier == Carrier::real ? a : Bounds{};
    const Wide low = a.low, high = a.high;
    if (node.op == NodeOp::negate) return integer(-high, -low);
    return integer(low > 0 ? low : high < 0 ? -high : 0, std::max(high, -low));
  }
  const Bounds b = of(node.args[1]);
  if (a.carrier == Carrier::integer && b.carrier == Carrier::integer && node.op != NodeOp::divide) {
    const Wide al = a.low, ah = a.high, bl = b.low, bh = b.high;
    switch (node.op) {
      case NodeOp::add: return integer(al + bl, ah + bh);
      case NodeOp::subtract: return integer(al - bh, ah - bl);
      case NodeOp::minimum: return integer(std::min(al, bl), std::min(ah, bh));
      case NodeOp::maximum: return integer(std::max(al, bl), std::max(ah, bh));
      default: return integer(std::min({al * bl, al * bh, ah * bl, ah * bh}), std::max({al * bl, al * bh, ah * bl, ah * bh}));
    }
  }
  if (!fits_double(a) || !fits_double(b)) return {};
  const Bounds x = as_real(a), y = as_real(b);
  Bounds result{.carrier = Carrier::real, .whole = x.whole && y.whole};
  if (node.op == NodeOp::minimum || node.op == NodeOp::maximum) {
    result.precision = std::max(x.precision, y.precision);
    result.top = std::max(x.top, y.top);
    result.bottom = std::min(x.bottom, y.bottom);
    return result;
  }
  if (node.op == NodeOp::multiply) {
    result.precision = x.precision + y.precision;
    result.top = x.top + y.top + 1;
    result.bottom = x.bottom + y.bottom;
    return within_double(result) ? result : Bounds{};
  }
  if (auto exponent = divides_by_power_of_two(formula_, node)) {
    result = x;
    result.top -= *exponent;
    result.bottom -= *exponent;
    result.whole = result.whole && result.bottom >= 0;
    return within_double(result) ? result : Bounds{};
  }
  // Sums of reals are exact in a double where all bits fit between the lowest and the highest.
  if (node.op == NodeOp::divide) return {};
  result.top = std::max(x.top, y.top) + 1;
  result.bottom = std::min(x.bottom, y.bottom);
  result.precision = result.top - result.bottom + 1;
  return within_double(result) ? result : Bounds{};
}

Bounds BoundsTable::of_conversion(const Node& node) {
  const Bounds a = of(node.args[0]);
  if (node.op == NodeOp::round_float) {
    // The result is on the format's grid whatever the argument; a double carries it for every format up to f64.
    return node.format->precision() <= 53 ? real_of(*node.format) : Bounds{};
  }
  if (node.op == NodeOp::round_whole) {
    if (a.carrier == Carrier::integer) return a;
    if (a.carrier != Carrier::real) return {};
    Bounds whole = a;
    whole.whole = true;
    whole.top = std::max(0, a.top + 1);
    whole.bottom = std::max(0, a.bottom);
    return within_double(whole) ? whole : Bounds{};
  }
  auto low = node.low.to_int64();
  auto high = node.high.to_int64();
  if (node.op == NodeOp::wrap) {
    low = node.integer_format.min().to_int64();
    high = node.integer_format.max().to_int64();
  }
  return low && high ? integer(*low, *high) : Bounds{};
}

Bounds BoundsTable::of_aggregate(const Node& node) {
  const Aggregate& aggregate = node.aggregate;
  if (aggregate.kind == AggregateKind::fold || aggregate.kind == AggregateKind::product) return {};
  const Bounds body = of(node.args[0]);
  if (aggregate.step >= 0) {
    // Whatever the order, the last step's result is on the format's grid.
    const Node& step = formula_[aggregate.step];
    const bool plain = step.op == NodeOp::round_float && formula_[step.args[0]].op == NodeOp::carried && step.rounding == Rounding::nearest_even &&
                       step.overflow == Overflow::format && aggregate.kind == AggregateKind::sum && step.format->kind == FloatClass::ieee;
    return plain && fits_double(body) ? real_of(*step.format) : Bounds{};
  }
  if (aggregate.kind != AggregateKind::sum) {
    if (aggregate.blocks > 0 || aggregate.over_blocks > 0 || aggregate.order != AggregateOrder::sequential) return {};
    // An empty bag gives an infinity, which no integer carrier holds.
    return fits_double(body) ? as_real(body) : Bounds{};
  }
  if (body.carrier != Carrier::integer) return {};
  // There are no more runs than items, and no more items in a run than it may have; the order of an exact sum is no matter.
  const Wide items = aggregate.blocks > 0 ? std::min(aggregate.blocks, formula_.geometry.items()) : formula_.geometry.items();
  return integer(std::min<Wide>(0, body.low * items), std::max<Wide>(0, body.high * items));
}

Bounds BoundsTable::compute(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    using enum NodeOp;
    case constant: return of_constant(node);
    case element: return of_element(node);
    case count: return integer(0, formula_.geometry.items());
    case index: return integer(0, std::max<std::int64_t>(formula_.geometry.cells(), formula_.geometry.items()));
    case add:
    case subtract:
    case multiply:
    case divide:
    case negate:
    case absolute:
    case minimum:
    case maximum: return of_arithmetic(node);
    case round_whole:
    case round_float:
    case saturate:
    case wrap:
    case trap: return of_conversion(node);
    case equal:
    case not_equal:
    case less:
    case less_equal:
    case is_nan:
    case negation:
    case conjunction:
    case disjunction: return {.carrier = Carrier::truth};
    case conditional: {
      const Bounds a = of(node.args[1]), b = of(node.args[2]);
      // A branch that is undefined throughout leaves the carrier to the other.
      if (formula_.is_constant(node.args[1]) && formula_[node.args[1]].constant.is_undefined()) return b;
      if (formula_.is_constant(node.args[2]) && formula_[node.args[2]].constant.is_undefined()) return a;
      if (a.carrier == Carrier::integer && b.carrier == Carrier::integer) return integer(std::min(a.low, b.low), std::max(a.high, b.high));
      if (a.carrier == Carrier::truth && b.carrier == Carrier::truth) return a;
      if (!fits_double(a) || !fits_double(b)) return {};
      const Bounds x = as_real(a), y = as_real(b);
      return {.carrier = Carrier::real,
              .precision = std::max(x.precision, y.precision),
              .top = std::max(x.top, y.top),
              .bottom = std::min(x.bottom, y.bottom),
              .whole = x.whole && y.whole};
    }
    case aggregate: return of_aggregate(node);
    default: return {};
  }
}

}  // namespace tiebreak
