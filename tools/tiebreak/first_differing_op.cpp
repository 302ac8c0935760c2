// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/first_differing_op.hpp"

#include <algorithm>
#include <set>

#include "testsuite/candidates/probe_set.hpp"

namespace tiebreak::command {
namespace {

/// The operations that lead to a value, in the order of the program.
std::vector<std::size_t> leading_to(const Program& program, ValueId wanted) {
  std::set<ValueId> needed{wanted};
  std::vector<std::size_t> operations;
  for (std::size_t i = program.operations.size(); i-- > 0;) {
    const Operation& operation = program.operations[i];
    if (std::ranges::none_of(operation.results, [&](ValueId id) { return needed.contains(id); })) continue;
    needed.insert(operation.operands.begin(), operation.operands.end());
    for (const Region& region : operation.regions) needed.insert(region.captured.begin(), region.captured.end());
    operations.push_back(i);
  }
  std::ranges::reverse(operations);
  return operations;
}

}  // namespace

Result<std::optional<DifferingOp>> first_differing_op(const Library& library, const Profile& first, const Profile& second, const Case& test, std::size_t output,
                                                      std::int64_t element) {
  const ValueId wanted = test.program.outputs[output];
  Program all = test.program;
  all.outputs.clear();
  std::vector<std::pair<std::size_t, std::size_t>> places;  // operation, result
  for (std::size_t operation : leading_to(test.program, wanted))
    for (std::size_t result = 0; result < all.operations[operation].results.size(); ++result) {
      if (all.operations[operation].results[result] < 0) continue;
      all.outputs.push_back(all.operations[operation].results[result]);
      places.emplace_back(operation, result);
    }
  TIEBREAK_TRY(own, evaluate({library, first}, all, test.inputs));
  TIEBREAK_TRY(other, evaluate({library, second}, all, test.inputs));
  const auto asked = std::ranges::find(all.outputs, wanted);
  const Shape asked_shape = asked == all.outputs.end() ? Shape{} : own[static_cast<std::size_t>(asked - all.outputs.begin())].tensor.shape();
  for (std::size_t k = 0; k < places.size() && k < own.size() && k < other.size(); ++k) {
    const Outcomes a = outcomes_of(own[k].tensor, own[k].undefined), b = outcomes_of(other[k].tensor, other[k].undefined);
    DifferingOp parting{places[k].first, places[k].second, -1, own[k].name, own[k].tensor.shape(), 0, own[k].tensor.size()};
    const auto differs = [&](std::size_t i) {
      return i < a.size() && i < b.size() && (a.undefined[i] != b.undefined[i] || (a.undefined[i] == 0 && a.codes[i] != b.codes[i]));
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!differs(i)) continue;
      ++parting.differing;
      if (parting.element < 0) parting.element = static_cast<std::int64_t>(i);
    }
    if (parting.differing == 0) continue;
    if (parting.shape == asked_shape && differs(static_cast<std::size_t>(element))) parting.element = element;
    return std::optional(std::move(parting));
  }
  return std::optional<DifferingOp>();
}

}  // namespace tiebreak::command
