// SPDX-License-Identifier: Apache-2.0
#include "interpreter/program/is_read.hpp"

#include <algorithm>

namespace tiebreak {

bool is_read(const Program& program, ValueId id) {
  const auto has = [id](const std::vector<ValueId>& ids) { return std::ranges::find(ids, id) != ids.end(); };
  return has(program.outputs) || std::ranges::any_of(program.operations, [&](const Operation& operation) {
           return has(operation.operands) || std::ranges::any_of(operation.regions, [&](const Region& region) { return has(region.captured); });
         });
}

std::vector<ValueId> read_values(const Operation& operation) {
  std::vector<ValueId> read;
  const auto add = [&read](ValueId id) {
    if (id >= 0 && std::ranges::find(read, id) == read.end()) read.push_back(id);
  };
  std::ranges::for_each(operation.operands, add);
  for (const Region& region : operation.regions) std::ranges::for_each(region.captured, add);
  return read;
}

/// Of a rewritten program, which no longer uses them.
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
