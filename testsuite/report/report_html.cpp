// SPDX-License-Identifier: Apache-2.0
// The page as a whole. Each part has its share of the page's size, so that no report, however large or odd, makes one that cannot be
// mailed; what a part leaves out it counts.
#include "testsuite/report/report_html.hpp"
#include "testsuite/report/report_model.hpp"

#include <fmt/format.h>

#include "testsuite/report/html_document.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t bytes_of_cases = 1'000'000, bytes_of_rest = 120'000, bytes_of_models = 100'000, bytes_of_groups = 70'000, bytes_of_context = 60'000;
constexpr std::size_t cases_open = 1, ids_of_a_group = 200, longest_id = 300, longest_html_text = 1000;

std::string safe_text(const std::string& text, std::size_t most = longest_html_text) { return markup_escaped(shortened(text, most)); }

std::string left_out_line(std::size_t count, const char* noun) {
  return count == 0 ? "" : "<p class=\"quiet\">" + counted(count, noun) + " not shown here; the JSON report has all.</p>\n";
}

std::string verdict_section(const CheckReport& report) {
  const ReportVerdict verdict = verdict_of(report);
  using enum ReportVerdict::Kind;
  const char* kind = verdict.kind == conforms ? "conforms" : verdict.kind == differs ? "differs" : "unclear";
  const char* sign = verdict.kind == conforms ? "\u2713" : verdict.kind == differs ? "\u2717" : "?";
  std::string text =
      fmt::format("<header class=\"verdict {}\"><h1>{} {}</h1>\n<p>{}</p>\n<ul class=\"counts\">", kind, sign, verdict.word, safe_text(verdict.sentence));
  std::map<CaseStatus, std::size_t> counts = report.counts();
  for (CaseStatus status : every_status) text += fmt::format("<li><b>{}</b> <span class=\"quiet\">{}</span></li>", counts[status], spoken_status(status));
  return text + "</ul></header>\n";
}

std::string context_section(const CheckReport& report) {
  std::string brief = "tiebreak " + report.context_of("tool_version") + ", spec " + report.context_of("spec_hash").substr(0, 8) + ", backend " +
                      report.context_of("backend") + " " + report.context_of("backend_version");
  if (std::string isa = report.context_of("backend_isa"); !isa.empty()) brief += " (" + isa + ")";
  LimitedText rows(bytes_of_context);
  for (const auto& [name, value] : report.context)
    if (name != "command") rows.add("<tr><th>" + safe_text(name, longest_id) + "</th><td class=\"mono\">" + safe_text(value) + "</td></tr>\n");
  return "<details><summary>Environment: <span class=\"quiet\">" + safe_text(brief) + "</span></summary>\n<table class=\"facts\"><tbody>\n" + rows.text() +
         "</tbody></table>\n" + left_out_line(rows.left_out(), "entry") + html_command("command", report.context_of("command")) + "</details>\n";
}

std::string case_link(const CaseReport& test, const std::map<const CaseReport*, std::size_t>& places, const std::set<std::size_t>& shown) {
  const std::size_t index = places.at(&test);
  const std::string id = safe_text(test.id, longest_id);
  return shown.contains(index) ? "<a href=\"#" + html_anchor(index) + "\">" + id + "</a>" : id;
}

std::string causes_section(const CheckReport& report, const std::map<const CaseReport*, std::size_t>& places, const std::set<std::size_t>& shown) {
  LimitedText rows(bytes_of_groups);
  const auto add = [&](const std::string& words, const std::string& where, std::size_t count, const std::string& clauses, const CaseReport& first) {
    rows.add(fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"mono\">{}</td><td>{}</td></tr>\n", safe_text(words),
                         safe_text(where), count, safe_text(clauses), case_link(first, places, shown)));
  };
  for (const CauseGroup& group : cause_groups(report))
    for (const CauseGroup::Part& part : group.parts) {
      std::string clauses;
      for (const DiagnosedClause& clause : part.cause->readings.front().clauses)
        clauses += (clauses.empty() ? "" : "; ") + clause.choice + ": expected " + clause.expected + ", found " + clause.found + " (" + clause.place + ")";
      add(&part == &group.parts.front() ? group.words : "the same", part_text(report, part), part.cases.size(), clauses, *part.cases.front());
    }
  for (const OtherCases& other : other_cases(report)) {
    const Diagnosis& diagnosis = *other.cases.front()->diagnosis;
    add(other.word, "", other.cases.size(), diagnosis.clauses.empty() ? "" : diagnosis.clauses.front().place, *other.cases.front());
  }
  if (rows.text().empty()) return "";
  return "<h2>Causes</h2>\n<div class=\"scroll\"><table><thead><tr><th>what the backend does</th><th>where</th><th "
         "class=\"number\">cases</th><th>clause</th><th>first case</th></tr></thead><tbody>\n" +
         rows.text() + "</tbody></table></div>\n" + left_out_line(rows.left_out(), "more cause");
}

/// The failing cases, as many as fit; the others by name, as many as fit.
std::string failing_section(const CheckReport& report, std::set<std::size_t>& shown) {
  const std::string policy = report.context_of("policy");
  LimitedText cases(bytes_of_cases), names(bytes_of_rest);
  std::size_t rest = 0;
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const CaseReport& test = report.cases[i];
    if (test.status != CaseStatus::fail) continue;
    if (cases.left_out() == 0 && cases.add(html_case(test, policy, html_anchor(i), shown.size() < cases_open))) {
      shown.insert(i);
      continue;
    }
    ++rest;
    names.add("<li>" + safe_text(test.id, longest_id) + " <span class=\"quiet\">" + safe_text(test.reason, longest_id) + "</span></li>\n");
  }
  if (shown.empty() && rest == 0) return "";
  std::string text = "<h2>Failing cases</h2>\n" + cases.text();
  if (rest > 0)
    text += "<details><summary>" + counted(rest, "more failing case") + " by name only: the page would grow too large</summary><ul class=\"ids\">\n" +
            names.text() + "</ul>\n" + left_out_line(names.left_out(), "more case") + "</details>\n";
  return text;
}

std::string group_text(const ReasonGroup& group) {
  std::string text = "<details><summary><b>" + std::to_string(group.cases.size()) + "</b> <span class=\"quiet\">" +
                     (group.reason.empty() ? "no reason is given" : safe_text(group.reason)) + "</span></summary><ul class=\"ids\">\n";
  for (std::size_t i = 0; i < group.cases.size() && i < ids_of_a_group; ++i) text += "<li>" + safe_text(group.cases[i]->id, longest_id) + "</li>\n";
  text += "</ul>\n";
  if (group.cases.size() > ids_of_a_group) text += left_out_line(group.cases.size() - ids_of_a_group, "more case");
  if (group.cases.front()->status == CaseStatus::inconclusive || group.cases.front()->status == CaseStatus::invalid)
    text += html_command("reproduce", group.cases.front()->reproduce);
  return text + "</details>\n";
}

std::string status_section(const CheckReport& report, CaseStatus status, const char* heading) {
  const std::vector<ReasonGroup> groups = by_reason(report, status);
  if (groups.empty()) return "";
  LimitedText text(bytes_of_groups);
  std::size_t left_out = 0;
  for (const ReasonGroup& group : groups)
    if (!text.add(group_text(group))) left_out += group.cases.size();
  return std::string("<h2>") + heading + "</h2>\n" + text.text() + left_out_line(left_out, "more case");
}

}  // namespace

std::string report_html(const CheckReport& report) {
  std::map<const CaseReport*, std::size_t> places;
  for (std::size_t i = 0; i < report.cases.size(); ++i) places[&report.cases[i]] = i;
  std::set<std::size_t> shown;
  const std::string failing = failing_section(report, shown);
  std::string models;
  for (const ModelReport& model : report.models)
    if (models.size() < bytes_of_models) models += model_html(model);
  std::string body =
      verdict_section(report) + causes_section(report, places, shown) + context_section(report) + models + html_heat_map(report, shown) + failing;
  using enum CaseStatus;
  for (auto [status, heading] :
       {std::pair{invalid, "Invalid cases"}, std::pair{unexpected_pass, "Listed as failing, and conform"}, std::pair{inconclusive, "Inconclusive"},
        std::pair{unsupported, "Unsupported"}, std::pair{not_recorded, "Not recorded"}, std::pair{not_declared, "Not declared"},
        std::pair{nothing_compared, "Nothing compared"}, std::pair{expected_fail, "Known failures"}, std::pair{not_run, "Not run"}})
    body += status_section(report, status, heading);
  return html_document(shortened(verdict_of(report).word + ": " + report.context_of("backend") + " against " + report.context_of("profile"), longest_id), body);
}

}  // namespace tiebreak
