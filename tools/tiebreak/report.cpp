// SPDX-License-Identifier: Apache-2.0
// tiebreak report: what becomes of stored reports. Nothing is computed or asked again.
#include "testsuite/report/report.hpp"

#include <filesystem>

#include "interpreter/json/json_value.hpp"
#include "testsuite/report/report_table.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

struct ReportArguments {
  std::string report, before, after, output, json, junit, html, markdown, show = "20", colour = "auto";
  std::vector<std::string> reports;
  bool quiet = false, force = false, verdict = false;
};

/// Every form that was asked for; the text on standard output, or JSON in its place.
Status write_forms(const CheckReport& report, const ReportArguments& options) {
  TIEBREAK_TRY(colour, use_colour(options.colour));
  TIEBREAK_TRY(show, parse_show(options.show));
  TIEBREAK_TRY(files, OutputFiles::open({options.output, options.junit, options.html, options.markdown, options.json}));
  return deliver(files, options.quiet ? counts_text(report) + "\n" : report_text(report, colour, show, output_width()),
                 {{options.output, [&] { return report_json(report); }},
                  {options.junit, [&] { return report_junit(report); }},
                  {options.html, [&] { return report_html(report); }},
                  {options.markdown, [&] { return report_markdown(report); }},
                  {options.json, [&] { return report_json(report); }}});
}

Result<int> run_report_show(const ReportArguments& options) {
  TIEBREAK_TRY(report, read_report(options.report));
  TIEBREAK_CHECK(write_forms(report, options));
  return options.verdict ? report.exit_code() : success;
}

Result<int> run_report_merge(ReportArguments options) {
  std::vector<NamedReport> reports;
  for (const std::string& path : options.reports) {
    TIEBREAK_TRY(report, read_report(path));
    reports.push_back({path, std::move(report)});
  }
  TIEBREAK_TRY(merged, merge_reports(reports, options.force));
  for (const std::string& warning : merge_warnings(reports)) print_note("tiebreak: warning: " + warning);
  options.quiet = true;
  TIEBREAK_CHECK(write_forms(merged, options));
  if (!options.verdict) return success;
  // What is missing might have any outcome. A finding stays one.
  const int code = merged.exit_code();
  return merged.incomplete && (code == success || code == nothing_selected) ? inconclusive : code;
}

Result<int> run_report_table(const ReportArguments& options) {
  std::vector<NamedReport> reports;
  for (const std::string& path : options.reports) {
    TIEBREAK_TRY(report, read_report(path));
    reports.push_back({path, std::move(report)});
  }
  TIEBREAK_CHECK(print(report_table(reports, output_width())));
  return success;
}

Result<int> run_report_diff(const ReportArguments& options) {
  TIEBREAK_TRY(elements, parse_show(options.show));
  TIEBREAK_TRY(before, read_report(options.before));
  TIEBREAK_TRY(after, read_report(options.after));
  ReportDifference difference = diff_reports(before, after, elements);
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_CHECK(deliver(files, difference_text(difference), {{options.json, [&] { return difference_json(difference); }}}));
  return difference.worse() ? finding : success;
}

/// A list of what was found. In a document with marks, only the part between them is new.
Result<int> run_report_bugs(const ReportArguments& options) {
  std::vector<NamedReport> reports;
  for (const std::string& path : options.reports) {
    TIEBREAK_TRY(report, read_report(path));
    reports.push_back({path, std::move(report)});
  }
  std::string text = bugs_markdown(reports);
  if (options.output.empty()) {
    TIEBREAK_CHECK(print(text));
    return success;
  }
  std::error_code error;
  if (std::filesystem::exists(options.output, error)) {
    TIEBREAK_TRY(document, read_text_file(options.output));
    TIEBREAK_TRY(whole, with_bugs(document, text, options.output));
    text = whole;
  }
  TIEBREAK_CHECK(write_file(options.output, text));
  return success;
}

void add_forms(Verb& sub, ReportArguments& options) {
  sub.add_option("--json", options.json, "as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub.add_option("--junit", options.junit, "as JUnit XML")->type_name("FILE");
  sub.add_option("--html", options.html, "as one page that needs nothing else")->type_name("FILE");
  sub.add_option("--markdown", options.markdown, "as a comment for a pull request")->type_name("FILE");
  sub.add_flag("--exit-code", options.verdict, "end with the code that check would have ended with");
}

}  // namespace

void add_report(Verb& app) {
  auto options = std::make_shared<ReportArguments>();
  Verb* group = app.add_subcommand("report", "Show, merge and compare stored reports");
  Verb* sub = group->add_subcommand("show", "A stored report in any form");
  sub->add_option("REPORT", options->report, "what check --json=FILE wrote")->type_name("")->required();
  add_forms(*sub, *options);
  sub->add_option("--show", options->show, "mismatches shown for each output, or all that were kept (default 20)")->type_name("N");
  sub->add_option("--color", options->colour, "auto (default), always, never")->type_name("WHEN");
  sub->add_flag("-q,--quiet", options->quiet, "only the counts");
  sub->footer = "Exit codes: 0 done, 2 no report of tiebreak, or a damaged one; with --exit-code those of check.";
  sub->action = [options] { return run_report_show(*options); };
  sub = group->add_subcommand("merge", "The shards of one run as one report");
  sub->add_option("REPORT", options->reports, "what check --json=FILE wrote, once a shard")->type_name("")->required();
  sub->add_option("-o,--output", options->output, "the merged report as JSON")->type_name("FILE");
  sub->add_flag("--force", options->force, "join reports of different tools, pages, profiles, policies or backends all the same");
  add_forms(*sub, *options);
  sub->footer =
      "Exit codes: 0 done, 2 the reports do not belong together, contradict each other, or cannot be read;\n"
      "with --exit-code those of check, and 5 where a part is missing or was interrupted and nothing else was found.";
  sub->action = [options] { return run_report_merge(*options); };
  sub = group->add_subcommand("table", "Several runs as one table: a row for each op, a column for each backend and profile");
  sub->add_option("REPORT", options->reports, "what check --json=FILE wrote, once a run")->type_name("")->required();
  sub->footer =
      "Cells: conforms ELEMENTS, differs COUNT of ELEMENTS, inconclusive CASES, a dot where nothing was judged. Exit codes: 0 done, 2 a report cannot be read.";
  sub->action = [options] { return run_report_table(*options); };
  sub = group->add_subcommand("bugs", "What failed, as tables for docs/bugs-found.md");
  sub->add_option("REPORT", options->reports, "what check --json=FILE wrote, one a backend")->type_name("")->required();
  sub->add_option("-o,--output", options->output, "the document; where it has marks for a generated part, only that is replaced")->type_name("FILE");
  sub->footer = "Exit codes: 0 done, 2 a report cannot be read, or the document has one mark only.";
  sub->action = [options] { return run_report_bugs(*options); };
  sub = group->add_subcommand("diff", "What is worse, better or different in a second run, element by element");
  sub->add_option("BEFORE", options->before, "a report")->type_name("")->required();
  sub->add_option("AFTER", options->after, "a later one")->type_name("")->required();
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->add_option("--show", options->show, "elements shown for each output, or all (default 20)")->type_name("N");
  sub->footer = "Exit codes: 0 nothing got worse, 1 something did, 2 a report cannot be read.";
  sub->action = [options] { return run_report_diff(*options); };
}

}  // namespace tiebreak::command
