// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/statistics_rows.hpp"

#include <fmt/format.h>

#include "testsuite/statistics/number_text.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest_name = 28;

std::string short_percent(std::int64_t part, std::int64_t whole) { return part == 0 ? "0" : percent_text(part, whole) + "%"; }

std::string tie_text(const CodeStatistics& codes) {
  if (codes.tie_known == 0) return "-";
  return short_percent(codes.tied, codes.tie_known) + (codes.near_tie > 0 ? " +" + short_percent(codes.near_tie, codes.tie_known) + " near" : "");
}

std::string place_text(const StatisticsReport& report, const NodeStatistics& node) {
  if (node.greatest <= 0) return "";
  return (node.place.index.empty() ? "[]" : node.place.index) + (report.batches.size() > 1 ? fmt::format(" of batch {}", node.place.batch) : "");
}

}  // namespace

const std::vector<std::string>& node_headings() {
  static const std::vector<std::string> names{"value",          "op",    "form",      "SQNR dB", "differ",       "mean error",
                                              "greatest error", "where", "saturated", "tied",    "codes unused", "arg max changes"};
  return names;
}

std::vector<std::string> node_row(const StatisticsReport& report, const NodeStatistics& node) {
  std::vector<std::string> cells{shortened(node.node, longest_name),
                                 node.op,
                                 report.forms.size() > 1 ? shortened(report.forms[node.form].first, longest_name) : "",
                                 node.sqnr(),
                                 short_percent(node.different, node.elements),
                                 node.mean_error()};
  cells.push_back(node.greatest < 0 ? "" : short_text(node.greatest_error()));
  cells.push_back(place_text(report, node));
  if (node.codes) {
    cells.push_back(short_percent(node.codes->at_low + node.codes->at_high, node.codes->elements));
    cells.push_back(tie_text(*node.codes));
    cells.push_back(fmt::format("{} of {}", node.codes->range() - static_cast<std::int64_t>(node.codes->used.size()), node.codes->range()));
  } else {
    cells.insert(cells.end(), {"", "", ""});
  }
  cells.push_back(node.rows == 0 ? "" : fmt::format("{} of {}", node.arg_max_changed, node.rows));
  return cells;
}

const std::vector<std::string>& growth_headings() {
  static const std::vector<std::string> names{"one code more at",          "form",       "output", "all: elements that change", "by at most",
                                              "one at a time: it changes", "by at most", "unit"};
  return names;
}

std::vector<std::string> growth_row(const StatisticsReport& report, const GrowthLine& line) {
  return {shortened(line.node, longest_name),   report.forms.size() > 1 ? shortened(report.forms[line.form].first, longest_name) : "",
          shortened(line.output, longest_name), fmt::format("{} of {}", line.all_changed, line.elements),
          short_text(line.all_greatest),        fmt::format("{} of {}", line.one_changed, line.tried),
          short_text(line.one_greatest),        line.unit};
}

std::vector<std::string> statistics_sentences(const StatisticsReport& report) {
  std::vector<std::string> lines;
  for (std::size_t f = 0; f < report.forms.size(); ++f) {
    const NodeStatistics *first = nullptr, *worst = nullptr;
    for (const NodeStatistics& node : report.nodes) {
      if (node.form != f || node.different == 0) continue;
      if (first == nullptr) first = &node;
      if (worst == nullptr || node.noise() * worst->signal.value() > worst->noise() * node.signal.value()) worst = &node;
    }
    const std::string& name = report.forms[f].first;
    if (first == nullptr) {
      lines.push_back(name + ": no value differs");
      continue;
    }
    lines.push_back(fmt::format("{}: the first value that differs is {} ({}), in {} of {} elements, by at most {} at {} of batch {}", name, first->node,
                                first->op, first->different, first->elements, short_text(abs(first->greatest_error())),
                                first->place.index.empty() ? "[]" : first->place.index, first->place.batch));
    lines.push_back(fmt::format("{}: the lowest SQNR is {} dB, of {} ({})", name, worst->sqnr(), worst->node, worst->op));
  }
  for (const NodeStatistics& node : report.nodes)
    if (node.skipped > 0)
      lines.push_back(fmt::format("{} of {}: {} undefined, nan or infinite on a side and left out", node.node, report.forms[node.form].first,
                                  counted(static_cast<std::size_t>(node.skipped), "element")));
  lines.insert(lines.end(), report.notes.begin(), report.notes.end());
  return lines;
}

}  // namespace tiebreak
