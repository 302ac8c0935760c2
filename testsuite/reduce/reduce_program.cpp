// SPDX-License-Identifier: Apache-2.0
// Parts of programs, attributes and optional operands.
#include <algorithm>

#include "testsuite/case/program_part.hpp"
#include "testsuite/reduce/reduce_steps.hpp"

namespace tiebreak {
namespace {

/// What every value of the program is under the profile; nothing for those that cannot be known.
std::vector<std::optional<Tensor>> known_values(const Library& library, const Profile& profile, const Case& test) {
  std::vector<std::optional<Tensor>> known(test.program.values.size());
  for (std::size_t i = 0; i < test.inputs.size(); ++i) known[static_cast<std::size_t>(test.program.inputs[i])] = test.inputs[i];
  Program all = test.program;
  all.outputs.clear();
  for (const Operation& operation : all.operations)
    for (ValueId id : operation.results)
      if (id >= 0) all.outputs.push_back(id);
  Result<std::vector<ResultTensor>> results = evaluate(library, profile, all, test.inputs);
  for (std::size_t i = 0; results && i < results->size(); ++i)
    if ((*results)[i].undefined.empty()) known[static_cast<std::size_t>(all.outputs[i])] = (*results)[i].tensor;
  return known;
}

/// Without an input: the operand is absent where it stood.
Case without_input(const Case& test, std::size_t input) {
  Case smaller = test;
  ValueId gone = smaller.program.inputs[input];
  smaller.program.inputs.erase(smaller.program.inputs.begin() + static_cast<std::ptrdiff_t>(input));
  smaller.inputs.erase(smaller.inputs.begin() + static_cast<std::ptrdiff_t>(input));
  for (Operation& operation : smaller.program.operations) {
    std::ranges::replace(operation.operands, gone, ValueId{-1});
    while (!operation.operands.empty() && operation.operands.back() == -1) operation.operands.pop_back();
  }
  auto earlier = [gone](ValueId& id) {
    if (id > gone) --id;
  };
  smaller.program.values.erase(smaller.program.values.begin() + gone);
  for (auto* ids : {&smaller.program.inputs, &smaller.program.outputs}) std::ranges::for_each(*ids, earlier);
  for (Operation& operation : smaller.program.operations) {
    for (auto* ids : {&operation.operands, &operation.results}) std::ranges::for_each(*ids, earlier);
    for (Region& region : operation.regions) std::ranges::for_each(region.captured, earlier);
  }
  return smaller;
}

/// Whether an input only stands where an operand may be absent, as far as the program tells: no region takes it, no result is it.
bool may_be_absent(const Case& test, std::size_t input) {
  ValueId id = test.program.inputs[input];
  if (std::ranges::find(test.program.outputs, id) != test.program.outputs.end()) return false;
  for (const Operation& operation : test.program.operations)
    for (const Region& region : operation.regions)
      if (std::ranges::find(region.captured, id) != region.captured.end()) return false;
  return true;
}

}  // namespace

std::size_t cut_program(const Library& library, const Profile& profile, ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::size_t count = test.program.operations.size();
  if (count < 2) return 0;
  const Case whole = test;
  const std::vector<std::optional<Tensor>> known = known_values(library, profile, whole);
  for (std::size_t size = 1; size < count && !questions.is_over(); ++size) {
    auto make = [&](std::size_t first) { return part_of(whole, known, first, first + size); };
    if (questions.first_alike(count - size + 1, make, wanted, test)) return 1;
  }
  return 0;
}

std::size_t drop_parameters(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::size_t steps = 0;
  for (bool changed = true; changed && !questions.is_over();) {
    std::vector<Case> candidates;
    for (std::size_t i = 0; i < test.program.operations.size(); ++i)
      for (const auto& [name, attribute] : test.program.operations[i].attributes) {
        candidates.push_back(test);
        candidates.back().program.operations[i].attributes.erase(name);
      }
    for (std::size_t input = 0; input < test.inputs.size(); ++input)
      if (may_be_absent(test, input)) candidates.push_back(without_input(test, input));
    auto make = [&](std::size_t place) { return std::optional(candidates[place]); };
    changed = questions.first_alike(candidates.size(), make, wanted, test).has_value();
    steps += changed ? 1 : 0;
  }
  return steps;
}

}  // namespace tiebreak
