// SPDX-License-Identifier: Apache-2.0
// Any text as a page of a rewrite: its lines, formulas over parameters, its two programs, and the places where parameters stand.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/rewrite/rule_pattern.hpp"
#include "testsuite/rules/rule_page.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 13) return 0;  // longer texts are slow, not different
  const auto page = read_rule(std::string(reinterpret_cast<const char*>(data), size), "fuzz/rule", "rule.md");
  if (!page) {
    check_error(page.error());
    return 0;
  }
  if (page->sets() == 0) std::abort();
  const auto text = page->program_of(page->sets() - 1);
  if (!text) check_error(text.error());
  const auto patterns = patterns_of(*page);
  if (!patterns) check_error(patterns.error());
  else if (patterns->unusable.empty() == patterns->patterns.empty()) std::abort();
  return 0;
}
