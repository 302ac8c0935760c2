// SPDX-License-Identifier: Apache-2.0
// tiebreak rewrite: a program as a compiler's rules leave it.
#include "testsuite/rewrite/rewrite_program.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/program_file.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* rewrite_footer =
    "Examples:\n"
    "  tiebreak rewrite rewrites.mlir@real --rules 'affine/*'\n"
    "  tiebreak rewrite rewrites.mlir@real --rules affine/relu_without_zero_point --judge --json=rewrites.json -o rewritten.mlir    # exit 1\n"
    "\n"
    "PROGRAM is MLIR or Relay text, FILE@FUNCTION of several functions, or an ONNX model. Rules are tried at each operation, operands before users, by\n"
    "their names; what a rewrite makes is looked at next, until nothing changes. Rules that nobody applies are tried where they are named alone. What was done "
    "stands on standard error.\n"
    "Exit 0: rewritten; 1: with --judge, a rewrite changes results; 4: no rule stands anywhere; 5: with --judge, a rewrite is not decided.";

struct RewriteArguments {
  std::vector<std::string> program, rules;
  std::string profile = "reference", most, json, output;
  bool judge = false;
};

int exit_code(const RewriteReport& report) {
  if (report.made.empty()) return nothing_selected;
  int code = success;
  for (const MadeRewrite& one : report.made) {
    if (!one.judged || one.judged->verdict == RuleVerdict::holds) continue;
    if (one.judged->verdict != RuleVerdict::undecided) return finding;
    code = inconclusive;
  }
  return code;
}

Result<int> run_rewrite(const RewriteArguments& options) {
  if (options.program.size() != 1) return fail(Errc::usage, "name one program", "rewrite", "tiebreak rewrite program.mlir --rules 'affine/*'");
  if (options.rules.empty()) return fail(Errc::usage, "name the rules", "rewrite", "--rules 'affine/*'; tiebreak rule list has them");
  TIEBREAK_TRY(files, OutputFiles::open({options.json, options.output}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(profile, library->find_profile(options.profile));
  TIEBREAK_TRY(program, read_program(options.program.front()));
  TIEBREAK_TRY(pages, load_applied_rules(Library::default_directories(), options.rules));
  RewriteQuestion question{.name = options.program.front(), .judge = options.judge};
  if (!options.most.empty()) {
    TIEBREAK_TRY(most, parse_count(options.most, "--most"));
    question.most = most;
  }
  TIEBREAK_TRY(report, rewrite_program({*library, *profile}, program, pages, question));
  if (options.judge) TIEBREAK_CHECK(judge_rewrites(*library, report, {}));
  const bool is_shown = options.output.empty() || options.output == "-";
  print_note(rewrite_text(report));
  TIEBREAK_TRY(content, file_content(report.program, options.output));
  TIEBREAK_CHECK(files.write(options.output, content));
  TIEBREAK_CHECK(deliver(files, is_shown ? content : std::string(), {{options.json, [&] { return rewrite_json(report); }}}));
  return exit_code(report);
}

}  // namespace

void add_rewrite(Verb& app) {
  auto options = std::make_shared<RewriteArguments>();
  Verb* sub = app.add_subcommand("rewrite", "A program as the rewrites of a compiler leave it");
  sub->add_option("PROGRAM", options->program, "program file, or FILE@FUNCTION")->type_name("");
  sub->add_option("--rules", options->rules, "names of rules: 'tvm/*'; may be repeated")->type_name("GLOB");
  sub->add_flag("--judge", options->judge, "judge every rewrite with its own parameters over all inputs");
  sub->add_option("-p,--profile", options->profile, "semantics by which types are found that the program does not state (default reference)")
      ->type_name("PROFILE");
  sub->add_option("--most", options->most, "rewrites after which they count as endless (default 1000, and 16 for each operation)")->type_name("N");
  sub->add_option("-o,--output", options->output,
                  "the program, as MLIR text, or as a model where the file is called .onnx; without: MLIR text to standard output")
      ->type_name("FILE");
  sub->add_option("--json", options->json, "what was done, and the program, as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->footer = rewrite_footer;
  sub->action = [options] { return run_rewrite(*options); };
}

}  // namespace tiebreak::command
