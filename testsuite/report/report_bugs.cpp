// SPDX-License-Identifier: Apache-2.0
// Stored reports as a list of what was found: one entry a failing case, with the smallest thing that shows it and the command that shows it again.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/report/report.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t longest_bug_text = 400;

bool has_none_of(const std::string& text, std::string_view characters) {
  return std::ranges::none_of(text, [&](char c) {
    return static_cast<unsigned char>(c) < 0x20u || static_cast<unsigned char>(c) > 0x7Eu || characters.find(c) != std::string_view::npos;
  });
}

/// For a cell of a table in Markdown: as it is where nothing in it means something there.
std::string bug_cell(const std::string& text) {
  return has_none_of(text, "&<>`|*[]\\$~@") ? shortened(text, longest_bug_text) : markup_escaped(shortened(text, longest_bug_text));
}
std::string bug_code(const std::string& text) {
  if (text.empty()) return "";
  return has_none_of(text, "`|") ? "`" + shortened(text, longest_bug_text) + "`" : "<code>" + bug_cell(text) + "</code>";
}

/// What the case itself says; a smallest input is explained by many semantics, so that what was diagnosed on it alone is second to that.
std::string stated_cause(const CaseReport& test) {
  if (!test.description.empty()) return test.description;
  if (!test.diagnosis) return "";
  std::string text;
  for (const DiagnosedClause& clause : test.diagnosis->clauses)
    text += (text.empty() ? "" : "; ") + clause.choice + " is " + clause.found + ", not " + clause.expected + " (" + clause.place + ")";
  return text.empty() ? "not explained" : text;
}

std::string entry(const CaseReport& test) {
  for (const auto& [name, comparison] : test.outputs) {
    if (comparison.conforms || comparison.first.empty()) continue;
    const Mismatch& first = comparison.first.front();
    const std::string inputs = test.inputs_of_first.empty() ? "" : test.inputs_of_first.front();
    const std::string place = name + (comparison.shape.empty() ? "" : index_text(comparison.shape, first.index));
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", bug_cell(test.op), inputs.empty() ? "as in the case" : bug_code(inputs),
                       bug_code(place + " = " + first.expected), bug_code(first.actual), bug_code(first.before), bug_cell(stated_cause(test)),
                       bug_code(test.reproduce));
  }
  return fmt::format("| {} | as in the case | | {} | | {} | {} |\n", bug_cell(test.op), bug_cell(test.reason), bug_cell(stated_cause(test)),
                     bug_code(test.reproduce));
}

/// What a heading says: everything that a result depends on.
std::string heading(const CheckReport& report) {
  std::string text = report.context_of("backend") + " " + report.context_of("backend_version");
  if (std::string isa = report.context_of("backend_isa"); !isa.empty()) text += ", " + isa;
  for (const char* key : {"graph_level", "session_config", "engine"})
    if (std::string value = report.context_of(std::string("backend_") + key); !value.empty()) text += std::string(", ") + key + " " + value;
  return text + ", against the profile " + report.context_of("profile");
}

}  // namespace

std::string bugs_markdown(const std::vector<NamedReport>& reports) {
  std::string text;
  for (const NamedReport& one : reports) {
    std::vector<const CaseReport*> failing;
    for (const CaseReport& test : one.report.cases)
      if (test.status == CaseStatus::fail || test.status == CaseStatus::expected_fail) failing.push_back(&test);
    std::ranges::sort(failing, {}, [](const CaseReport* test) { return std::pair(test->op, test->id); });
    text += (text.empty() ? "" : "\n") + std::string("### ") + bug_cell(heading(one.report)) + "\n\n";
    if (failing.empty()) {
      text += "Nothing: " + counts_text(one.report) + ".\n";
      continue;
    }
    text += "| Op | Smallest input | Expected | Actual | Exactly | Why | Again |\n|---|---|---|---|---|---|---|\n";
    for (const CaseReport* test : failing) text += entry(*test);
  }
  return text;
}

Result<std::string> with_bugs(const std::string& document, const std::string& part, const std::string& file) {
  constexpr std::string_view begin = "<!-- bugs of backends -->\n", end = "<!-- /bugs of backends -->";
  const std::size_t from = document.find(begin), to = document.find(end);
  if (from == std::string::npos && to == std::string::npos) return part;
  if (from == std::string::npos || to == std::string::npos || to < from)
    return fail(Errc::usage, "one of the two marks of the generated part is missing", file, std::string(begin) + std::string(end));
  return document.substr(0, from + begin.size()) + "\n" + part + "\n" + document.substr(to);
}

}  // namespace tiebreak
