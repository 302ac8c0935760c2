// SPDX-License-Identifier: Apache-2.0
// Any text as parameters of tensors: one error with its place, or a set that is written, read back and written the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/parameters/parameters.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  const auto set = parse_parameters(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!set) {
    if (set.error().what.empty() || !set.error().where.starts_with("fuzz.json")) std::abort();
    return 0;
  }
  for (const TensorParameters& each : set->tensors)
    if (set->find(each.tensor) != &each || (each.range && !(each.range->low <= each.range->high))) std::abort();
  const std::string written = parameters_json(*set);
  const auto again = parse_parameters(written, "again.json");
  if (!again || parameters_json(*again) != written) std::abort();
  return 0;
}
