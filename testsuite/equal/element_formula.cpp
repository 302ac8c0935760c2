// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/element_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "interpreter/formula/operand_sources.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/ranges/accumulator.hpp"
#include "testsuite/equal/cell_unroller.hpp"
#include "testsuite/equal/program_parts.hpp"

namespace tiebreak {
namespace {

/// Whether some result, or a requirement, depends on elements of the operand.
bool reads_operand(const Formula& formula, const std::vector<int>& operand_of, int operand) {
  std::set<std::string> names;
  for (const FormulaResult& result : formula.results) names.merge(sources_below(formula, result.node));
  for (const FormulaRequire& requirement : formula.requires_) names.merge(sources_below(formula, requirement.node));
  for (std::size_t s = 0; s < operand_of.size(); ++s)
    if (operand_of[s] == operand && names.contains(formula.sources[s].name)) return true;
  return false;
}

/// An integer has one zero: a tensor keeps no sign of it.
NodeId as_stored(Formula& formula, NodeId node, const ElementType& type) {
  if (!type.is_integer() || formula[node].integer || formula[node].truth || formula.is_constant(node)) return node;
  Node sum;
  sum.op = NodeOp::add;
  sum.integer = true;
  sum.args = {node, formula.constant(Real(0), true)};
  sum.text = formula[node].text;
  return formula.add(std::move(sum));
}

}  // namespace

/// An operand that varies must be read element by element: what steers places, shapes or an earlier stage is no leaf of a formula.
Status ProgramFormulas::Parts::places_do_not_vary(const Operation& operation, const BoundOperation& bound) const {
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    const ValueId id = operation.operands[i];
    if (id < 0 || varies[static_cast<std::size_t>(id)] == 0) continue;
    for (std::size_t f = 0; f < bound.formulas.size(); ++f) {
      if (!reads_operand(bound.formulas[f], bound.operand_of[f], static_cast<int>(i)))
        return fail(Errc::unsupported, fmt::format("{}: operand {} varies, and no formula reads it: it may say where elements lie", operation.op, i),
                    operation.where);
      if (!bound.formulas[f].stages.empty())
        return fail(Errc::unsupported, operation.op + ": the page applies another op to the whole of an operand", operation.where);
    }
  }
  return {};
}

void ProgramFormulas::Parts::bind_operation(const Semantics& semantics, std::size_t number) {
  const Operation& operation = program->operations[number];
  BoundOperation& bound = operations[number];
  const auto give_up = [&](Error error) { bound.unusable = std::move(error); };
  const auto place = semantics.library.find_op(operation.op);
  if (!place) return give_up(place.error());
  if (notation::is_run(*place->op))
    return give_up({Errc::unsupported, operation.op + ": an op that runs regions is no formula of single elements", operation.where});
  const OpCall& call = reached[number].call;
  const bool parts = gives_parts(*place->op) && call.result_types.size() > 1;
  const std::size_t count = parts ? call.result_types.size() : 1;
  bound.calls.reserve(count);
  for (std::size_t p = 0; p < count; ++p) {
    const ResultPart part{parts ? p : 0, count};
    bound.calls.push_back(parts ? call_of_part(call, part) : call);
    auto formula = tiebreak::bind(semantics, bound.calls.back(), parts ? part : ResultPart{});
    if (!formula) return give_up(formula.error());
    bound.operand_of.push_back(operands_of_sources(*formula, bound.calls.back()));
    bound.formulas.push_back(*std::move(formula));
  }
  if (const Status fixed = places_do_not_vary(operation, bound); !fixed) give_up(fixed.error());
}

ProgramFormulas::ProgramFormulas(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ProgramFormulas::ProgramFormulas(ProgramFormulas&&) noexcept = default;
ProgramFormulas::~ProgramFormulas() = default;
const TensorType& ProgramFormulas::output_type(std::size_t output) const { return parts_->output_types[output]; }
const TensorType& ProgramFormulas::type_of(ValueId value) const { return parts_->types[static_cast<std::size_t>(value)]; }
const std::vector<ReachedCall>& ProgramFormulas::calls() const { return parts_->reached; }
bool ProgramFormulas::holds_for_all_values(std::size_t operation) const { return !parts_->operations[operation].unusable; }

Result<ProgramFormulas> ProgramFormulas::bind(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs,
                                              const std::vector<InputRole>& roles) {
  auto parts = std::make_unique<Parts>();
  parts->roles = roles;
  parts->stop = semantics.library.stop();
  parts->program = &program;
  TIEBREAK_TRY(reached, reach_calls(semantics, program, inputs));
  parts->reached = std::move(reached);
  const std::size_t values = program.values.size();
  parts->producers.resize(values);
  parts->input_of.resize(values);
  parts->constants.resize(values);
  parts->varies.resize(values);
  std::vector<TensorType>& types = parts->types;
  types.resize(values);
  for (std::size_t v = 0; v < values; ++v)
    if (program.values[v].constant) types[v] = program.values[v].constant->type(), parts->constants[v] = program.values[v].constant;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto v = static_cast<std::size_t>(program.inputs[i]);
    types[v] = inputs[i].type();
    parts->input_types.push_back(inputs[i].type());
    if (roles[i] == InputRole::fixed) parts->constants[v] = inputs[i];
    else parts->input_of[v] = i, parts->varies[v] = 1;
  }
  parts->operations.resize(program.operations.size());
  for (std::size_t o = 0; o < program.operations.size(); ++o) {
    const Operation& operation = program.operations[o];
    const bool varies = std::ranges::any_of(operation.operands, [&](ValueId id) { return id >= 0 && parts->varies[static_cast<std::size_t>(id)] != 0; });
    for (std::size_t r = 0; r < operation.results.size(); ++r) {
      if (operation.results[r] < 0 || r >= parts->reached[o].results.size()) continue;
      const auto v = static_cast<std::size_t>(operation.results[r]);
      types[v] = parts->reached[o].results[r].tensor.type();
      parts->producers[v] = Parts::Producer{o, r};
      parts->varies[v] = varies || !operation.regions.empty() ? 1 : 0;
    }
    parts->bind_operation(semantics, o);
  }
  for (const ValueId id : program.outputs) parts->output_types.push_back(types[static_cast<std::size_t>(id)]);
  return ProgramFormulas(std::move(parts));
}

namespace {

/// Puts the formulas of a program together, from a result back to the leaves.
class Composer {
 public:
  Composer(const ProgramFormulas::Parts& parts, const Cuts& cuts, ElementFormula& into) : parts_(parts), cuts_(cuts), into_(into) {}

  Result<NodeId> value(ValueId id, std::int64_t element) {
    const auto v = static_cast<std::size_t>(id);
    if (parts_.constants[v]) return constant(*parts_.constants[v], element);
    if (const auto input = parts_.input_of[v]) return leaf({*input, parts_.roles[*input] == InputRole::shared ? 0 : element});
    if (const auto cut = cuts_.number.find(id); cut != cuts_.number.end()) return leaf({parts_.input_types.size() + cut->second, element});
    if (!parts_.producers[v]) return fail(Errc::type, "a value is used before it is computed", parts_.program->file);
    return computed(*parts_.producers[v], element);
  }

 private:
  NodeId constant(const Tensor& tensor, std::int64_t element) {
    const Real value = tensor.value(element);
    return tensor.element().is_boolean() ? into_.formula.constant(Value(!value.is_zero())) : into_.formula.constant(value, tensor.element().is_integer());
  }

  Result<NodeId> leaf(const Leaf& wanted) {
    const auto found = std::ranges::find(into_.leaves, wanted);
    const auto source = static_cast<std::size_t>(found - into_.leaves.begin());
    const std::size_t inputs = parts_.input_types.size();
    TensorType type = wanted.input < inputs ? parts_.input_types[wanted.input] : cuts_.types[wanted.input - inputs];
    if (type.quantized && !type.quantized->is_per_tensor()) return fail(Errc::unsupported, "an input that is quantized by axis is no single number");
    if (found == into_.leaves.end()) {
      type.shape.clear();
      TIEBREAK_TRY(tensor, Tensor::zeros(type));
      into_.leaves.push_back(wanted);
      into_.elements.push_back(std::make_shared<Tensor>(std::move(tensor)));
      Source made{.name = fmt::format("{}[{}]", wanted.input, wanted.element)};
      made.tensor = into_.elements.back().get();
      made.integer = type.element.is_integer();
      into_.formula.sources.push_back(std::move(made));
    }
    Node node;
    node.op = NodeOp::element;
    node.source = static_cast<int>(source);
    node.integer = type.element.is_integer();
    node.truth = type.element.is_boolean();
    node.rate = 1;  // a column has a cell for each input
    node.text = into_.formula.sources[source].name;
    return into_.formula.add(std::move(node));
  }

  /// Where a requirement of the op does not hold, its result is undefined.
  Result<NodeId> required(const Formula& formula, CellUnroller& cell, NodeId value) {
    for (const FormulaRequire& requirement : formula.requires_) {
      TIEBREAK_TRY(held, cell.at(requirement.node));
      if (into_.formula.is_constant(held)) {
        const Value& known = into_.formula[held].constant;
        if (!known.is_truth() || !known.truth()) return into_.formula.constant(Value());
        continue;
      }
      Node guarded;
      guarded.op = NodeOp::conditional;
      guarded.integer = into_.formula[value].integer;
      guarded.truth = into_.formula[value].truth;
      guarded.args = {held, value, into_.formula.constant(Value())};
      guarded.text = requirement.label;
      value = into_.formula.add(std::move(guarded));
    }
    return value;
  }

  Result<NodeId> computed(const ProgramFormulas::Parts::Producer& producer, std::int64_t element) {
    const ProgramFormulas::Parts::BoundOperation& operation = parts_.operations[producer.operation];
    if (operation.unusable) return tl::unexpected<Error>(*operation.unusable);
    const bool parts = operation.formulas.size() > 1;
    const std::size_t part = parts ? producer.result : 0;
    const Formula& formula = operation.formulas[part];
    const FormulaResult& result = formula.results[parts ? 0 : producer.result];
    if (result.per_item) return fail(Errc::unsupported, formula.op + ": a result by rows sees all of its row", operation.calls[part].where);
    const std::int64_t cell = result.single ? 0 : element;
    TIEBREAK_TRY(unroller, unroller_of(producer.operation, part, cell));
    TIEBREAK_TRY(value, unroller->at(result.node));
    TIEBREAK_TRY(held, required(formula, *unroller, value));
    return as_stored(into_.formula, held, result.type.element);
  }

  Result<CellUnroller*> unroller_of(std::size_t operation, std::size_t part, std::int64_t cell) {
    const auto [found, fresh] = cells_.try_emplace({operation, part, cell});
    if (!fresh) return found->second.get();
    const std::vector<int>& operands = parts_.operations[operation].operand_of[part];
    const Formula& formula = parts_.operations[operation].formulas[part];
    const auto read = [this, operation, &operands, &formula](int source, std::int64_t offset) -> Result<NodeId> {
      const int operand = operands[static_cast<std::size_t>(source)];
      if (operand >= 0) return value(parts_.program->operations[operation].operands[static_cast<std::size_t>(operand)], offset);
      return constant(*formula.sources[static_cast<std::size_t>(source)].tensor, offset);
    };
    found->second = std::make_unique<CellUnroller>(formula, into_.formula, cell, read, longest_formula);
    return found->second.get();
  }

  const ProgramFormulas::Parts& parts_;
  const Cuts& cuts_;
  ElementFormula& into_;
  std::map<std::tuple<std::size_t, std::size_t, std::int64_t>, std::unique_ptr<CellUnroller>> cells_{};
};

}  // namespace

Result<ElementFormula> ProgramFormulas::element(std::size_t output, std::int64_t element) const {
  return element_of(parts_->program->outputs[output], element, {});
}

Result<ElementFormula> ProgramFormulas::element_of(ValueId value, std::int64_t element, const Cuts& cuts) const {
  ElementFormula made;
  made.formula.op = "the program";
  made.formula.stop = parts_->stop;
  made.formula.geometry.cell_extents = {1};
  made.formula.geometry.result_shape = {1};
  Composer composer(*parts_, cuts, made);
  TIEBREAK_TRY(root, composer.value(value, element));
  TensorType type = parts_->types[static_cast<std::size_t>(value)];
  if (type.quantized && !type.quantized->is_per_tensor()) type.quantized.reset();
  type.shape = {1};
  made.formula.results.push_back({.name = "result", .node = root, .type = std::move(type)});
  return made;
}

Result<ResultTensor> evaluate_columns(const ElementFormula& formula, const std::map<Leaf, Tensor>& columns, std::int64_t count) {
  Formula run = formula.formula;
  run.geometry.cell_extents = {count};
  run.geometry.result_shape = {count};
  for (std::size_t i = 0; i < formula.leaves.size(); ++i) {
    run.sources[i].tensor = &columns.at(formula.leaves[i]);
    run.sources[i].access = make_access({count}, {Affine{.base = 0, .cell = {{0, 1}}, .item = {}}});
  }
  run.results.front().type.shape = {count};
  const OpCall call{.op = run.op};
  TIEBREAK_TRY(results, run_formula(run, call));
  return std::move(results.front());
}

}  // namespace tiebreak
