// SPDX-License-Identifier: Apache-2.0
// Any text as a profile, and as the list of sources that profiles cite: read, or findings that say where. What is read is checked against
// the pages and inherits.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "interpreter/semantics/profile_loader.hpp"
#include "testsuite/fuzz/spec_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto sources = read_sources(text, "fuzz.json"); !sources) check_error(sources.error());
  std::vector<Error> findings;
  const std::optional<Profile> profile = read_profile(text, "fuzz.json", findings);
  if (!profile && findings.empty()) std::abort();
  if (profile) {
    check_profile(*profile, spec_folder(), std::set<std::string>{"tflite-common-h"}, findings);
    // Two of them, so that a profile can extend itself and another, and meet one of its own name.
    Profile child = *profile;
    child.name = "child";
    const auto inherited = inherit({*profile, child}, findings);
    if (!inherited.contains("reference")) std::abort();
  }
  for (const Error& finding : findings) check_error(finding);
  return 0;
}
