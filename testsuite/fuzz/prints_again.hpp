// SPDX-License-Identifier: Apache-2.0
// What is read prints as MLIR, and the print reads back and prints the same; what is refused has a place.
#pragma once
#include <cstdlib>

#include "interpreter/program/program.hpp"

namespace tiebreak {

inline void expect_prints_again(const Result<ParsedMlir>& parsed) {
  if (!parsed) {
    if (parsed.error().what.empty() || parsed.error().where.empty()) std::abort();
    return;
  }
  for (const Program& program : parsed->functions) {
    const std::string printed = print_mlir(program);
    const auto again = parse_mlir(printed, "printed.mlir");
    if (!again || again->functions.size() != 1 || print_mlir(again->functions[0]) != printed) std::abort();
  }
}

}  // namespace tiebreak
