// SPDX-License-Identifier: Apache-2.0
// Statistics for the terminal, and as a comment.
#include <fmt/format.h>

#include "testsuite/statistics/statistics_rows.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

std::string table_text(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  std::vector<bool> right(headings.size(), true);
  for (std::size_t i = 0; i < left; ++i) right[i] = false;
  TextTable table(headings, right);
  for (const auto& row : rows) table.add(row);
  return rows.empty() ? "" : table.text("  ");
}

std::vector<std::vector<std::string>> node_rows(const StatisticsReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const NodeStatistics& node : report.nodes) rows.push_back(node_row(report, node));
  return rows;
}

std::vector<std::vector<std::string>> growth_rows(const StatisticsReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const GrowthLine& line : report.growth) rows.push_back(growth_row(report, line));
  return rows;
}

}  // namespace

std::string statistics_text(const StatisticsReport& report) {
  std::string text = fmt::format("reference {}  profile {}\n", report.reference, report.reference_profile);
  for (const auto& [name, profile] : report.forms) text += fmt::format("form {}  profile {}\n", name, profile);
  text += fmt::format("{} batch{}", report.batches.size(), report.batches.size() == 1 ? "" : "es");
  for (std::size_t b = 0; b < report.batches.size() && b < 3; ++b) text += (b == 0 ? ": " : ", ") + report.batches[b];
  text += (report.batches.size() > 3 ? ", ..." : "") + std::string("\n") + table_text(node_headings(), node_rows(report), 3);
  if (!report.growth.empty()) text += "growth of one code, on the first batch\n" + table_text(growth_headings(), growth_rows(report), 3);
  for (const std::string& line : statistics_sentences(report)) text += line + "\n";
  return text;
}

std::string statistics_markdown(const StatisticsReport& report) {
  std::string text = fmt::format("**statistics** against `{}` (profile `{}`)\n\n", report.reference, report.reference_profile);
  for (const std::string& line : statistics_sentences(report)) text += "- " + markdown_cell(line) + "\n";
  text += markdown_table(node_headings(), node_rows(report));
  if (!report.growth.empty()) text += markdown_table(growth_headings(), growth_rows(report));
  return text;
}

}  // namespace tiebreak
