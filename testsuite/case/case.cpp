// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/case.hpp"

#include <algorithm>

#include "testsuite/text/text_parts.hpp"

namespace tiebreak {

std::vector<std::string> ops_of(const Program& program) {
  std::vector<std::string> ops;
  for (const Operation& operation : program.operations)
    if (std::ranges::find(ops, operation.op) == ops.end()) ops.push_back(operation.op);
  return ops;
}

std::set<std::string> ops_with_regions(const Program& program) {
  std::set<std::string> ops;
  for (const Operation& operation : program.operations) {
    ops.insert(operation.op);
    for (const Region& region : operation.regions) ops.merge(ops_with_regions(region.program));
  }
  return ops;
}

std::string op_names(const Program& program) {
  const std::vector<std::string> ops = ops_of(program);
  return ops.empty() || ops.size() > 4 ? "program" : joined_words(ops, "+");
}

std::int64_t input_elements(const Case& test) {
  std::int64_t count = 0;
  for (const Tensor& input : test.inputs) count += input.size();
  return count;
}

}  // namespace tiebreak
