// SPDX-License-Identifier: Apache-2.0
// How a difference depends on the inputs: whether they lie half-way between whole numbers where a side rounds.
#include <algorithm>

#include "interpreter/formula/exact_evaluator.hpp"
#include "testsuite/equal/compare_elements.hpp"

namespace tiebreak {
namespace {

bool is_half(const Value& value) {
  if (!value.is_number() || !value.number().is_finite() || value.number().is_whole()) return false;
  return (value.number() * Real(2)).is_whole();
}

/// Only what the result asks for is evaluated: of a choice the branch that is taken.
bool meets_tie(const Formula& formula, ExactEvaluator& evaluator, NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::round_whole) {
    const auto value = evaluator.at(node.args[0]);
    if (value && is_half(*value)) return true;
  }
  if (node.op == NodeOp::conditional) {
    const auto condition = evaluator.at(node.args[0]);
    return condition && condition->is_truth() && meets_tie(formula, evaluator, node.args[condition->truth() ? 1 : 2]);
  }
  return std::ranges::any_of(node.args, [&](NodeId arg) { return meets_tie(formula, evaluator, arg); });
}

bool at_tie(const ElementFormula& whole, const ElementWitness& witness) {
  for (std::size_t i = 0; i < whole.leaves.size(); ++i) {
    const auto found = std::ranges::find(witness.inputs, whole.leaves[i], [](const auto& one) { return one.first; });
    if (found == witness.inputs.end()) return false;
    Tensor& element = *whole.elements[i];
    const std::uint64_t code = element.element().is_boolean() ? (found->second.is_zero() ? 0 : 1) : element.element().encode(found->second).value_or(0);
    element.set_code(0, code);
  }
  ExactEvaluator evaluator(whole.formula);
  evaluator.set_cell(0);
  return meets_tie(whole.formula, evaluator, whole.formula.results.front().node);
}

}  // namespace

TieCount ties_among(const ElementFormula& first, const ElementFormula& second, const std::vector<ElementWitness>& differing) {
  TieCount count;
  if (first.formula.nodes.size() + second.formula.nodes.size() > most_looked_through) return count;
  for (const ElementWitness& one : differing) {
    ++count.looked_at;
    count.first += at_tie(first, one) ? 1 : 0;
    count.second += at_tie(second, one) ? 1 : 0;
  }
  return count;
}

}  // namespace tiebreak
