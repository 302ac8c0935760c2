// SPDX-License-Identifier: Apache-2.0
// Operations that move codes, or choose among them: their results have the parameters of what they are moved from.
#include "interpreter/notation/walk.hpp"
#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {

void Recovery::pass_on(const notation::Op& op, const Operation& operation) {
  const notation::Structure* structure = notation::structure_of(op);
  if (structure == nullptr || operation.operands.empty() || operation.operands[0] < 0 || operation.results.size() != 1) return;
  const bool moves = structure->path.starts_with("move.") || structure->path.starts_with("window.");
  if (!moves || facts_.contains(operation.results[0])) return;
  ValueId from = operation.operands[0];
  if (const auto chain = chains_.find(from); chain != chains_.end()) {
    if (!chain->second.is_scaled && !chain->second.is_rounded) chains_[operation.results[0]] = chain->second;  // an accumulator that is moved
    return;
  }
  const auto found = facts_.find(from);
  const auto element = element_of(from), made = element_of(operation.results[0]);
  if (found == facts_.end() || found->second.stated || !element || !element->is_integer() || (made && !made->is_integer())) return;
  CodeFacts copy = found->second;
  copy.real = -1;
  copy.calibrated.reset();
  copy.op = operation.op;
  copy.place = operation.where;
  copy.from = "same as: " + tensor_name(from, found->second);
  if (copy.scales.size() > 1 || copy.zero_points.size() > 1)
    copy.why_no_axis = "the axis of " + tensor_name(from, found->second) + " is moved by " + operation.op;
  if (copy.scales.empty()) copy.why_no_scale = "that of " + tensor_name(from, found->second) + " is lost";
  elements_.emplace(operation.results[0], *element);
  facts_.emplace(operation.results[0], std::move(copy));
}

}  // namespace tiebreak::recover
