// SPDX-License-Identifier: Apache-2.0
// tiebreak spec verify: the examples of pages, and of any other Markdown text, executed.
#include "tools/tiebreak/spec/spec_verify.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "interpreter/json/json_value.hpp"
#include "testsuite/examples/example_report.hpp"
#include "testsuite/examples/example_verify.hpp"
#include "testsuite/examples/spec_verify.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* spec_verify_footer =
    "Examples:\n"
    "  tiebreak spec verify onnx.QuantizeLinear\n"
    "  tiebreak spec verify docs/spec.md --strict --baseline known.json --junit spec.xml\n"
    "\n"
    "Exit codes: 0 every example holds, is a known defect or cannot be checked, 1 one differs or is ill-formed, 2 a page or an\n"
    "example of one cannot be read, 4 no examples, 5 none can be checked, 6 a known defect holds.\n"
    "Alternatives of a choice that no example tells apart are warnings. What is compared how: docs/spec-verify.md.";

struct SpecVerifyArguments {
  std::vector<std::string> sources;
  std::string json, junit, defects, baseline, profile = "reference", colour = "auto";
  bool quiet = false, strict = false;
};

struct FileAnswers {
  std::string file;
  std::vector<ExampleAnswer> answers;
};

/// Pages of the installation in `pages`, other texts in `files`, each once and in order.
struct Sources {
  std::vector<const Page*> pages{};
  std::vector<std::string> files{};
};

Result<Sources> sources_of(const Library& library, const std::vector<std::string>& words) {
  Sources sources;
  std::set<std::string> chosen;
  for (const std::string& word : words) {
    std::error_code error;
    const Page* page = find_page(library, word);
    if (page == nullptr && std::filesystem::is_regular_file(word, error)) {
      if (chosen.insert(word).second) sources.files.push_back(word);
      continue;
    }
    TIEBREAK_TRY(named, named_page(library, word));
    if (chosen.insert(named->name).second) sources.pages.push_back(named);
  }
  if (words.empty()) {
    for (const auto& [name, page] : library.pages()) sources.pages.push_back(&page);
  }
  return sources;
}

std::string page_verdict_text(const PageVerdict& verdict, bool colour) {
  bool holds = verdict.findings.empty();
  std::string text = coloured(holds ? "  ok    " : "  FAIL  ", holds ? Colour::green : Colour::red, colour) + verdict.page + "  " +
                     std::to_string(verdict.held) + " of " + counted(verdict.examples, "example") + (verdict.examples == 1 ? " holds" : " hold");
  if (verdict.choices > 0) {
    text += "  " + counted(verdict.choices, "choice") + ", " + counted(verdict.alternatives, "alternative");
    text += verdict.not_told_apart.empty() ? ", each told apart" : ", " + counted(verdict.not_told_apart.size(), "pair") + " not told apart";
  }
  text += "\n";
  for (const ExampleFinding& finding : verdict.findings) {
    text += "        " + finding.where + (finding.condition.empty() ? "" : " @ " + finding.condition) + "  " + finding.what + "\n";
  }
  for (const std::string& pair : verdict.not_told_apart) text += "        warning: no example tells apart " + pair + "\n";
  return text;
}

void write_verdict(JsonWriter& json, const PageVerdict& verdict) {
  json.begin_object().member("page", verdict.page).member("file", verdict.file).member("examples", std::uint64_t{verdict.examples});
  json.member("hold", std::uint64_t{verdict.held})
      .member("choices", std::uint64_t{verdict.choices})
      .member("alternatives", std::uint64_t{verdict.alternatives});
  json.key("findings").begin_array();
  for (const ExampleFinding& finding : verdict.findings) {
    json.begin_object().member("where", finding.where).member("condition", finding.condition).member("what", finding.what).end_object();
  }
  json.end_array().member("not_told_apart", verdict.not_told_apart).key("answers").begin_array();
  for (const ExampleAnswer& answer : verdict.answers) write_answer(json, answer);
  json.end_array().end_object();
}

/// What was verified, before and after the baseline is laid over it.
struct Verified {
  std::vector<PageVerdict> pages{};
  std::vector<FileAnswers> files{};
  AnsweredReport answered{};

  /// The baseline speaks of all examples at once, the reports of one page or file each.
  void apply(const std::vector<BaselineEntry>& baseline, const std::string& profile) {
    std::vector<ExampleAnswer> all;
    for (const PageVerdict& page : pages) all.insert(all.end(), page.answers.begin(), page.answers.end());
    for (const FileAnswers& file : files) all.insert(all.end(), file.answers.begin(), file.answers.end());
    answered = report_answers(all, baseline, profile);
    auto next = all.begin();
    auto take = [&](std::vector<ExampleAnswer>& answers) {
      for (ExampleAnswer& answer : answers) answer = std::move(*next++);
    };
    for (PageVerdict& page : pages) take(page.answers);
    for (FileAnswers& file : files) take(file.answers);
  }
};

Result<Verified> verify_all(const Library& library, const Sources& sources, const SpecVerifyArguments& options) {
  Verified verified;
  for (const Page* page : sources.pages) {
    PageVerdict verdict = verify_page(library, *page, options.profile);
    if (interrupted()) return verified;  // what is half verified is no verdict
    verified.pages.push_back(std::move(verdict));
  }
  for (const std::string& file : sources.files) {
    TIEBREAK_TRY(text, read_text_file(file));
    TIEBREAK_TRY(answers, verify_markdown(
                              library, options.profile, file, text, [] { return interrupted(); }, options.strict));
    verified.files.push_back({file, std::move(answers)});
    if (interrupted()) return verified;
  }
  return verified;
}

std::string pages_text(const std::vector<PageVerdict>& pages, bool quiet, bool colour) {
  std::string text;
  std::size_t examples = 0, held = 0, statements = 0, untold = 0;
  for (const PageVerdict& verdict : pages) {
    examples += verdict.examples;
    held += verdict.held;
    statements += verdict.statements;
    untold += verdict.not_told_apart.size();
    if (!quiet || !verdict.findings.empty()) text += page_verdict_text(verdict, colour);
  }
  return text + counted(pages.size(), "page") + ": " + std::to_string(held) + " of " + counted(examples, "example") + " hold, " +
         counted(statements, "statement") + " checked, " + counted(untold, "pair") + " of alternatives not told apart\n";
}

std::string all_text(const Verified& verified, const SpecVerifyArguments& options, bool colour) {
  std::string text;
  if (!verified.pages.empty() || verified.files.empty()) text = pages_text(verified.pages, options.quiet, colour);
  for (const FileAnswers& file : verified.files) {
    text += answers_text(file.answers, colour, options.quiet);
    text += file.file + "\n" + answers_summary(file.answers);
  }
  return text;
}

std::string all_json(const Verified& verified, const Library& library, const SpecVerifyArguments& options) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.spec-verify/1").member("spec_hash", library.hash()).member("profile", options.profile);
  json.key("pages").begin_array();
  for (const PageVerdict& page : verified.pages) write_verdict(json, page);
  json.end_array().key("files").begin_array();
  for (const FileAnswers& file : verified.files) {
    json.begin_object().member("file", file.file).key("examples").begin_array();
    for (const ExampleAnswer& answer : file.answers) write_answer(json, answer);
    json.end_array().end_object();
  }
  return json.end_array().end_object().text();
}

std::string all_defects(const Verified& verified) {
  std::vector<ExampleAnswer> all;
  for (const PageVerdict& page : verified.pages) all.insert(all.end(), page.answers.begin(), page.answers.end());
  for (const FileAnswers& file : verified.files) all.insert(all.end(), file.answers.begin(), file.answers.end());
  return defects_markdown(all);
}

int exit_code_of_all(const Verified& verified) {
  const CheckReport& report = verified.answered.report;
  if (!verified.files.empty()) return report.exit_code();
  if (verified.pages.empty()) return nothing_selected;
  return report.cases.empty() ? success : report.exit_code();  // a page of definitions has no examples
}

Result<int> run_spec_verify(const SpecVerifyArguments& options) {
  TIEBREAK_TRY(colour, use_colour(options.colour));
  std::vector<BaselineEntry> baseline;
  if (!options.baseline.empty()) {
    TIEBREAK_TRY(entries, read_baseline(options.baseline));
    baseline = entries;
  }
  TIEBREAK_TRY(files, OutputFiles::open({options.junit, options.defects, options.json}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_CHECK(library->find_profile(options.profile));
  TIEBREAK_TRY(sources, sources_of(*library, options.sources));
  TIEBREAK_TRY(verified, verify_all(*library, sources, options));
  verified.apply(baseline, options.profile);
  for (const std::string& warning : verified.answered.warnings) print_note("tiebreak: warning: " + warning);
  verified.answered.report.context = {{"profile", options.profile}, {"spec_hash", library->hash()}, {"command", command_line()}};
  TIEBREAK_CHECK(deliver(files, all_text(verified, options, colour),
                         {{options.junit, [&] { return report_junit(verified.answered.report); }},
                          {options.defects, [&] { return all_defects(verified); }},
                          {options.json, [&] { return all_json(verified, *library, options); }}}));
  return exit_code_of_all(verified);
}

}  // namespace

void add_spec_verify(Verb& group) {
  auto options = std::make_shared<SpecVerifyArguments>();
  Verb* sub = group.add_subcommand("verify", "Execute every example in the text and compare it with what stands there");
  sub->add_option("SOURCE", options->sources, "pages, ops, or Markdown files such as the StableHLO specification (default: all pages)")->type_name("");
  sub->add_option("-p,--profile", options->profile, "semantics of values without a condition (default: reference)")->type_name("PROFILE");
  sub->add_option("--baseline,--expect-fail", options->baseline, "JSON list of {case, reason, profile}: examples known to be wrong")->type_name("FILE");
  sub->add_flag("--strict", options->strict, "an op that has no page fails where its dialect has pages (without: it cannot be checked)");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--junit", options->junit, "report as JUnit XML")->type_name("FILE");
  sub->add_option("--defects", options->defects, "what differs or is ill-formed, as a Markdown table")->type_name("FILE");
  sub->add_option("--color", options->colour, "auto (default), always, never")->type_name("WHEN");
  sub->add_flag("-q,--quiet", options->quiet, "only what needs a look, and the counts");
  sub->footer = spec_verify_footer;
  sub->action = [options] { return run_spec_verify(*options); };
}

}  // namespace tiebreak::command
