// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/exact/magnitude.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_looked_at = 4096;  // elements of a tensor that a bound may look through

/// n of 2^n, not far from one.
std::optional<int> power_of_two(const Real& value) {
  if (!value.is_finite() || value.sign() <= 0) return std::nullopt;
  const std::int64_t exponent = value.exponent();
  if (exponent < -500 || exponent > 500 || !(value == Real::power_of_two(exponent))) return std::nullopt;
  return static_cast<int>(exponent);
}

}  // namespace

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
  if (const auto whole = value.to_int64(); node.integer && whole) {
    Bounds bounds = between_integers(*whole, *whole);
    bounds.power_of_two = power_of_two(value);
    return bounds;
  }
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
  bounds.power_of_two = power_of_two(value);
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
  return between_integers(low, high);
}

Bounds BoundsTable::of_element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  Bounds bounds;
  if (node.truth) return {.carrier = Carrier::truth};
  if (source.tensor != nullptr) {
    const ElementType& type = source.tensor->element();
    if (type.is_float()) bounds = bounds_of_format(type.floating());
    if (type.is_integer() && type.max().to_int64())
      bounds = source.settled && source.size() > 0 && source.size() <= most_looked_at ? of_values(source)
                                                                                      : between_integers(*type.min().to_int64(), *type.max().to_int64());
  } else if (source.integer) {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for (const Real& value : source.values) {
      auto whole = value.to_int64();
      if (!whole) return {};
      low = std::min(low, *whole);
      high = std::max(high, *whole);
    }
    bounds = between_integers(low, high);
  } else if (std::ranges::all_of(source.values, [](const Real& value) { return Real::from_double(value.to_double()).identical(value); })) {
    bounds.carrier = Carrier::real;
  }
  if (node.args.empty()) return bounds;
  const Bounds pad = of(node.args[0]);
  return bounds.carrier == Carrier::integer && pad.carrier != Carrier::integer ? Bounds{} : either(bounds, pad);
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
    return plain && fits_double(body) ? bounds_of_format(*step.format) : Bounds{};
  }
  if (aggregate.kind != AggregateKind::sum) {
    if (aggregate.blocks > 0 || aggregate.over_blocks > 0 || aggregate.order != AggregateOrder::sequential) return {};
    // An empty bag gives an infinity, which no integer carrier holds.
    return fits_double(body) ? as_real(body) : Bounds{};
  }
  if (body.carrier != Carrier::integer) return {};
  // There are no more runs than items, and no more items in a run than it may have; the order of an exact sum is no matter.
  const __int128_t items = aggregate.blocks > 0 ? std::min(aggregate.blocks, formula_.geometry.items()) : formula_.geometry.items();
  return between_integers(std::min<__int128_t>(0, body.low * items), std::max<__int128_t>(0, body.high * items));
}

Bounds BoundsTable::compute(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    using enum NodeOp;
    case constant: return of_constant(node);
    case element: return of_element(node);
    case count: return between_integers(0, formula_.geometry.items());
    case index: return between_integers(0, std::max<std::int64_t>(formula_.geometry.cells(), formula_.geometry.items()));
    case aggregate: return of_aggregate(node);
    case conditional:  // a branch that is undefined throughout leaves the carrier to the other
      for (const std::size_t branch : {1, 2})
        if (formula_.is_constant(node.args[branch]) && formula_[node.args[branch]].constant.is_undefined()) return of(node.args[3 - branch]);
      break;
    default: break;
  }
  const OperationTraits* operation = find_traits(node.op);
  if (operation == nullptr || operation->bounds == nullptr) return {};
  std::vector<Bounds> args;
  for (const NodeId arg : node.args) args.push_back(of(arg));
  return operation->bounds(node, args);
}

}  // namespace tiebreak
