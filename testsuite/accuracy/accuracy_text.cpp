// SPDX-License-Identifier: Apache-2.0
// The report for the terminal, and as a comment.
#include <algorithm>

#include "testsuite/accuracy/accuracy_rows.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest_output = 40, shortest_output = 8;

/// The table with names as long as the width allows.
std::string difference_table(const ColumnDifference& difference, std::size_t width) {
  std::string text;
  for (std::size_t longest = longest_output; longest >= shortest_output; longest -= 4) {
    std::vector<bool> right(accuracy_headings().size(), true);
    right[0] = right[1] = false;
    TextTable table(accuracy_headings(), right);
    for (const OutputDifference& output : difference.outputs) table.add(accuracy_row(output, longest));
    text = table.empty() ? "" : table.text("  ");
    if (widest_line(text) <= width) break;
  }
  return text;
}

}  // namespace

std::string accuracy_text(const AccuracyReport& report, std::size_t width) {
  std::string text;
  for (const ColumnDifference& difference : report.differences) {
    for (const OutputDifference& output : difference.outputs) text += accuracy_sentence(report, difference, output) + "\n";
    text += difference_table(difference, width);
    for (const OutputDifference& output : difference.outputs)
      for (const std::string& line : accuracy_details(report, output)) text += "  " + line + "\n";
  }
  for (const std::string& line : accuracy_remarks(report)) text += line + "\n";
  return text;
}

std::string accuracy_markdown(const AccuracyReport& report) {
  std::string text = "**accuracy** of `" + report.model + "`\n\n";
  for (const ColumnDifference& difference : report.differences)
    for (const OutputDifference& output : difference.outputs) text += "- " + markdown_cell(accuracy_sentence(report, difference, output)) + "\n";
  for (const std::string& line : accuracy_remarks(report)) text += "- " + markdown_cell(line) + "\n";
  for (const ColumnDifference& difference : report.differences) {
    if (difference.outputs.empty()) continue;
    text += "\n" + markdown_cell(report.columns.front().label() + " against " + report.columns[difference.column].label()) + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const OutputDifference& output : difference.outputs) rows.push_back(accuracy_row(output, longest_output));
    text += markdown_table(accuracy_headings(), rows);
    for (const OutputDifference& output : difference.outputs)
      for (const std::string& line : accuracy_details(report, output)) text += "\n" + markdown_cell(line) + "\n";
  }
  return text;
}

}  // namespace tiebreak
