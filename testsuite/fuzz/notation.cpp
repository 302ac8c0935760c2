// SPDX-License-Identifier: Apache-2.0
// Any text is read or refused; what is read prints to text that reads as the same tree and prints the same; the checker takes every tree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/same_tree.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak::notation;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  const auto module = parse_module(text, "fuzz", "fuzz.md");
  if (!module) return 0;
  const std::string printed = print(*module);
  const auto again = parse_module(printed, "fuzz", "fuzz.md");
  if (!again || !same_tree(*module, *again) || print(*again) != printed) std::abort();
  check_module(*module, [&](const std::string& name) { return name == module->name ? &*module : nullptr; });
  return 0;
}
