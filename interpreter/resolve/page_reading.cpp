// SPDX-License-Identifier: Apache-2.0
#include "interpreter/resolve/page_reading.hpp"

#include <algorithm>

#include "interpreter/resolve/resolved_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t reading_width = 140;
const std::string reading_fence = "```resolved\n", fence_end = "```\n";

struct ReadingBlock {
  std::size_t begin, text, text_end, end;
};

/// What a page says once, in its formulas: the head has what is computed. Of several ops each has its header there.
bool stands_below(LineKind kind, bool several) {
  return kind == LineKind::types || kind == LineKind::structure || kind == LineKind::constraint || (kind == LineKind::header && !several);
}

/// Where the block stands in the page.
std::optional<ReadingBlock> block_in(const std::string& markdown) {
  std::size_t begin = markdown.starts_with(reading_fence) ? 0 : markdown.find("\n" + reading_fence);
  if (begin == std::string::npos) return std::nullopt;
  if (begin > 0) ++begin;
  const std::size_t text = begin + reading_fence.size();
  const std::size_t end = markdown.compare(text, fence_end.size(), fence_end) == 0 ? text : markdown.find("\n" + fence_end, text);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t text_end = end == text ? text : end + 1;
  return ReadingBlock{begin, text, text_end, text_end + fence_end.size()};
}

}  // namespace

Result<std::string> page_reading(const Library& library, const Page& page) {
  TIEBREAK_TRY(profile, library.find_profile("reference"));
  std::string text;
  for (const notation::Op& op : page.module.ops) {
    TIEBREAK_TRY(resolved, resolve_op({library, *profile}, op.path));
    std::erase_if(resolved.lines, [&](const ResolvedLine& line) { return stands_below(line.kind, page.module.ops.size() > 1); });
    if (resolved.has_choices) text += (text.empty() ? "" : "\n") + resolved_text(resolved, reading_width);
  }
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) <= most_reading_rows ? text : std::string();
}

std::optional<std::string> written_reading(const std::string& markdown) {
  const auto block = block_in(markdown);
  if (!block) return std::nullopt;
  return markdown.substr(block->text, block->text_end - block->text);
}

std::string with_reading(const std::string& markdown, const std::string& reading) {
  if (const auto block = block_in(markdown)) {
    if (!reading.empty()) return markdown.substr(0, block->text) + reading + markdown.substr(block->text_end);
    const std::size_t behind = markdown.compare(block->end, 1, "\n") == 0 ? block->end + 1 : block->end;
    return markdown.substr(0, block->begin) + markdown.substr(behind);
  }
  const std::size_t section = markdown.find("\n## ");
  if (reading.empty() || section == std::string::npos) return markdown;
  return markdown.substr(0, section + 1) + reading_fence + reading + fence_end + "\n" + markdown.substr(section + 1);
}

}  // namespace tiebreak
