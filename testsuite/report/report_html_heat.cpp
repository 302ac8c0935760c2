// SPDX-License-Identifier: Apache-2.0
// The heat map of ops and types: counts with a sign for each status, coloured by the worst of them.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/report/report_html.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_heat_rows = 250, most_columns = 24, longest_name = 80, most_bytes = 300'000;

/// Failing cells by how many of the judged cases fail; all signs stand in the legend.
const char* heat_class(const CellCounts& cell) {
  if (cell.fail > 0) {
    const double share = static_cast<double>(cell.fail) / static_cast<double>(cell.fail + cell.conform + cell.known);
    return share > 0.67 ? "bad3" : share > 0.2 ? "bad2" : "bad1";
  }
  if (cell.inconclusive > 0) return "open";
  return cell.conform + cell.known > 0 ? "good" : "none";
}

std::string cell_words(const CellCounts& cell) {
  std::string text;
  for (auto [sign, count] : {std::pair{"\u2717", cell.fail}, std::pair{"\u2713", cell.conform}, std::pair{"\u2248", cell.known},
                             std::pair{"?", cell.inconclusive}, std::pair{"\u2013", cell.unsupported}, std::pair{"\u00b7", cell.other}})
    if (count > 0) text += fmt::format("{}{}\u00a0{}", text.empty() ? "" : " ", sign, count);
  return text;
}

std::string cell_text(const CellCounts& cell, const std::set<std::size_t>& shown) {
  std::string words = cell_words(cell);
  if (cell.fail > 0 && shown.contains(cell.first_failing)) words = "<a href=\"#" + html_anchor(cell.first_failing) + "\">" + words + "</a>";
  return std::string("<td class=\"") + heat_class(cell) + "\">" + words + "</td>";
}

using HeatRows = std::map<std::string, std::map<std::string, CellCounts>>;

using HeatRow = std::pair<std::string, std::map<std::string, CellCounts>>;

/// Types on which something fails come first, then those with the most cases: what matters is not beyond the right edge.
std::vector<std::string> columns_of(const HeatRows& rows) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> totals;
  for (const auto& [op, row] : rows) {
    for (const auto& [types, cell] : row) {
      totals[types].first += cell.fail;
      totals[types].second += cell.total();
    }
  }
  std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> ordered(totals.begin(), totals.end());
  std::ranges::stable_sort(ordered, [](const auto& a, const auto& b) { return a.second > b.second; });
  if (ordered.size() > most_columns) ordered.resize(most_columns);
  std::vector<std::string> columns;
  for (const auto& [types, total] : ordered) columns.push_back(types);
  return columns;
}

/// Ops with failures first, then by name.
std::vector<HeatRow> ordered_rows(const HeatRows& rows) {
  std::vector<HeatRow> ordered(rows.begin(), rows.end());
  std::ranges::stable_sort(ordered, [](const HeatRow& a, const HeatRow& b) { return (sum_of(a.second).fail > 0) > (sum_of(b.second).fail > 0); });
  return ordered;
}

/// Two lines, so that columns are narrow: `f32` and below it `-> i8`.
std::string column_heading(const std::string& types) {
  const std::size_t arrow = types.find("-> ");
  if (types.empty() || arrow == std::string::npos) return types.empty() ? "unknown" : markup_escaped(shortened(types, longest_name));
  const std::string from = types.substr(0, arrow), to = types.substr(arrow + 3);
  return markup_escaped(shortened(from, longest_name)) + "<br/>\u2192 " + markup_escaped(shortened(to, longest_name));
}

/// What the shown columns leave out of a row.
CellCounts rest_of(std::map<std::string, CellCounts> row, const std::vector<std::string>& columns) {
  for (const std::string& types : columns) row.erase(types);
  return sum_of(row);
}

}  // namespace

std::string html_heat_map(const CheckReport& report, const std::set<std::size_t>& shown) {
  const HeatRows rows = op_type_counts(report);
  if (rows.empty()) return "";
  const std::vector<std::string> columns = columns_of(rows);
  const bool rest = std::ranges::any_of(rows, [&](const auto& row) { return rest_of(row.second, columns).total() > 0; });
  std::string head = "<table class=\"heat\"><thead><tr><th>op</th><th>all types</th>";
  for (const std::string& types : columns) head += "<th>" + column_heading(types) + "</th>";
  if (rest) head += "<th>other<br/>types</th>";
  head += "</tr></thead><tbody>\n";
  LimitedText body(most_bytes);
  std::size_t count = 0, left_out = 0;
  for (const auto& [op, row] : ordered_rows(rows)) {
    std::string line = "<tr><th>" + (op.empty() ? "unknown" : markup_escaped(shortened(op, longest_name))) + "</th>" + cell_text(sum_of(row), shown);
    for (const std::string& types : columns) {
      auto cell = row.find(types);
      line += cell == row.end() ? "<td></td>" : cell_text(cell->second, shown);
    }
    if (const CellCounts other = rest_of(row, columns); rest) line += other.total() == 0 ? "<td></td>" : cell_text(other, shown);
    line += "</tr>\n";
    if (count++ >= most_heat_rows || !body.add(line)) ++left_out;
  }
  std::string text =
      "<h2>Ops and types</h2>\n<p class=\"quiet\">Cases: \u2717 fail, \u2713 conform, \u2248 listed in the baseline, ? inconclusive, \u2013 unsupported, "
      "\u00b7 not run or invalid. "
      "Types are those of the first input and the first output.</p>\n<div class=\"scroll\">" +
      head + body.text() + "</tbody></table></div>\n";
  if (left_out > 0) text += "<p class=\"quiet\">" + counted(left_out, "more op") + " not shown here.</p>\n";
  return text;
}

}  // namespace tiebreak
