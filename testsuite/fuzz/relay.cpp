// SPDX-License-Identifier: Apache-2.0
// Any text as Relay: read or refused with a place. What is read prints as MLIR, and the print reads back and prints the same.
#include "interpreter/relay/relay.hpp"

#include <cstdint>
#include <string_view>

#include "testsuite/fuzz/prints_again.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(tiebreak::parse_relay_functions(text, "fuzz.relay"));
  tiebreak::expect_prints_again(tiebreak::parse_relay(text, "fuzz.relay"));
  return 0;
}
