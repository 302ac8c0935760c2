// SPDX-License-Identifier: Apache-2.0
// Removes the values that a rewritten program no longer uses.
#include "interpreter/program/is_read.hpp"

namespace tiebreak {

void drop_unused_values(Program& program) {
  constexpr ValueId unused = -1, used = 0;
  std::vector<ValueId> ids(program.values.size(), unused);
  const auto each = [&program](const auto& visit) {
    std::ranges::for_each(program.inputs, visit);
    std::ranges::for_each(program.outputs, visit);
    for (Operation& operation : program.operations) each_value(operation, visit);
  };
  each([&ids](ValueId id) {
    if (id >= 0) ids[static_cast<std::size_t>(id)] = used;
  });
  std::vector<ProgramValue> kept;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == unused) continue;
    ids[i] = static_cast<ValueId>(kept.size());
    kept.push_back(std::move(program.values[i]));
  }
  program.values = std::move(kept);
  each([&ids](ValueId& id) { id = id < 0 ? id : ids[static_cast<std::size_t>(id)]; });
}

}  // namespace tiebreak
