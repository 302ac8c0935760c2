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

}  // namespace tiebreak
