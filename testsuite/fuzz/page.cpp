// SPDX-License-Identifier: Apache-2.0
// Any text as a page of the spec folder: blocks, formulas and examples, checked against the pages that there are.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/page_loader.hpp"
#include "testsuite/fuzz/spec_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto page = read_page(text, "fuzz.Page", "fuzz.md");
  if (!page) check_error(page.error());
  if (!page || !*page) return 0;
  const notation::Module& own = (*page)->module;
  notation::check_module(own, [&](const std::string& name) { return name == own.name ? &own : spec_folder().find_module(name); });
  for (const Example& example : (*page)->examples)
    if (example.line < 1) std::abort();
  return 0;
}
