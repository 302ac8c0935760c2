// SPDX-License-Identifier: Apache-2.0
// Parts of programs, attributes and optional operands.
#include <algorithm>
#include <map>

#include "testsuite/harness/reduce_steps.hpp"

namespace tiebreak {
namespace {

/// What every value of the program is under the profile; nothing for those that cannot be known.
std::vector<std::optional<Tensor>> values_of(const Library& library, const Profile& profile, const Case& test) {
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

/// A program that takes over values of another one as they are needed.
class Window {
 public:
  Window(const Case& test, const std::vector<std::optional<Tensor>>& known) : test_(test), known_(known) {
    part_.id = test.id;
    part_.source = test.source;
    part_.description = test.description;
    part_.program.name = test.program.name;
    part_.program.file = test.program.file;
  }

  std::optional<Case> of(std::size_t first, std::size_t last) {
    const Program& program = test_.program;
    for (std::size_t i = first; i < last; ++i) {
      Operation operation = program.operations[i];
      for (ValueId& id : operation.operands)
        if (id >= 0 && !read(id)) return std::nullopt;
      for (Region& region : operation.regions)
        for (ValueId& id : region.captured)
          if (!read(id)) return std::nullopt;
      for (ValueId& id : operation.results)
        if (id >= 0) id = add(id, program.values[static_cast<std::size_t>(id)].type);
      if (i + 1 == last) part_.program.outputs = operation.results;
      part_.program.operations.push_back(std::move(operation));
    }
    return std::move(part_);
  }

 private:
  ValueId add(ValueId id, std::optional<TensorType> type) {
    const ProgramValue& value = test_.program.values[static_cast<std::size_t>(id)];
    part_.program.values.push_back({value.name, std::move(type), value.constant});
    return ids_[id] = static_cast<ValueId>(part_.program.values.size()) - 1;
  }

  /// Renames the value; one that is not there yet comes in as a constant or an input.
  bool read(ValueId& id) {
    if (auto found = ids_.find(id); found != ids_.end()) {
      id = found->second;
      return true;
    }
    auto place = static_cast<std::size_t>(id);
    bool is_constant = test_.program.values[place].constant.has_value();
    if (!is_constant && !known_[place]) return false;
    ValueId old = id;
    id = add(old, is_constant ? test_.program.values[place].type : std::optional(known_[place]->type()));
    if (is_constant) return true;
    part_.program.inputs.push_back(id);
    part_.inputs.push_back(*known_[place]);
    return true;
  }

  const Case& test_;
  const std::vector<std::optional<Tensor>>& known_;
  Case part_{};
  std::map<ValueId, ValueId> ids_{};
};

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

std::size_t cut_program(const Library& library, const Profile& profile, Questions& questions, const FailureKind& wanted, Case& test) {
  std::size_t count = test.program.operations.size();
  if (count < 2) return 0;
  const Case whole = test;
  const std::vector<std::optional<Tensor>> known = values_of(library, profile, whole);
  for (std::size_t size = 1; size < count && !questions.is_over(); ++size) {
    auto make = [&](std::size_t first) { return Window(whole, known).of(first, first + size); };
    if (questions.first_alike(count - size + 1, make, wanted, test)) return 1;
  }
  return 0;
}

std::size_t drop_parameters(Questions& questions, const FailureKind& wanted, Case& test) {
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
