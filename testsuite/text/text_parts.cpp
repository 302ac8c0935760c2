// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/text_parts.hpp"

#include <fmt/format.h>

namespace tiebreak {
namespace {

std::string_view without(std::string_view text, std::string_view before, std::string_view behind) {
  const std::size_t first = text.find_first_not_of(before);
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(behind) + 1);
}

}  // namespace

std::string_view trimmed(std::string_view text) { return without(text, " \t", " \t"); }
std::string_view trimmed_line(std::string_view line) { return without(line, " \t", " \t\r"); }

std::string joined_words(const std::vector<std::string>& words, const std::string& between) { return fmt::format("{}", fmt::join(words, between)); }

}  // namespace tiebreak
