// SPDX-License-Identifier: Apache-2.0
// Any text as MLIR: read or refused. What is read prints, and the print reads back and prints the same.
#include <cstdint>
#include <string_view>

#include "interpreter/program/program.hpp"
#include "testsuite/fuzz/prints_again.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tiebreak::expect_prints_again(tiebreak::parse_mlir(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.mlir"));
  return 0;
}
