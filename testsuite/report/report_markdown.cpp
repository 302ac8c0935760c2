// SPDX-License-Identifier: Apache-2.0
// A comment for a pull request. Texts of others stand in <code> or in fences longer than any run of backticks in them.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/report/report.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t failures_shown = 5, bytes_of_ops = 16'000, bytes_of_failures = 32'000, bytes_of_reasons = 6'000;
constexpr std::size_t longest_markdown_text = 300, longest_markdown_command = 4000;

std::string html_code(const std::string& text) {
  std::string line = shortened(text, longest_markdown_text);
  std::ranges::replace(line, '\n', ' ');
  return text.empty() ? "" : "<code>" + markup_escaped(line) + "</code>";
}

std::string fenced(const std::string& text) {
  if (text.empty() || text.size() > longest_markdown_command) return text.empty() ? "" : "The command is too long for a comment: see the JSON report.\n\n";
  std::size_t run = 0, longest = 2;
  for (char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + "sh\n" + text + "\n" + fence + "\n\n";
}

std::string op_row(const std::string& op, const CellCounts& sum) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", html_code(op), sum.fail > 0 ? fmt::format("**{}**", sum.fail) : "0", sum.conform, sum.inconclusive,
                     sum.unsupported, sum.known + sum.other);
}

/// Ops with failures first, then by name.
std::string verdicts_by_op(const CheckReport& report) {
  std::vector<std::pair<std::string, CellCounts>> ops;
  for (const auto& [op, row] : op_type_counts(report)) ops.emplace_back(op, sum_of(row));
  std::ranges::stable_sort(ops, [](const auto& a, const auto& b) { return (a.second.fail > 0) > (b.second.fail > 0); });
  LimitedText rows(bytes_of_ops);
  std::size_t left_out = 0;
  for (const auto& [op, sum] : ops)
    if (left_out > 0 || !rows.add(op_row(op, sum))) ++left_out;
  std::string text = "| op | fail | conform | inconclusive | unsupported | other |\n|:--|--:|--:|--:|--:|--:|\n" + rows.text() + "\n";
  if (left_out > 0) text += counted(left_out, "more op") + " not shown.\n\n";
  return text;
}

std::string mismatch_text(const CaseReport& test, const std::string& output, const Comparison& comparison) {
  const Mismatch& mismatch = comparison.first.front();
  std::string text = fmt::format(
      "| output | inputs | expected | actual | bits | exact value | to the boundary |\n|:--|:--|--:|--:|:--|--:|--:|\n| {} | {} | {} | {} | {} | {} | {} |\n\n",
      html_code(output + index_text(comparison.shape, mismatch.index)), html_code(test.inputs_of_first.empty() ? "" : test.inputs_of_first.front()),
      html_code(mismatch.expected), html_code(mismatch.actual), html_code(mismatch.expected_bits + " " + mismatch.actual_bits), html_code(mismatch.before),
      html_code(mismatch.distance));
  text += fmt::format("{} of {} differ:", comparison.different, comparison.compared);
  for (const auto& [bucket, count] : histogram_order(comparison.histogram))
    text += fmt::format(" {}{} &times; {},", bucket[0] >= '0' && bucket[0] <= '9' ? "+" : "", markup_escaped(bucket), count);
  text.back() = ' ';
  return text + "(" + markup_escaped(comparison.unit) + ")\n\n";
}

std::string failure_text(const CaseReport& test) {
  std::string text = "<details><summary>" + html_code(test.id) + " " + html_code(test.reason) + "</summary>\n\n";
  for (const auto& [name, comparison] : test.outputs) {
    if (comparison.conforms || comparison.first.empty()) continue;
    text += mismatch_text(test, name, comparison);
    break;
  }
  if (test.diagnosis)
    for (const std::string& line : to_lines(*test.diagnosis)) text += "- " + html_code(line) + "\n";
  return text + "\n" + fenced(test.reproduce) + fenced(test.explain) + "</details>\n";
}

std::string failures_text(const CheckReport& report) {
  const std::vector<const CaseReport*> failing = cases_of(report, CaseStatus::fail);
  if (failing.empty()) return "";
  // One case of each cause says more than five of one.
  std::vector<const CaseReport*> chosen;
  for (const ReasonGroup& cause : by_cause(report)) chosen.push_back(cause.cases.front());
  for (const CaseReport* test : failing)
    if (std::ranges::find(chosen, test) == chosen.end() && chosen.size() < failures_shown) chosen.push_back(test);
  LimitedText text(bytes_of_failures);
  std::size_t shown = 0;
  for (const CaseReport* test : chosen)
    if (shown < failures_shown && text.add(failure_text(*test))) ++shown;
  std::string heading =
      shown == failing.size() ? "Failing cases:" : fmt::format("{} of {}, one of each cause first:", shown, counted(failing.size(), "failing case"));
  return heading + "\n\n" + text.text() + "\n";
}

std::string causes_list(const CheckReport& report) {
  LimitedText text(bytes_of_reasons);
  std::size_t left_out = 0;
  for (const CauseGroup& group : cause_groups(report)) {
    std::string line = "- The backend " + html_code(group.words);
    for (const CauseGroup::Part& part : group.parts) {
      std::string clauses;
      for (const DiagnosedClause& clause : part.cause->readings.front().clauses)
        clauses += " " + html_code(clause.choice + "=" + clause.found + ", expected " + clause.expected + " (" + clause.place + ")");
      line += "\n  - " + html_code(part_text(report, part)) + clauses;
    }
    if (!text.add(line + "\n")) ++left_out;
  }
  for (const OtherCases& other : other_cases(report))
    if (!text.add("- " + html_code(other.word) + ": " + counted(other.cases.size(), "failing case") + "\n")) ++left_out;
  return text.text() + (left_out > 0 ? "- " + counted(left_out, "more cause") + "\n" : "") + (text.text().empty() ? "" : "\n");
}

std::string reasons_list(const CheckReport& report) {
  LimitedText text(bytes_of_reasons);
  std::size_t left_out = 0;
  using enum CaseStatus;
  for (CaseStatus status : {invalid, unexpected_pass, inconclusive, unsupported, not_recorded, not_declared, nothing_compared})
    for (const ReasonGroup& group : by_reason(report, status))
      if (!text.add(fmt::format("- {} {}: {}\n", group.cases.size(), spoken_status(status), html_code(group.reason)))) ++left_out;
  return text.text() + (left_out > 0 ? "- " + counted(left_out, "more reason") + "\n" : "") + (text.text().empty() ? "" : "\n");
}

}  // namespace

std::string report_markdown(const CheckReport& report) {
  const ReportVerdict verdict = verdict_of(report);
  const char* sign = verdict.kind == ReportVerdict::Kind::conforms  ? ":white_check_mark:"
                     : verdict.kind == ReportVerdict::Kind::differs ? ":x:"
                                                                    : ":grey_question:";
  std::string text = fmt::format("### {} {}\n\n{}\n\n{}.\n\n", sign, verdict.word, html_code(verdict.sentence), counts_text(report));
  text += causes_list(report) + verdicts_by_op(report) + failures_text(report) + reasons_list(report);
  text += "<sub>tiebreak " + html_code(report.context_of("tool_version")) + ", spec " + html_code(report.context_of("spec_hash").substr(0, 8)) + ", seed " +
          html_code(report.context_of("seed")) + "</sub>\n";
  return text;
}

}  // namespace tiebreak
