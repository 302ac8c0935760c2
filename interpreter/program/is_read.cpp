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

}  // namespace tiebreak
