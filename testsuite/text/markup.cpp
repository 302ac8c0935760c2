// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/markup.hpp"

#include <algorithm>

#include "interpreter/json/json_writer.hpp"

namespace tiebreak {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// U+202A..U+202E and U+2066..U+2069 turn the direction of what follows: a command would not read as it is pasted. U+0080..U+009F control.
bool misleads(std::string_view character) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xC2u && byte(1) < 0xA0u;
  if (character.size() != 3 || byte(0) != 0xE2u) return false;
  return (byte(1) == 0x80u && byte(2) >= 0xAAu && byte(2) <= 0xAEu) || (byte(1) == 0x81u && byte(2) >= 0xA6u && byte(2) <= 0xA9u);
}

constexpr std::size_t longest_cell = 300;

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string markup_escaped(std::string_view text) {
  constexpr std::string_view meaningful = "&<>\"'`|*_~@[]\\$";
  std::string out;
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control = (first < 0x20u && first != '\n') || first == 0x7Fu;
    if (length == 0 || control || misleads(text.substr(0, length))) {
      out += replacement;
      length = length == 0 ? 1 : length;
    } else if (length == 1 && meaningful.find(text[0]) != std::string_view::npos) {
      out += "&#" + std::to_string(first) + ";";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return std::string(text.substr(0, end)) + "... (" + std::to_string(text.size() - end) + " more bytes)";
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (char c : on_one_line(shortened(text, longest_cell))) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string markdown_table(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return "";
  std::string text = "\n|", line = "|";
  for (const std::string& heading : headings) {
    text += " " + heading + " |";
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const auto& row : rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + markdown_cell(cell) + " |";
    text += "\n";
  }
  return text;
}

std::string code_cell(std::string_view text) { return text.empty() ? "" : "<code>" + markup_escaped(on_one_line(shortened(text, longest_cell))) + "</code>"; }

std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& values) {
  std::string text;
  while (!page.empty()) {
    const std::size_t open = std::min(page.find('{'), page.size());
    text += page.substr(0, open);
    page.remove_prefix(open);
    if (page.empty()) break;
    const std::size_t close = page.find('}');
    const auto value = close == std::string_view::npos ? values.end() : values.find(page.substr(1, close - 1));
    text += value == values.end() ? page.substr(0, 1) : value->second;
    page.remove_prefix(value == values.end() ? 1 : value->first.size() + 2);
  }
  return text;
}

}  // namespace tiebreak
