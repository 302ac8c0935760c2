// SPDX-License-Identifier: Apache-2.0
// One side of a comparison at the inputs that tell the programs apart: every operation's result, and the number that enters the last rounding.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/ranges/last_rounding.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest_value = 60;

std::vector<Tensor> with_witness(std::vector<Tensor> inputs, const std::vector<InputRole>& roles, const ElementWitness& witness) {
  for (const auto& [leaf, value] : witness.inputs) {
    Tensor& tensor = inputs[leaf.input];
    const std::uint64_t code = tensor.element().is_boolean() ? (value.is_zero() ? 0 : 1) : tensor.element().encode(value).value_or(0);
    if (roles[leaf.input] != InputRole::shared) tensor.set_code(leaf.element, code);
    else
      for (std::int64_t e = 0; e < tensor.size(); ++e) tensor.set_code(e, code);
  }
  return inputs;
}

std::string shortened(std::string text) {
  if (text.size() <= longest_value) return text;
  return text.substr(0, longest_value - 4) + " ...";
}

std::string page_place(const Library& library, const std::string& op) {
  const auto place = library.op_place(op);
  return place ? fmt::format("  ({}:{})", place->page->file, place->op->at.line) : "";
}

std::vector<std::string> steps_of(const ProgramSide& side, const std::vector<ReachedCall>& calls) {
  std::vector<std::string> steps;
  for (std::size_t o = 0; o < calls.size(); ++o) {
    const Operation& operation = side.program.operations[o];
    for (std::size_t r = 0; r < operation.results.size() && r < calls[o].results.size(); ++r) {
      const ResultTensor& result = calls[o].results[r];
      steps.push_back(fmt::format("{} = {}: {}{}", operation.results[r] < 0 ? "_" : bare_name(side.program, operation.results[r]), operation.op,
                                  shortened(tensor_text(result.tensor, result.undefined)), page_place(side.library, operation.op)));
    }
  }
  return steps;
}

/// The node that rounds last, for its text and place.
const Node* rounding_node(const Formula& formula, NodeId id, const LastRounding& last) {
  const Node& node = formula[id];
  const bool whole = node.op == NodeOp::round_whole && last.format == nullptr && node.rounding == last.rounding;
  const bool to_float = node.op == NodeOp::round_float && last.format == node.format && node.rounding == last.rounding;
  if (whole || to_float) return &node;
  for (const NodeId arg : node.args)
    if (const Node* found = rounding_node(formula, arg, last)) return found;
  return nullptr;
}

/// What enters the last rounding of the element's formula: "" where it has no formula, or rounds nothing.
std::string rounding_of(const ProgramFormulas& formulas, const std::vector<Tensor>& inputs, const WitnessAt& at) {
  auto whole = formulas.element(at.output, at.element);
  if (!whole) return "";
  for (std::size_t i = 0; i < whole->leaves.size(); ++i) whole->elements[i]->set_code(0, inputs[whole->leaves[i].input].code(whole->leaves[i].element));
  const NodeId root = whole->formula.results.front().node;
  const LastRounding last = last_rounding(whole->formula, root);
  if (!last.found) return "";
  const Node* rounding = rounding_node(whole->formula, root, last);
  ExactEvaluator evaluator(whole->formula);
  evaluator.set_cell(0);
  const auto value = evaluator.at(last.node);
  if (!value || !value->is_number()) return "";
  const std::string text = fmt::format("{} enters the last rounding", value_text(value->number()));
  return rounding == nullptr || rounding->file.empty() ? text : text + fmt::format(", {}  ({}:{})", rounding->text, rounding->file, rounding->place.line);
}

std::string command_of(const ProgramSide& side, const std::vector<Tensor>& inputs) {
  std::string text;
  if (!side.rules.empty()) {
    text = "tiebreak rewrite " + side.name;
    for (const std::string& glob : side.rules) text += " --rules '" + glob + "'";
    text += " -o rewritten.mlir && ";
  }
  text += "tiebreak eval " + (side.rules.empty() ? side.name : "rewritten.mlir");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text += fmt::format(" --input '{}={}:{}'", bare_name(side.program, side.program.inputs[i]), tensor_text(inputs[i]), to_text(inputs[i].type()));
  return side.profile.name == "reference" ? text : text + " --profile " + side.profile.name;
}

}  // namespace

Result<WitnessSide> side_at(const ProgramSide& side, const std::vector<Tensor>& inputs, const std::vector<InputRole>& roles, const WitnessAt& at) {
  const std::vector<Tensor> there = with_witness(inputs, roles, at.witness);
  TIEBREAK_TRY(formulas, ProgramFormulas::bind(side.semantics(), side.program, there, roles));
  return WitnessSide{steps_of(side, formulas.calls()), rounding_of(formulas, there, at), command_of(side, there)};
}

}  // namespace tiebreak
