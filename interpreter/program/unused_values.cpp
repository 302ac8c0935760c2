// SPDX-License-Identifier: Apache-2.0
// Removes the values that a rewritten program no longer uses.
#include "interpreter/program/program.hpp"

namespace tiebreak {

void drop_unused_values(Program& program) {
  constexpr ValueId unused = -1, used = 0;
  std::vector<ValueId> ids(program.values.size(), unused);
  const auto each_list = [&program](const auto& visit) {
    visit(program.inputs);
    visit(program.outputs);
    for (Operation& operation : program.operations) {
      visit(operation.operands);
      visit(operation.results);
      for (Region& region : operation.regions) visit(region.captured);
    }
  };
  each_list([&ids](const std::vector<ValueId>& list) {
    for (ValueId id : list) {
      if (id >= 0) ids[static_cast<std::size_t>(id)] = used;
    }
  });
  std::vector<ProgramValue> kept;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == unused) continue;
    ids[i] = static_cast<ValueId>(kept.size());
    kept.push_back(std::move(program.values[i]));
  }
  program.values = std::move(kept);
  each_list([&ids](std::vector<ValueId>& list) {
    for (ValueId& id : list) id = id < 0 ? id : ids[static_cast<std::size_t>(id)];
  });
}

}  // namespace tiebreak
