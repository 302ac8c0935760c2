// SPDX-License-Identifier: Apache-2.0
// A failing case on the page: what differs, where, by how much, why, and how to see it again.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/report/report_html.hpp"
#include "testsuite/report/report_pictures.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_outputs = 8, most_mismatch_rows = 20, most_notes = 8;
constexpr std::size_t longest_value = 120, longest_inputs = 300, longest_line = 1000, longest_html_command = 4000;

std::string safe_line(const std::string& text, std::size_t most = longest_line) { return markup_escaped(shortened(text, most)); }

std::string html_cell(const std::string& text, const char* kind = "value", std::size_t most = longest_value) {
  return fmt::format("<td class=\"{}\">{}</td>", kind, safe_line(text, most));
}

std::string difference_of(const Mismatch& mismatch, const std::string& unit) {
  std::string text = decimal_text(mismatch.difference, 6);
  return (mismatch.difference > 0 ? "+" : "") + text + " " + unit;
}

std::string html_mismatches(const Comparison& comparison, const std::vector<std::string>& inputs) {
  if (comparison.first.empty()) return "";
  const std::size_t rows = std::min(comparison.first.size(), most_mismatch_rows);
  const bool with_inputs = std::any_of(inputs.begin(), inputs.end(), [](const std::string& text) { return !text.empty(); });
  std::string text = "<div class=\"scroll\"><table><thead><tr><th>index</th>";
  if (with_inputs) text += "<th>inputs</th>";
  text +=
      "<th class=\"number\">expected</th><th class=\"number\">actual</th><th class=\"number\">difference</th><th>expected bits</th><th>actual bits</th>"
      "<th class=\"number\">exact value</th><th class=\"number\">to the boundary</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const Mismatch& mismatch = comparison.first[i];
    text += "<tr>" + html_cell(index_text(comparison.shape, mismatch.index));
    if (with_inputs) text += html_cell(i < inputs.size() ? inputs[i] : "", "value inputs", longest_inputs);
    text += html_cell(mismatch.expected, "value number") + html_cell(mismatch.actual, "value number wrong");
    text += html_cell(difference_of(mismatch, comparison.unit) + (!mismatch.right.empty() ? ", right: " + mismatch.right
                                                                  : mismatch.excused      ? ", within the policy"
                                                                                          : ""),
                      "value number");
    text += html_cell(mismatch.expected_bits) + html_cell(mismatch.actual_bits) + html_cell(mismatch.before, "value number");
    text += html_cell(mismatch.distance == "0" ? "0, a tie" : mismatch.distance, "value number") + "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (const std::int64_t more = comparison.different - static_cast<std::int64_t>(rows); more > 0)
    text += "<p class=\"quiet\">" + counted(static_cast<std::size_t>(more), "more mismatch") +
            (comparison.first.size() > rows ? ", some in the JSON report" : ", kept with --show all") + ".</p>\n";
  return text;
}

std::string figure(const std::string& picture, const std::string& caption) {
  return picture.empty() ? "" : "<figure>" + picture + "<figcaption>" + markup_escaped(caption) + "</figcaption></figure>\n";
}

std::string output_section(const std::string& name, const Comparison& comparison, const std::vector<std::string>& inputs, const std::string& policy) {
  std::string text = "<h3>Output <code>" + safe_line(name, longest_value) + "</code>: " + safe_line(comparison.element) + " " +
                     safe_line(to_text(comparison.shape)) + "</h3>\n<p>";
  if (comparison.compared > 0) {
    text += fmt::format("<b>{} of {} differ</b>", comparison.different, comparison.compared);
    if (comparison.excused > comparison.right) text += fmt::format(", {} of them within {}", comparison.excused - comparison.right, safe_line(policy));
    if (comparison.right > 0) text += fmt::format(", {} of them right by what the profile leaves open", comparison.right);
    if (comparison.undefined > 0) text += fmt::format("; {} undefined, not compared", comparison.undefined);
    if (comparison.worst_index)
      text += fmt::format("; the worst by {} {} at {}", decimal_text(comparison.worst, 6), safe_line(comparison.unit),
                          index_text(comparison.shape, *comparison.worst_index));
  }
  text += safe_line((comparison.compared > 0 && !comparison.reason.empty() ? "; " : "") + comparison.reason) + "</p>\n";
  if (comparison.different == 0) return text;
  text += figure(histogram_svg(comparison), "elements by difference, actual minus expected, in " + comparison.unit);
  if (std::string picture = places_svg(comparison); !picture.empty()) text += figure(picture, places_caption(comparison));
  return text + html_mismatches(comparison, inputs);
}

std::string cause_section(const Diagnosis& diagnosis) {
  std::string text = "<h3>Cause</h3>\n";
  for (const std::string& line : to_lines(diagnosis)) text += "<p>" + safe_line(line) + "</p>\n";
  return text;
}

std::string summary_of(const CaseReport& test) {
  std::string text = "<summary><span class=\"id\">" + safe_line(test.id, longest_inputs) + "</span>";
  if (!test.types.empty()) text += "<span class=\"quiet\">" + safe_line(test.types, longest_value) + "</span>";
  text += "<span class=\"quiet\">" + safe_line(test.reason, longest_inputs) + "</span>";
  if (test.diagnosis) text += "<span class=\"quiet\">cause: " + safe_line(cause_word(*test.diagnosis), longest_inputs) + "</span>";
  return text + "</summary>\n";
}

}  // namespace

std::string html_command(const std::string& label, const std::string& command) {
  if (command.empty()) return "";
  std::string body = command.size() <= longest_html_command ? markup_escaped(command) : "too long for this page: see the JSON report";
  return "<div class=\"command\"><span class=\"quiet\">" + label + "</span><pre>" + body + "</pre></div>\n";
}

std::string html_anchor(std::size_t case_index) { return "case-" + std::to_string(case_index + 1); }

std::string html_case(const CaseReport& test, const std::string& policy, const std::string& anchor, bool open) {
  std::string text = "<details id=\"" + anchor + "\"" + (open ? " open=\"open\"" : "") + ">" + summary_of(test);
  if (!test.description.empty()) text += "<p>" + safe_line(test.description) + "</p>\n";
  std::size_t sections = 0, more = 0;
  bool inputs_used = false;
  for (const auto& [name, comparison] : test.outputs) {
    if (comparison.conforms) continue;
    if (sections++ < most_outputs) text += output_section(name, comparison, inputs_used ? std::vector<std::string>{} : test.inputs_of_first, policy);
    else ++more;
    inputs_used = true;
  }
  if (more > 0) text += "<p class=\"quiet\">" + counted(more, "more output") + " not shown here.</p>\n";
  if (sections == 0) text += "<p>" + safe_line(test.reason) + "</p>\n";
  if (test.diagnosis) text += cause_section(*test.diagnosis);
  for (std::size_t i = 0; i < test.notes.size() && i < most_notes; ++i) text += "<p><span class=\"quiet\">Note:</span> " + safe_line(test.notes[i]) + "</p>\n";
  if (test.notes.size() > most_notes) text += "<p class=\"quiet\">" + counted(test.notes.size() - most_notes, "more note") + " not shown here.</p>\n";
  text += "<h3>See it again</h3>\n" + html_command("reproduce", test.reproduce) + html_command("explain", test.explain);
  if (!test.source.empty()) text += "<p class=\"quiet\">from " + safe_line(test.source) + "</p>\n";
  return text + "</details>\n";
}

}  // namespace tiebreak
