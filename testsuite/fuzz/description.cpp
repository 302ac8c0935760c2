// SPDX-License-Identifier: Apache-2.0
// Any text as an adapter's answer to `describe`: refused, or read and written so that it reads back and is written the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "testsuite/backends/description.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  const auto description = parse_description(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!description) {
    if (description.error().what.empty() || description.error().where.empty()) std::abort();
    return 0;
  }
  const std::string written = description_text(*description);
  const auto again = parse_description(written, "again");
  if (!again || description_text(*again) != written) std::abort();
  return 0;
}
