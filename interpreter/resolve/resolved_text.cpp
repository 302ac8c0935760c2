// SPDX-License-Identifier: Apache-2.0
#include "interpreter/resolve/resolved_text.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

constexpr std::size_t narrow = 100;  ///< two views need more columns

using TextRows = std::vector<std::string>;

/// The row in pieces of at most `width` columns, broken at spaces outside strings; further pieces are indented by four more.
void wrap_row(std::string row, std::size_t width, TextRows& rows) {
  const std::size_t own = std::min(row.find_first_not_of(' '), row.size());
  const std::string indent(own + 4, ' ');
  std::size_t start = own;  // what may be broken
  while (row.size() > width) {
    std::size_t space = std::string::npos;
    bool quoted = false;
    for (std::size_t i = start; i < row.size() && (i <= width || space == std::string::npos); ++i) {
      if (row[i] == '"') quoted = !quoted;
      if (row[i] == ' ' && !quoted && i > start) space = i;
    }
    if (space == std::string::npos) break;
    rows.push_back(row.substr(0, space));
    row = indent + row.substr(space + 1);
    start = indent.size();
  }
  rows.push_back(row);
}

TextRows rows_of(const std::string& text, std::size_t width) {
  TextRows rows;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('\n', begin);
    wrap_row(text.substr(begin, end - begin), width, rows);
  }
  return rows;
}

TextRows place_rows(const std::vector<Clause>& clauses, std::size_t width) {
  TextRows rows;
  for (const Clause& clause : clauses) {
    const std::string text = text_of(clause);
    if (!rows.empty() && rows.back().size() + 2 + text.size() <= width) rows.back() += ", " + text;
    else rows.push_back("# " + text);
  }
  return rows;
}

std::string padded(const std::string& text, std::size_t width) { return text + std::string(text.size() < width ? width - text.size() : 0, ' '); }

std::string without_trailing(std::string row) {
  while (row.ends_with(' ')) row.pop_back();
  return row + "\n";
}

/// Definitions stand apart from the formulas above them.
bool starts_definitions(const std::vector<ResolvedLine>& lines, std::size_t i) {
  const auto listed = [&](std::size_t at) { return lines[at].kind == LineKind::definition || lines[at].kind == LineKind::open_choice; };
  return i > 0 && listed(i) && !listed(i - 1);
}

/// One line with its places on the right.
TextRows columns_of(const ResolvedLine& line, std::size_t width) {
  const std::size_t left = width * 3 / 5;
  const TextRows text = rows_of(line.text, left - 2), places = place_rows(line.clauses, width > left ? width - left : 1);
  TextRows rows;
  for (std::size_t i = 0; i < std::max(text.size(), places.size()); ++i) {
    const std::string part = i < text.size() ? text[i] : "";
    rows.push_back(i < places.size() ? padded(part, left) + places[i] : part);
  }
  return rows;
}

/// The same thing in two views: y and y, tie and tie.
bool same_subject(const ResolvedLine& a, const ResolvedLine& b) {
  const auto group = [](LineKind kind) { return kind == LineKind::open_choice ? LineKind::definition : kind; };
  return group(a.kind) == group(b.kind) && a.name == b.name;
}

struct LinePair {
  const ResolvedLine* first = nullptr;
  const ResolvedLine* second = nullptr;
  bool differs() const { return first == nullptr || second == nullptr || first->text != second->text; }
  char mark() const { return first == nullptr ? '>' : second == nullptr ? '<' : differs() ? '|' : ' '; }
};

/// The longest common subsequence of what the lines are about.
std::vector<LinePair> paired(const std::vector<ResolvedLine>& a, const std::vector<ResolvedLine>& b) {
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;) common[i][j] = same_subject(a[i], b[j]) ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<LinePair> pairs;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && same_subject(a[i], b[j])) pairs.push_back({&a[i++], &b[j++]});
    else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) pairs.push_back({&a[i++], nullptr});
    else pairs.push_back({nullptr, &b[j++]});
  }
  return pairs;
}

/// In two columns only lines that differ have their places, below them.
TextRows half_of(const ResolvedLine* line, bool differs, std::size_t width) {
  if (line == nullptr) return {};
  TextRows rows = rows_of(line->text, width);
  if (differs)
    for (const std::string& place : place_rows(line->clauses, width - 4)) wrap_row("    " + place, width, rows);
  return rows;
}

std::string beside(const std::vector<LinePair>& pairs, std::size_t half) {
  std::string text;
  for (const LinePair& pair : pairs) {
    const TextRows left = half_of(pair.first, pair.differs(), half), right = half_of(pair.second, pair.differs(), half);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
      text += without_trailing(padded(i < left.size() ? left[i] : "", half) + " " + pair.mark() + " " + (i < right.size() ? right[i] : ""));
  }
  return text;
}

std::string marked(const ResolvedOp& op, const std::vector<LinePair>& pairs, bool second, std::size_t width) {
  std::string text = title_of(op) + "\n";
  for (const LinePair& pair : pairs) {
    const ResolvedLine* line = second ? pair.second : pair.first;
    if (line == nullptr) continue;
    for (const std::string& row : columns_of(*line, width - 2)) text += without_trailing(std::string(1, pair.mark()) + " " + row);
  }
  return text;
}

}  // namespace

std::string title_of(const ResolvedOp& op) {
  if (op.profile == "reference") return "# " + op.op + ": the text's own reading";
  if (op.declared) return "# " + op.op + " as " + op.profile + " computes it";
  return "# " + op.profile + " says nothing of " + op.op + (op.has_choices ? ": this is the text's own reading" : ", which has no choices");
}

std::string text_of(const Clause& clause) {
  const std::string place = clause.file + ":" + std::to_string(clause.line);
  if (clause.taken.empty()) return place;
  return clause.elsewhere ? clause.taken + " (" + place + ")" : clause.taken;
}

std::string resolved_text(const ResolvedOp& op, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < op.lines.size(); ++i) {
    if (starts_definitions(op.lines, i)) text += "\n";
    for (const std::string& row : rows_of(op.lines[i].text, width)) text += row + "\n";
  }
  return text;
}

std::string resolved_text_with_places(const ResolvedOp& op, std::size_t width) {
  std::string text = title_of(op) + "\n";
  for (std::size_t i = 0; i < op.lines.size(); ++i) {
    if (starts_definitions(op.lines, i)) text += "\n";
    for (const std::string& row : columns_of(op.lines[i], width)) text += without_trailing(row);
  }
  return text;
}

std::vector<bool> differing_lines(const ResolvedOp& op, const ResolvedOp& other) {
  std::vector<bool> differs;
  for (const LinePair& pair : paired(op.lines, other.lines))
    if (pair.first != nullptr) differs.push_back(pair.differs());
  return differs;
}

std::string resolved_comparison(const ResolvedOp& first, const ResolvedOp& second, std::size_t width) {
  const std::vector<LinePair> pairs = paired(first.lines, second.lines);
  if (width < narrow) return marked(first, pairs, false, width) + "\n" + marked(second, pairs, true, width);
  const std::size_t half = (width - 3) / 2;
  return without_trailing(padded(title_of(first), half) + "   " + title_of(second)) + beside(pairs, half);
}

}  // namespace tiebreak
