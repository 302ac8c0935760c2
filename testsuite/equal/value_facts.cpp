// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/value_facts.hpp"

#include <algorithm>
#include <memory>

#include "interpreter/ranges/bounds.hpp"
#include "testsuite/equal/program_parts.hpp"

namespace tiebreak {
namespace {

using Interval = ValueFacts::Interval;
using Parts = ProgramFormulas::Parts;

std::optional<Interval> of_type(const TensorType& type) {
  if (!type.element.is_integer()) return std::nullopt;
  const auto low = (type.quantized ? type.quantized->storage_min : type.element.min()).to_int64();
  const auto high = (type.quantized ? type.quantized->storage_max : type.element.max()).to_int64();
  return low && high ? std::optional(Interval{*low, *high}) : std::nullopt;
}

/// The numbers that stand in a tensor.
std::optional<Interval> of_tensor(const Tensor& tensor) {
  std::optional<Interval> found;
  for (std::int64_t i = 0; i < tensor.size() && tensor.element().is_integer(); ++i) {
    const auto value = tensor.value(i).to_int64();
    if (!value) return std::nullopt;
    found = found ? Interval{std::min(found->first, *value), std::max(found->second, *value)} : Interval{*value, *value};
  }
  return found;
}

std::optional<Interval> of_codes(const ElementType& type, const std::vector<std::uint64_t>& codes) {
  std::optional<Interval> found;
  for (const std::uint64_t code : codes) {
    const auto value = type.is_integer() ? type.decode(code).to_int64() : std::nullopt;
    if (!value) return std::nullopt;
    found = found ? Interval{std::min(found->first, *value), std::max(found->second, *value)} : Interval{*value, *value};
  }
  return found;
}

/// A tensor of the two ends in place of an operand: bounds look at nothing else of it.
Result<std::shared_ptr<Tensor>> ends_of(const ElementType& type, const Interval& interval) {
  TIEBREAK_TRY(tensor, Tensor::zeros({type, {2}}));
  for (const std::int64_t i : {0, 1}) {
    const auto code = type.encode(Real(i == 0 ? interval.first : interval.second));
    if (!code) return fail(Errc::internal, "an interval beyond its type");
    tensor.set_code(i, *code);
  }
  return std::make_shared<Tensor>(std::move(tensor));
}

/// What enters an integer format, where the format changes nothing of it or cuts it.
std::optional<Interval> of_node(const Formula& formula, BoundsTable& table, NodeId id) {
  const Node& node = formula[id];
  const Bounds& bounds = table.of(id);
  std::optional<Interval> found;
  if (bounds.carrier == Carrier::integer) found = Interval{bounds.low, bounds.high};
  if (node.op != NodeOp::wrap && node.op != NodeOp::saturate && node.op != NodeOp::trap) return found;
  const std::optional<Interval> inner = of_node(formula, table, node.args[0]);
  if (!inner || !found) return found;
  if (node.op == NodeOp::wrap) return inner->first >= found->first && inner->second <= found->second ? inner : found;
  return Interval{std::clamp(inner->first, found->first, found->second), std::clamp(inner->second, found->first, found->second)};
}

/// Of a result, from what its operands may be.
Result<std::optional<Interval>> of_result(const Parts& parts, const Parts::Producer& producer, const ValueFacts& facts, const TensorType& type) {
  const std::optional<Interval> whole = of_type(type);
  const Parts::BoundOperation& operation = parts.operations[producer.operation];
  if (!whole || operation.unusable) return whole;
  const bool in_parts = operation.formulas.size() > 1;
  const std::size_t part = in_parts ? producer.result : 0;
  Formula formula = operation.formulas[part];
  std::vector<std::shared_ptr<Tensor>> keep;
  for (std::size_t s = 0; s < formula.sources.size(); ++s) {
    Source& source = formula.sources[s];
    const int operand = operation.operand_of[part][s];
    source.settled = false;
    if (operand < 0 || source.tensor == nullptr) continue;
    const ValueId id = parts.program->operations[producer.operation].operands[static_cast<std::size_t>(operand)];
    const std::optional<Interval> known = id < 0 ? std::nullopt : facts.bounds[static_cast<std::size_t>(id)];
    if (!known || !source.tensor->element().is_integer()) continue;
    TIEBREAK_TRY(ends, ends_of(source.tensor->element(), *known));
    source.tensor = ends.get();
    source.settled = true;
    keep.push_back(std::move(ends));
  }
  const NodeId root = formula.results[in_parts ? 0 : producer.result].node;
  BoundsTable table(formula);
  const std::optional<Interval> bounds = of_node(formula, table, root);
  if (!bounds) return whole;
  const Interval found{std::max(whole->first, bounds->first), std::min(whole->second, bounds->second)};
  return found.first <= found.second ? found : *whole;
}

}  // namespace

Result<ValueFacts> facts_of(const Semantics& semantics, const ProgramFormulas& formulas, const ProgramInputs& inputs) {
  const Parts& parts = formulas.parts();
  const std::size_t values = parts.program->values.size();
  ValueFacts facts;
  facts.bounds.resize(values);
  facts.open.resize(values);
  facts.heavy.resize(values);
  for (std::size_t v = 0; v < values; ++v) {
    if (parts.constants[v]) facts.bounds[v] = of_tensor(*parts.constants[v]);
    else if (const auto input = parts.input_of[v])
      facts.bounds[v] = inputs.codes[*input].empty() ? of_type(parts.types[v]) : of_codes(parts.types[v].element, inputs.codes[*input]);
  }
  for (std::size_t o = 0; o < parts.program->operations.size(); ++o) {
    TIEBREAK_CHECK(parts.stop.check());
    const Operation& operation = parts.program->operations[o];
    const LeftOpen left = left_open(semantics, formulas, o);
    std::string open = left.why;
    const auto is_open = [&](ValueId id) { return id >= 0 && !facts.open[static_cast<std::size_t>(id)].empty(); };
    if (!left.alternatives.empty() && std::ranges::none_of(operation.operands, is_open)) {
      TIEBREAK_TRY(settled, settled_in_program(semantics, formulas, inputs, o, left));
      if (settled) open.clear();
    }
    for (const ValueId id : operation.operands)
      if (open.empty() && id >= 0) open = facts.open[static_cast<std::size_t>(id)];
    for (const Region& region : operation.regions)
      for (const ValueId id : region.captured)
        if (open.empty() && id >= 0) open = facts.open[static_cast<std::size_t>(id)];
    const bool heavy = parts.operations[o].unusable.has_value() ||
                       std::ranges::any_of(parts.operations[o].formulas, [](const Formula& formula) { return formula.geometry.has_bag; });
    for (const ValueId id : operation.results) {
      if (id < 0) continue;
      const auto v = static_cast<std::size_t>(id);
      facts.open[v] = open;
      facts.heavy[v] = heavy ? 1 : 0;
      if (!parts.producers[v]) continue;
      TIEBREAK_TRY(bounds, of_result(parts, *parts.producers[v], facts, parts.types[v]));
      facts.bounds[v] = bounds;
    }
  }
  return facts;
}

}  // namespace tiebreak
