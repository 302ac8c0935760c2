// SPDX-License-Identifier: Apache-2.0
// The comments of the StableHLO specification, brought into the form that the MLIR reader knows: `// %result#0: VALUE`. Names lose
// a stray blank or get the '%' they lack, `%result0` becomes `%result#0` where the operation has `%result:2`, values for processes
// of a grid and for names that the example does not have are left out. Lines keep their numbers.
#pragma once
#include <string>
#include <vector>

namespace tiebreak {

struct ReadableExample {
  std::string text;
  bool process_grid = false;         ///< `%x@(0, 0): VALUE`: values of several processes
  bool has_operation = false;        ///< something that looks like an operation or a function
  std::vector<std::string> ops{};    ///< of operations in generic form and after `=`, as they look: stablehlo.add
  std::vector<std::string> notes{};  ///< what had to be guessed or left out
};
ReadableExample readable_example(const std::string& text);

}  // namespace tiebreak
