// SPDX-License-Identifier: Apache-2.0
// Ranges of what is read, of products and powers, and of real functions.
#include "interpreter/ranges/innocuous_rounding.hpp"
#include "interpreter/ranges/range_operations.hpp"

namespace tiebreak {
using namespace ranges_inside;
namespace {

/// Far beyond every format; powers with larger exponents need not be known.
constexpr std::int64_t most_exponent = 4096;

/// x.scale as x and scale.
std::pair<std::string, std::string> owner_and_fact(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

Real power_of(const Real& base, std::int64_t exponent) {
  Real result(1);
  for (std::int64_t i = 0; i < exponent; ++i) result = result * base;
  return result;
}

}  // namespace

/// Elements of a tensor have its type's values. A quantized type's zero points lie in its storage range, its scales are positive.
ValueRange ValueRanges::of_element(const Node& node) {
  if (node.truth) return {};
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  ValueRange range;
  if (source.tensor != nullptr) {
    range = of_type(source.tensor->element());
  } else {
    const auto [owner, fact] = owner_and_fact(source.name);
    if (fact == "scale") range = between(Real(0), infinity);
    if (fact == "zero_point") {
      for (const Source& one : formula_.sources)
        if (one.name == owner && one.tensor != nullptr) range = of_type(one.tensor->element());
      for (const FormulaResult& one : formula_.results)
        if (one.name == owner) range = of_type(one.type.element);
    }
  }
  return node.args.empty() ? range : hull(range, of(node.args[0]));
}

ValueRange ValueRanges::of_product(const Node& node) {
  const ValueRange a = of(node.args[0]), b = of(node.args[1]);
  ValueRange range = from_arguments(a, b);
  if (a.empty() || b.empty()) return range;
  // Zero times infinity: the numbers near it have any size.
  const auto times = [](const Real& x, const Real& y) { return x.is_zero() || y.is_zero() ? Real(0) : x * y; };
  const Real ends[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  range.low = *std::min_element(std::begin(ends), std::end(ends));
  range.high = *std::max_element(std::begin(ends), std::end(ends));
  range.nan |= (may_be(a, Real(0)) && may_be_infinite(b)) || (may_be(b, Real(0)) && may_be_infinite(a));
  const auto other_sign = [](const ValueRange& zero, const ValueRange& other) {
    const bool any = other.contains_zero();
    return (zero.contains_zero() && (other.low < Real(0) || other.negative_zero)) || (zero.negative_zero && (other.high > Real(0) || any));
  };
  range.negative_zero = other_sign(a, b) || other_sign(b, a);
  range.whole = a.whole && b.whole;
  return range;
}

/// A whole number times what is no smaller than the format's least: its rounding is zero where the whole number is.
bool ValueRanges::never_vanishes(const Node& rounding) {
  const Node& product = formula_[rounding.args[0]];
  if (product.op != NodeOp::multiply) return false;
  const ValueRange a = of(product.args[0]), b = of(product.args[1]);
  const auto least = [&](const ValueRange& range) { return !range.empty() && range.low >= rounding.format->smallest(); };
  return (a.whole && least(b)) || (b.whole && least(a));
}

ValueRange ValueRanges::of_power(NodeId id) {
  const Node& node = formula_[id];
  const ValueRange base = of(node.args[0]), e = of(node.args[1]);
  if (!e.whole || e.nan || e.empty() || e.infinite() || base.nan || base.empty() || base.infinite()) return {};
  const auto low = e.low.to_int64(), high = e.high.to_int64();
  if (!low || !high) return {};
  const bool undefined = base.undefined || e.undefined;
  if ((base.is_point() && base.low == Real(1)) || (*low == 0 && *high == 0)) return {Real(1), Real(1), false, undefined, false, true};
  if (base.is_point() && base.low.is_zero() && *low >= 1) return {Real(0), Real(0), false, undefined, true, true};
  if (exponent_of_two(formula_, id) >= 0 && *low >= -most_exponent && *high <= most_exponent)
    return {Real::power_of_two(*low), Real::power_of_two(*high), false, undefined, false, *low >= 0};
  if (*low != *high || *low < 1 || *low > 64 || max(abs(base.low), abs(base.high)) > Real::power_of_two(64)) return {};
  const Real first = power_of(base.low, *low), last = power_of(base.high, *low);
  const bool even = *low % 2 == 0;
  return {even && base.contains_zero() ? Real(0) : std::min(first, last), std::max(first, last), false, undefined, true, base.whole};
}

/// An angle is less than 4; nan is no point.
ValueRange ValueRanges::of_real_function(const Node& node) {
  if (node.function != RealFunction::atan2) return {};
  ValueRange range = from_arguments(of(node.args[0]), of(node.args[1]));
  range.low = Real(-4);
  range.high = Real(4);
  range.negative_zero = true;
  return range;
}

/// A sum that is finite has finite parts.
void ValueRanges::assume_finite_parts(NodeId id) {
  const Node& sum = formula_[id];
  if (sum.op != NodeOp::add && sum.op != NodeOp::subtract) return;
  for (const NodeId part : sum.args) {
    const Node& node = formula_[part];
    const FloatFormat* format = node.op == NodeOp::round_float ? node.format : nullptr;
    if (node.op == NodeOp::element && !node.truth) {
      const Tensor* tensor = formula_.sources[static_cast<std::size_t>(node.source)].tensor;
      if (node.args.empty() && tensor != nullptr && tensor->element().is_float()) format = &tensor->element().floating();
    }
    if (format != nullptr && format->kind == FloatClass::ieee) assume(part, {-format->largest(), format->largest(), false, false, true, false});
  }
}

/// b of `a and b`, `a or b`, where a does not decide; nullopt: it is not known there.
std::optional<bool> ValueRanges::where_asked(const Node& node, bool decides) {
  ValueRanges asked = *this;
  asked.assume(node.args[0], !decides);
  const std::optional<bool> found = asked.truth(node.args[1]);
  return found == decides ? found : std::nullopt;
}

}  // namespace tiebreak
