// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/text_table.hpp"

#include <algorithm>

namespace tiebreak {

TextTable::TextTable(std::vector<std::string> headings, std::vector<bool> right_aligned) : right_aligned_(std::move(right_aligned)) {
  right_aligned_.resize(headings.size(), false);
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(const std::string& indent, bool with_headings) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  std::vector<bool> used(widths.size(), false);
  for (std::size_t r = with_headings ? 0 : 1; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      widths[c] = std::max(widths[c], display_width(rows_[r][c]));
      if (r > 0 && !rows_[r][c].empty()) used[c] = true;
    }
  }
  std::string text;
  for (std::size_t r = with_headings ? 0 : 1; r < rows_.size(); ++r) {
    std::string line = indent;
    bool first = true;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (!used[c]) continue;
      if (!first) line += "  ";
      first = false;
      std::string padding(widths[c] - display_width(rows_[r][c]), ' ');
      line += right_aligned_[c] ? padding + rows_[r][c] : rows_[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : lines_of(text)) widest = std::max(widest, display_width(line));
  return widest;
}

std::string wrapped(const std::vector<std::string>& words, const std::string& indent, std::size_t width) {
  std::string text, line;
  for (const std::string& word : words) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      text += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return text + line + "\n";
}

std::string coloured(const std::string& text, Colour colour, bool enabled) {
  if (!enabled || colour == Colour::none) return text;
  const char* code = "0";
  switch (colour) {
    case Colour::none: break;
    case Colour::red: code = "31"; break;
    case Colour::green: code = "32"; break;
    case Colour::yellow: code = "33"; break;
    case Colour::bold: code = "1"; break;
    case Colour::dim: code = "2"; break;
  }
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string counted(std::size_t count, const std::string& noun) {
  bool plural = count != 1;
  bool ends_in_s = noun.ends_with("s") || noun.ends_with("ch");
  return std::to_string(count) + " " + noun + (plural ? ends_in_s ? "es" : "s" : "");
}

}  // namespace tiebreak
