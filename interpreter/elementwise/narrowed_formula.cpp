// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/narrowed_formula.hpp"

#include "interpreter/geometry/access_order.hpp"

namespace tiebreak {
namespace {

/// A parameter's elements at the given sets, one after another.
bool take_sets(const Source& from, const ParameterSets& parameters, const std::vector<std::int64_t>& sets, Source& to, NarrowedFormula& out) {
  std::vector<std::int64_t> offsets;
  for (const std::int64_t set : sets) offsets.push_back(from.access.offset(parameters.cell_of(set), {}));
  if (from.tensor == nullptr) {
    to.values.clear();
    for (const std::int64_t offset : offsets) to.values.push_back(from.values[static_cast<std::size_t>(offset)]);
    return true;
  }
  auto tensor = Tensor::zeros({from.tensor->element(), {static_cast<std::int64_t>(sets.size())}, {}});
  if (!tensor) return false;
  for (std::size_t i = 0; i < offsets.size(); ++i) tensor->set_code(static_cast<std::int64_t>(i), from.tensor->code(offsets[i]));
  out.tensors.push_back(std::make_unique<Tensor>(std::move(*tensor)));
  to.tensor = out.tensors.back().get();
  return true;
}

/// How often each node changes, from what its sources read now.
std::uint64_t set_rate(Formula& formula, NodeId id, std::vector<bool>& done) {
  Node& node = formula.nodes[static_cast<std::size_t>(id)];
  if (done[static_cast<std::size_t>(id)]) return node.rate;
  done[static_cast<std::size_t>(id)] = true;
  node.rate = node.op == NodeOp::element ? formula.sources[static_cast<std::size_t>(node.source)].access.cell_rate() : 0;
  for (const NodeId arg : node.args) node.rate |= set_rate(formula, arg, done);
  return node.rate;
}

}  // namespace

std::optional<NarrowedFormula> narrowed(const Formula& formula, const FormulaResult& result, const CellInputs& inputs, const ParameterSets& parameters,
                                        const std::vector<std::int64_t>& sets, const std::vector<Tensor>& elements) {
  if (result.type.quantized && !result.type.quantized->is_per_tensor()) return std::nullopt;
  NarrowedFormula out{.formula = formula};
  Formula& made = out.formula;
  made.geometry = {};
  made.geometry.cell_extents = {static_cast<std::int64_t>(sets.size())};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    made.geometry.cell_extents.push_back(elements[i].size());
    out.tensors.push_back(std::make_unique<Tensor>(elements[i]));
    Source& source = made.sources[inputs.cellwise[i]];
    source.tensor = out.tensors.back().get();
    source.access = along_coordinate(static_cast<int>(i) + 1, elements[i].size());
  }
  made.geometry.result_shape = made.geometry.cell_extents;
  for (const std::size_t number : inputs.parameters) {
    Source& source = made.sources[number];
    if (!take_sets(formula.sources[number], parameters, sets, source, out)) return std::nullopt;
    source.access = along_coordinate(0, static_cast<std::int64_t>(sets.size()));
  }
  std::vector<bool> done(made.nodes.size());
  set_rate(made, result.node, done);
  for (const FormulaRequire& requirement : made.requires_) set_rate(made, requirement.node, done);
  made.results = {result};
  made.results.front().type.shape = made.geometry.cell_extents;
  return out;
}

std::optional<NarrowedFormula> scalar_of(const Formula& formula, const FormulaResult& result, const CellInputs& inputs, const ParameterSets& parameters,
                                         std::int64_t set) {
  const Tensor& whole = *formula.sources[inputs.cellwise.front()].tensor;
  TensorType type{whole.element(), {1}, {}};
  if (whole.type().quantized && whole.type().quantized->is_per_tensor()) type.quantized = whole.type().quantized;
  auto one = Tensor::zeros(type);
  if (!one) return std::nullopt;
  std::optional<NarrowedFormula> out = narrowed(formula, result, inputs, parameters, {set}, {std::move(*one)});
  if (!out) return std::nullopt;
  Formula& made = out->formula;
  for (Source& source : made.sources) source.access = {};
  made.sources[inputs.cellwise.front()].name = varied_element;
  for (Node& node : made.nodes) node.rate = 0;
  made.geometry = {};
  made.results.front().type.shape = {};
  return out;
}

}  // namespace tiebreak
