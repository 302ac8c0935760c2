// SPDX-License-Identifier: Apache-2.0
// Any text as Relay: read or refused with a place. What is read prints as MLIR, and the print reads back and prints the same.
#include "interpreter/relay/relay.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "interpreter/program/program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = tiebreak::parse_relay(text, "fuzz.relay");
  static_cast<void>(tiebreak::parse_relay_functions(text, "fuzz.relay"));
  if (!parsed) {
    if (parsed.error().what.empty() || parsed.error().where.empty()) std::abort();
    return 0;
  }
  for (const tiebreak::Program& program : parsed->functions) {
    const std::string printed = tiebreak::print_mlir(program);
    const auto again = tiebreak::parse_mlir(printed, "printed.mlir");
    if (!again || again->functions.size() != 1 || tiebreak::print_mlir(again->functions[0]) != printed) std::abort();
  }
  return 0;
}
