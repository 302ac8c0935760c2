// SPDX-License-Identifier: Apache-2.0
#include "testsuite/accuracy/accuracy_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "testsuite/text/grouped_digits.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_names = 5;
constexpr int share_digits = 3;

bool are_codes(const OutputDifference& output) { return output.unit == "code"; }

std::string counted_inputs(std::size_t count) { return grouped_digits(count) + (count == 1 ? " input" : " inputs"); }

std::string of_text(std::int64_t part, std::int64_t whole) { return grouped_digits(part) + " of " + grouped_digits(whole); }

/// `1`, `3 ulp`, `the sign of zero`, `inf`.
std::string farthest_text(const OutputDifference& output) {
  if (!output.farthest) return "";
  const double size = std::abs(output.farthest->difference);
  if (size == 0) return "the sign of zero";
  return decimal_text(size) + (are_codes(output) || !std::isfinite(size) ? "" : " ulp");
}

/// `y: ` where there are several outputs to tell apart.
std::string output_prefix(const ColumnDifference& difference, const OutputDifference& output) {
  return difference.outputs.size() > 1 ? ", output " + output.output : "";
}

}  // namespace

std::string share_text(std::int64_t part, std::int64_t whole) { return whole == 0 ? "0" : (Real(part) * Real(100) / Real(whole)).to_decimal(share_digits); }

std::string accuracy_sentence(const AccuracyReport& report, const ColumnDifference& difference, const OutputDifference& output) {
  std::string text = fmt::format("{}, {} against {}{}: ", counted_inputs(static_cast<std::size_t>(output.inputs)), report.columns.front().label(),
                                 report.columns[difference.column].label(), output_prefix(difference, output));
  const char* what = are_codes(output) ? "code" : "value";
  if (output.elements == 0) return text + (output.undefined > 0 ? "every element is undefined on a side" : "the output has no elements");
  if (output.different == 0) return text + fmt::format("none of {} {}s differs", grouped_digits(output.elements), what);
  text += fmt::format("{} % of {}s differ, by at most {}", share_text(output.different, output.elements), what, farthest_text(output));
  if (output.rows > 0) text += fmt::format("; {} arg max change", of_text(output.arg_max_changed, output.rows));
  return text + (output.sqnr().empty() ? "" : "; SQNR " + output.sqnr() + " dB");
}

const std::vector<std::string>& accuracy_headings() {
  static const std::vector<std::string> names{"output", "type", "differ", "share %", "by at most", "inputs", "arg max changes", "at a tie", "SQNR dB"};
  return names;
}

std::vector<std::string> accuracy_row(const OutputDifference& output, std::size_t longest_name) {
  return {shortened(output.output, longest_name),
          output.element,
          of_text(output.different, output.elements),
          share_text(output.different, output.elements),
          farthest_text(output),
          of_text(output.inputs_different, output.inputs),
          output.rows == 0 ? "" : of_text(output.arg_max_changed, output.rows),
          output.rows == 0 ? "" : grouped_digits(output.arg_max_tied),
          output.sqnr()};
}

std::vector<std::string> accuracy_details(const AccuracyReport& report, const OutputDifference& output) {
  std::vector<std::string> lines;
  if (output.farthest) {
    const OutputDifference::Farthest& place = *output.farthest;
    lines.push_back(fmt::format("{}: the greatest difference is at {} of {}: {}, {}", output.output, place.index.empty() ? "[]" : place.index,
                                report.names.at(place.input), place.first, place.other));
  }
  if (!output.arg_max_inputs.empty()) {
    std::string line = output.output + ": the arg max changes in ";
    for (std::size_t i = 0; i < output.arg_max_inputs.size() && i < most_names; ++i) line += (i == 0 ? "" : ", ") + report.names.at(output.arg_max_inputs[i]);
    if (output.arg_max_inputs.size() > most_names) line += fmt::format(" and {} more", grouped_digits(output.arg_max_inputs.size() - most_names));
    lines.push_back(std::move(line));
  }
  if (output.undefined > 0)
    lines.push_back(fmt::format("{}: {} elements are undefined on a side, and not compared", output.output, grouped_digits(output.undefined)));
  if (output.no_number > 0)
    lines.push_back(fmt::format("{}: {} elements are nan or infinite on a side, and not in the ratio", output.output, grouped_digits(output.no_number)));
  return lines;
}

std::vector<std::string> accuracy_remarks(const AccuracyReport& report) {
  std::vector<std::string> lines;
  for (const ColumnDifference& difference : report.differences)
    if (difference.unanswered > 0)
      lines.push_back(fmt::format("{} did not answer {} of {}: {}", report.columns[difference.column].label(), grouped_digits(difference.unanswered),
                                  counted_inputs(report.done), difference.reason));
  for (const LabelHits& hits : report.hits)
    lines.push_back(fmt::format("top 1 of {}, {}: {} right ({} %)", hits.output, report.columns[hits.column].label(), of_text(hits.right, hits.inputs),
                                share_text(hits.right, hits.inputs)));
  lines.insert(lines.end(), report.notes.begin(), report.notes.end());
  if (report.is_incomplete())
    lines.push_back(fmt::format("incomplete: interrupted after {} of {} ({} %)", grouped_digits(report.done), counted_inputs(report.total),
                                share_text(static_cast<std::int64_t>(report.done), static_cast<std::int64_t>(report.total))));
  return lines;
}

}  // namespace tiebreak
