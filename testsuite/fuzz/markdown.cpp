// SPDX-License-Identifier: Apache-2.0
// Any Markdown text, as `spec verify` takes it: cut into examples that lie inside the text, each of which is read and executed, or says
// why not.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/examples/comment_conventions.hpp"
#include "testsuite/examples/example_verify.hpp"
#include "testsuite/fuzz/spec_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  for (const MarkdownExample& example : markdown_examples(text)) {
    if (example.first_line < 1 || example.line < example.first_line || example.line > lines + 1) std::abort();
    const std::string readable = readable_example(example.text).text;
    if (std::count(readable.begin(), readable.end(), '\n') != std::count(example.text.begin(), example.text.end(), '\n')) std::abort();
  }
  const auto answers = verify_markdown(spec_folder(), "reference", "fuzz.md", text);
  if (!answers) std::abort();  // only a defect of Tiebreak ends the whole text
  return 0;
}
