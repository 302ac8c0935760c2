// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/markdown_examples.hpp"

#include <cstddef>
#include <utility>

#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

/// The backticks or tildes that a line starts with: three or more, else none.
std::string_view fence_of(std::string_view line) {
  const std::string_view text = trimmed_line(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {};
  const std::size_t end = std::min(text.find_first_not_of(text[0]), text.size());
  return end >= 3 ? text.substr(0, end) : std::string_view{};
}

std::string_view word_after(std::string_view line, std::size_t fence) {
  const std::string_view text = trimmed_line(trimmed_line(line).substr(fence));
  return text.substr(0, text.find_first_of(" \t{,"));
}

class ExampleReader {
 public:
  void take(std::string_view line) {
    ++line_;
    const std::string_view fence = fence_of(line);
    const bool closes = !open_.empty() && fence.size() >= open_.size() && fence[0] == open_[0] && word_after(line, fence.size()).empty();
    if (open_.empty() && !fence.empty()) {
      open_ = std::string(fence);
      wanted_ = word_after(line, fence.size()) == "mlir";
      if (wanted_) begin();
    } else if (closes) {
      open_.clear();
      wanted_ = false;
    } else if (wanted_) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      blocks.back().text.append(line).append("\n");
    } else if (open_.empty()) {
      heading(line);
    }
  }

  std::vector<MarkdownExample> blocks{};

 private:
  void begin() {
    MarkdownExample block;
    block.block = static_cast<int>(blocks.size()) + 1;
    block.first_line = block.line = line_ + 1;
    for (const auto& [depth, title] : headings_) block.headings.push_back(title);
    blocks.push_back(std::move(block));
  }

  void heading(std::string_view line) {
    std::size_t depth = 0;
    while (depth < line.size() && line[depth] == '#') ++depth;
    if (depth == 0 || depth > 6 || depth >= line.size() || line[depth] != ' ') return;
    while (!headings_.empty() && headings_.back().first >= depth) headings_.pop_back();
    headings_.emplace_back(depth, std::string(trimmed_line(line.substr(depth))));
  }

  std::vector<std::pair<std::size_t, std::string>> headings_{};
  std::string open_{};  ///< the fence that is open
  bool wanted_ = false;
  int line_ = 0;
};

}  // namespace

std::vector<MarkdownExample> markdown_examples(std::string_view markdown) {
  ExampleReader reader;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    reader.take(markdown.substr(0, end));
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
  }
  std::vector<MarkdownExample> examples;
  for (const MarkdownExample& block : reader.blocks) {
    for (MarkdownExample& part : split_block(block)) examples.push_back(std::move(part));
  }
  return examples;
}

}  // namespace tiebreak
