// SPDX-License-Identifier: Apache-2.0
// Any text as a file of cases, or as one of the tables that other projects publish: cases with a value for each input, or one error.
#include <cstdint>
#include <string>

#include "testsuite/fuzz/check_cases.hpp"
#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/sources/case_readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  static InputFile file("cases.json");
  check_cases(read_case_file(spec_folder(), file.holding(data, size), {}, 0, {}));
  return 0;
}
