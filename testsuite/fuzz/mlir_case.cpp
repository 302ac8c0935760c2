// SPDX-License-Identifier: Apache-2.0
// Any text as an MLIR file of cases: values of inputs and results in comments, and the conventions of other projects' tests.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/harness/case_readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  static InputFile file("cases.mlir");
  const auto cases = read_mlir_cases(file.holding(data, size), {});
  if (!cases) {
    check_error(cases.error());
    return 0;
  }
  for (const Case& one : *cases)
    if (one.id.empty() || (!one.unusable && one.inputs.size() != one.program.inputs.size())) std::abort();
  return 0;
}
