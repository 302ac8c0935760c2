// SPDX-License-Identifier: Apache-2.0
// Statistics as a page: error by layer as a chart, the table, and a histogram of each value of the reference with the ends of its codes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testsuite/report/html_document.hpp"
#include "testsuite/statistics/number_text.hpp"
#include "testsuite/statistics/statistics_rows.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest = 300, bytes_of_table = 800'000, bytes_of_pictures = 800'000, most_layers_of_chart = 120, forms_with_colours = 4;

std::string safe(const std::string& text) { return markup_escaped(shortened(text, longest)); }

std::string table_html(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  const auto is_used = [&](std::size_t i) { return std::ranges::any_of(rows, [&](const auto& row) { return !row[i].empty(); }); };
  std::vector<bool> used;
  for (std::size_t i = 0; i < headings.size(); ++i) used.push_back(is_used(i));
  std::string text = "<div class=\"scroll\"><table><thead><tr>";
  for (std::size_t i = 0; i < headings.size(); ++i)
    if (used[i]) text += std::string("<th") + (i < left ? ">" : " class=\"number\">") + headings[i] + "</th>";
  text += "</tr></thead><tbody>\n";
  LimitedText lines(bytes_of_table);
  for (const auto& row : rows) {
    std::string line = "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      if (used[i]) line += std::string("<td class=\"value") + (i < left ? "\">" : " number\">") + safe(row[i]) + "</td>";
    lines.add(line + "</tr>\n");
  }
  text += lines.text() + "</tbody></table></div>\n";
  if (lines.left_out() > 0) text += "<p class=\"quiet\">" + counted(lines.left_out(), "more row") + " not shown here; the JSON has all.</p>\n";
  return text;
}

/// SQNR as a bar's length, in whole decibels: for a picture a double is enough.
double decibels(const NodeStatistics& node) {
  const std::string text = node.sqnr();
  if (text.empty() || text == "nan" || text == "inf") return 200;
  return text == "-inf" ? 0 : std::clamp(Real::parse(text).value_or(Real(0)).to_double(), 0.0, 200.0);
}

std::string legend(const StatisticsReport& report) {
  std::string text;
  for (std::size_t f = 0; f < report.forms.size(); ++f)
    text += fmt::format("<span class=\"form{}\">\u25A0</span> {} &#160; ", f % forms_with_colours, safe(report.forms[f].first));
  return text;
}

/// A row for each value, a bar for each form.
std::string chart(const StatisticsReport& report) {
  constexpr double left = 200, bar = 11, width = 480, gap = 7;
  double most = 1;
  for (const NodeStatistics& node : report.nodes)
    if (node.different > 0) most = std::max(most, decibels(node));
  std::string body, previous;
  double y = 4;
  std::size_t rows = 0;
  for (const NodeStatistics& node : report.nodes) {
    if (node.node != previous && ++rows > most_layers_of_chart) break;
    if (node.node != previous) {
      y += previous.empty() ? 0 : gap;
      body += fmt::format("<text class=\"end\" x=\"{:g}\" y=\"{:g}\">{}</text>\n", left - 8, y + bar - 1, markup_escaped(shortened(node.node, 26)));
    }
    previous = node.node;
    const double length = node.different == 0 ? width : std::max(1.0, std::round(width * decibels(node) / most));
    body +=
        fmt::format("<rect class=\"form{}{}\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/><text class=\"start\" x=\"{:g}\" y=\"{:g}\">{}</text>\n",
                    node.form % forms_with_colours, node.different == 0 ? " same" : "", left, y, length, bar - 1, left + length + 6, y + bar - 2,
                    node.different == 0 ? "equal" : markup_escaped(node.sqnr()) + " dB");
    y += bar;
  }
  if (body.empty()) return "";
  const std::string more = rows > most_layers_of_chart ? fmt::format("; the first {} values", most_layers_of_chart) : "";
  return fmt::format(
      "<h2>Error by layer</h2>\n<div class=\"scroll\"><svg role=\"img\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\"><title>SQNR of each "
      "value</title>\n{2}</svg></div>\n"
      "<p class=\"quiet\">{3}SQNR in dB, more is better{4}.</p>\n",
      left + width + 110, y + 6, body, legend(report), more);
}

/// A mark at an end of the range, where it lies within the picture.
std::string mark(const Real& value, double low, double high, double width, double height, const char* word) {
  const double at = (value.to_double() - low) / (high - low);
  if (!(at >= 0) || at > 1) return "";
  return fmt::format("<path class=\"range\" d=\"M{0:.1f} 14v{1:g}\"/><text x=\"{0:.1f}\" y=\"10\">{2}</text>", at * width, height, word);
}

std::string histogram(const TensorPicture& picture) {
  constexpr double width = 320, height = 84;
  if (picture.histogram.bins.empty()) return "";
  const auto first = picture.histogram.bins.begin()->first, last = picture.histogram.bins.rbegin()->first;
  double low = std::ldexp(static_cast<double>(first), picture.histogram.exponent), high = std::ldexp(static_cast<double>(last + 1), picture.histogram.exponent);
  if (picture.low && picture.high && picture.low->is_finite() && picture.high->is_finite()) {
    // The range is shown as long as it is not so much wider than the values that these would vanish.
    const double room = 2 * (high - low);
    low = std::max(low - room, std::min(low, picture.low->to_double()));
    high = std::min(high + room, std::max(high, picture.high->to_double()));
  }
  std::int64_t most = 1;
  for (const auto& [bin, count] : picture.histogram.bins) most = std::max(most, count);
  std::string bars;
  for (const auto& [bin, count] : picture.histogram.bins) {
    const double from = (std::ldexp(static_cast<double>(bin), picture.histogram.exponent) - low) / (high - low) * width;
    const double each = std::ldexp(1.0, picture.histogram.exponent) / (high - low) * width;
    const double tall = std::max(1.0, std::round(height * static_cast<double>(count) / static_cast<double>(most)));
    bars += fmt::format("M{:.1f} {:g}h{:.1f}v{:g}h-{:.1f}z", from, 14 + height - tall, std::max(0.5, each - 0.5), tall, std::max(0.5, each - 0.5));
  }
  std::string marks;
  if (picture.low && picture.high) marks = mark(*picture.low, low, high, width, height, "low") + mark(*picture.high, low, high, width, height, "high");
  const std::string caption =
      picture.low && picture.high ? fmt::format("; codes reach from {} to {}", short_text(*picture.low), short_text(*picture.high)) : "";
  return fmt::format(
      "<figure><svg role=\"img\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"-14 0 {0:g} {1:g}\"><title>values of {2}</title><path class=\"values\" d=\"{3}\"/>"
      "<path class=\"axis\" d=\"M0 {4:g}h{5:g}\"/>{6}<text class=\"start\" x=\"0\" y=\"{7:g}\">{8}</text><text class=\"end\" x=\"{5:g}\" "
      "y=\"{7:g}\">{9}</text></svg>"
      "<figcaption>{2} ({10}), at most {11} in a bin{12}</figcaption></figure>\n",
      width + 28, height + 32, safe(picture.node), bars, 14 + height, width, marks, 14 + height + 14, short_text(Real::from_double(low)),
      short_text(Real::from_double(high)), safe(picture.op), most, safe(caption));
}

}  // namespace

std::string statistics_html(const StatisticsReport& report) {
  std::string body = "<header class=\"verdict\"><h1>Statistics</h1>\n<p>Reference " + safe(report.reference) + ", profile " + safe(report.reference_profile) +
                     "; " + fmt::format("{} batch{}", report.batches.size(), report.batches.size() == 1 ? "" : "es") + "</p>\n<ul>\n";
  for (const std::string& line : statistics_sentences(report)) body += "<li>" + safe(line) + "</li>\n";
  body += "</ul></header>\n" + chart(report) + "<h2>Values</h2>\n";
  std::vector<std::vector<std::string>> rows, growth;
  for (const NodeStatistics& node : report.nodes) rows.push_back(node_row(report, node));
  for (const GrowthLine& line : report.growth) growth.push_back(growth_row(report, line));
  body += table_html(node_headings(), rows, 3);
  if (!growth.empty()) body += "<h2>Growth of one code</h2>\n" + table_html(growth_headings(), growth, 3);
  LimitedText pictures(bytes_of_pictures);
  for (const TensorPicture& picture : report.pictures) pictures.add(histogram(picture));
  if (!pictures.text().empty()) body += "<h2>Values of the reference</h2>\n" + pictures.text();
  if (pictures.left_out() > 0) body += "<p class=\"quiet\">" + counted(pictures.left_out(), "more picture") + " not shown here.</p>\n";
  return html_document("Statistics of " + shortened(report.reference, longest), body);
}

}  // namespace tiebreak
