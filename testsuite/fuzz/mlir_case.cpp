// SPDX-License-Identifier: Apache-2.0
// Any text as an MLIR file of cases: values of inputs and results in comments, and the conventions of other projects' tests.
#include <cstdint>
#include <string>

#include "testsuite/fuzz/check_cases.hpp"
#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/sources/case_readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  static InputFile file("cases.mlir");
  check_cases(read_program_cases(file.holding(data, size), {}));
  return 0;
}
