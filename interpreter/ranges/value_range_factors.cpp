// SPDX-License-Identifier: Apache-2.0
// Ranges of what is read, and what a sum says of its parts.
#include "interpreter/ranges/innocuous_rounding.hpp"
#include "interpreter/ranges/value_range.hpp"

namespace tiebreak {
using namespace number_ranges;
namespace {

ValueRange of_type(const ElementType& type) {
  if (type.is_boolean()) return {};
  ValueRange range = between(type.min(), type.max());
  range.whole = type.is_integer();
  if (!type.is_float()) return range;
  const FloatFormat& format = type.floating();
  if (format.has_infinity()) range.low = minus_infinity, range.high = infinity;
  range.nan = format.has_nan();
  range.negative_zero = format.has_negative_zero();
  return range;
}

/// x.scale as x and scale.
std::pair<std::string, std::string> owner_and_fact(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
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

/// A whole number times what is no smaller than the format's least: its rounding is zero where the whole number is.
bool ValueRanges::never_vanishes(const Node& rounding) {
  const Node& product = formula_[rounding.args[0]];
  if (product.op != NodeOp::multiply) return false;
  const ValueRange a = of(product.args[0]), b = of(product.args[1]);
  const auto least = [&](const ValueRange& range) { return !range.empty() && range.low >= rounding.format->smallest(); };
  return (a.whole && least(b)) || (b.whole && least(a));
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
