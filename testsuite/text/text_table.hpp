// SPDX-License-Identifier: Apache-2.0
// Columns of text for the terminal: right-aligned numbers under their headings, two spaces between.
#pragma once
#include <string>
#include <vector>

namespace tiebreak {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings, std::vector<bool> right_aligned = {});
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.size() <= 1; }
  /// Every line starts with `indent` and ends with a newline, without trailing spaces. Columns that are empty in all rows are left out.
  std::string text(const std::string& indent, bool with_headings = true) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_aligned_;
};

/// Columns of the widest line.
std::size_t widest_line(const std::string& text);
/// Lines without their ends.
std::vector<std::string> lines_of(const std::string& text);

/// Words with a space between, lines of at most `width` columns where the words allow it; every line but the first starts with `indent`.
std::string wrapped(const std::vector<std::string>& words, const std::string& indent, std::size_t width);

/// Words for a terminal that knows ANSI colours; without colour the word itself.
enum class Colour { none, red, green, yellow, bold, dim };
std::string coloured(const std::string& text, Colour colour, bool enabled);
/// Number of characters a terminal shows: UTF-8 sequences count once.
std::size_t display_width(const std::string& text);
/// `1 case`, `2 cases`.
std::string counted(std::size_t count, const std::string& noun);

}  // namespace tiebreak
