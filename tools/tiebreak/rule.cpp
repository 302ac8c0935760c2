// SPDX-License-Identifier: Apache-2.0
// tiebreak rule: rewrites of compilers, and whether they hold.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/json/json_value.hpp"
#include "testsuite/backends/recorded_backend.hpp"
#include "testsuite/rules/ask_rule.hpp"
#include "testsuite/rules/judge_rule.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* verify_footer =
    "Examples:\n"
    "  tiebreak rule verify 'tvm/relu*'\n"
    "  tiebreak rule verify 'tvm/clip*' --json=rules.json --markdown rules.md\n"
    "  tiebreak rule verify 'onnxruntime/*' --backend reference\n"
    "\n"
    "A rule is judged over all inputs of its programs, for every set of its parameters, and its verdict compared with the one that its page states.\n"
    "With --backend the rules that fail are asked at their witness: does the backend give for the program before the rewrite what stands after it gives?\n"
    "Exit 0: every verdict is the stated one, 1: one is not; so with what their pages say of the backend.";

struct RuleArguments {
  std::vector<std::string> globs;
  std::string combinations = "16777216", json, markdown, backend, record;
  AdapterText adapter;
  bool check = false;
};

Result<int> run_list(const RuleArguments& options) {
  TIEBREAK_TRY(pages, load_rules(Library::default_directories(), options.globs));
  std::string text;
  for (const RulePage& page : pages) text += fmt::format("{}  {} ({})\n", page.name, page.title, counted(page.sets(), "parameter set"));
  TIEBREAK_CHECK(print(text));
  return success;
}

/// The backend on the witnesses of the rules that fail.
struct AskedBackend {
  std::unique_ptr<Backend> backend;
  std::string spelled;  ///< as pages write it: the name that it gives itself, and the options
};

Result<AskedBackend> open_asked(const RuleArguments& options) {
  TIEBREAK_TRY(settings, to_backend_options(options.adapter));
  TIEBREAK_TRY(backend, open_backend(options.backend, settings));
  TIEBREAK_TRY(description, backend->describe());
  std::string spelled = description.name;
  for (const std::string& option : options.adapter.options) spelled += " " + option;
  if (const std::size_t own = options.backend.find(" --"); own != std::string::npos) spelled += options.backend.substr(own);
  return AskedBackend{std::move(backend), std::move(spelled)};
}

/// Whether the backend did what the pages say of it.
Result<bool> ask_all(const RuleArguments& options, const Library& library, const std::vector<RuleReport>& reports) {
  if (options.backend.empty()) return true;
  TIEBREAK_TRY(asked, open_asked(options));
  std::unique_ptr<RecordingBackend> recording;
  if (!options.record.empty()) {
    TIEBREAK_TRY(around, RecordingBackend::open(*asked.backend, options.record));
    recording = std::move(around);
  }
  std::vector<RuleAnswer> answers;
  for (const RuleReport& report : reports) {
    if (!report.witness) continue;
    TIEBREAK_TRY(answer, ask_rule(library, report, asked.spelled, recording ? *recording : *asked.backend));
    answers.push_back(std::move(answer));
  }
  if (recording) {
    const auto kept = recording->finish(true);
    if (!kept) return tl::unexpected<Error>(kept.error());
  }
  if (options.json != "-") TIEBREAK_CHECK(print(answers_text(asked.spelled, answers)));
  return std::ranges::all_of(answers, &RuleAnswer::as_stated);
}

Result<int> run_verify(const RuleArguments& options) {
  if (!options.record.empty() && options.backend.empty()) return fail(Errc::usage, "nobody answers what is to be recorded", "--record", "--backend BACKEND");
  if (options.check && options.markdown.empty()) return fail(Errc::usage, "nothing to compare with", "--check", "--markdown FILE");
  const std::string written = options.check ? "" : options.markdown;
  TIEBREAK_TRY(files, OutputFiles::open({options.json, written}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(pages, load_rules(Library::default_directories(), options.globs));
  ElementQuestion limits;
  TIEBREAK_TRY(combinations, parse_count(options.combinations, "--combinations"));
  limits.combinations = combinations;
  std::vector<RuleReport> reports;
  bool as_stated = true;
  for (const RulePage& page : pages) {
    TIEBREAK_TRY(report, judge_rule(*library, page, limits));
    as_stated = as_stated && report.as_stated();
    reports.push_back(std::move(report));
  }
  TIEBREAK_CHECK(
      deliver(files, rules_text(reports), {{options.json, [&] { return rules_json(reports); }}, {written, [&] { return rules_markdown(reports); }}}));
  if (options.check) {
    TIEBREAK_TRY(page, read_text_file(options.markdown));
    if (page != rules_markdown(reports)) {
      print_error({Errc::usage, "not what is generated", options.markdown, "tiebreak rule verify --markdown " + options.markdown});
      return finding;
    }
  }
  TIEBREAK_TRY(seen, ask_all(options, *library, reports));
  return as_stated && seen ? success : finding;
}

}  // namespace

void add_rule(Verb& app) {
  Verb* sub = app.add_subcommand("rule", "Rewrites of compilers, judged over all inputs");
  auto listed = std::make_shared<RuleArguments>();
  Verb* list = sub->add_subcommand("list", "The rules there are");
  list->add_option("GLOB", listed->globs, "names of rules: 'tvm/*' (default: all)")->type_name("...");
  list->action = [listed] { return run_list(*listed); };
  auto options = std::make_shared<RuleArguments>();
  Verb* verify = sub->add_subcommand("verify", "Judge rules, and compare with what their pages state");
  verify->add_option("GLOB", options->globs, "names of rules: 'tvm/*' (default: all)")->type_name("...");
  verify->add_option("--combinations", options->combinations, "inputs looked at one by one at most, for each output element (default 2^24)")->type_name("N");
  verify->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  verify->add_option("--markdown", options->markdown, "the table of docs/rules.md")->type_name("FILE");
  verify->add_flag("--check", options->check, "compare with the table in the file of --markdown instead of writing it");
  verify->add_option("-b,--backend", options->backend, "asked for the results at the witnesses: adapter by name, path of an executable, or recorded:FOLDER")
      ->type_name("BACKEND");
  verify->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  verify->add_option("--record", options->record, "keep what the backend answers, for --backend recorded:FOLDER (docs/recorded.md)")->type_name("FOLDER");
  verify->add_option("--timeout", options->adapter.timeout, "seconds the two programs of a rule may take in the backend (default 60)")->type_name("SECONDS");
  verify->footer = verify_footer;
  verify->action = [options] { return run_verify(*options); };
}

}  // namespace tiebreak::command
