// SPDX-License-Identifier: Apache-2.0
// tiebreak score: which wrong implementations a set of cases would not see.
#include "testsuite/score/score.hpp"

#include <chrono>

#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* score_footer =
    "Examples:\n"
    "  tiebreak score -k 'onnx.*' --profile onnxruntime-x64 -j auto\n"
    "  tiebreak score --op onnx.QuantizeLinear --survivors\n"
    "  tiebreak score my-cases/ --profile onnx --json=score.json    # exit 1: mutants survive\n"
    "\n"
    "A mutant is the op's formula with one change: another rounding, a format dropped or narrower, another order, a sign, a constant.\n"
    "A case kills it if an element of a result differs. What stairs over the whole input or the formula itself prove equal does not count.\n"
    "Exit codes: 0 no mutant survives, or as many as --left says, 1 others do, 2 usage or data, 3 internal, 4 nothing selected, 130 and 143 interrupted.\n"
    "More: docs/score.md.";

struct ScoreArguments {
  SelectionText selection;
  std::string profile = "reference", op, jobs = "1", left = "0", json;
  bool survivors = false, no_proofs = false;
};

Result<int> run_score(const ScoreArguments& options) {
  const auto start = std::chrono::steady_clock::now();
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  TIEBREAK_TRY(left, parse_count(options.left, "--left"));
  TIEBREAK_TRY(selection, to_selection(options.selection));
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(profile, library->find_profile(options.profile));
  selection.preferred_profile = options.profile;
  TIEBREAK_TRY(cases, select_cases(*library, selection));
  ScoreOptions settings{.profile = options.profile, .op = options.op, .jobs = jobs, .proofs = !options.no_proofs};
  Progress progress("scored", options.json != "-");
  settings.progress = [&](std::size_t done, std::size_t total) { progress(done, total); };
  settings.interrupted = [] { return interrupted(); };
  TIEBREAK_TRY(report, score(*library, cases, settings));
  progress.clear();
  if (report.cells.empty()) print_error({Errc::usage, "nothing is selected that could be scored", "", "tiebreak case list shows what there is"});
  report.context["command"] = command_line();
  TIEBREAK_CHECK(deliver(files,
                         undeclared_line({*library, *profile}, options.op.empty() ? ops_of_cases(cases) : std::set<std::string>{options.op}) +
                             score_text(report, options.survivors),
                         {{options.json, [&] { return score_json(report); }}}));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_note(counted(cases.size(), "case") + " in " + decimal_text(seconds, 3) + " s");
  if (left == 0 || report.cells.empty() || report.incomplete) return report.exit_code();
  const bool as_said = report.count(MutantState::surviving) == static_cast<std::size_t>(left);
  print_note((as_said ? "as many survive as --left says: " : "--left says: ") + options.left);
  return as_said ? 0 : 1;
}

}  // namespace

void add_score(Verb& app) {
  auto options = std::make_shared<ScoreArguments>();
  Verb* sub = app.add_subcommand("score", "Which wrong implementations a set of cases would not see");
  add_selection(*sub, options->selection);
  sub->add_option("-p,--profile", options->profile, "semantics that is changed (default reference)")->type_name("PROFILE");
  sub->add_option("--op", options->op, "only mutants of this op")->type_name("OP");
  sub->add_option("-j,--jobs", options->jobs, "mutants run at the same time, or auto (default 1); never changes a result")->type_name("N");
  sub->add_option("--json", options->json, "report as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->add_flag("--survivors", options->survivors, "only what survives, without the table");
  sub->add_option("--left", options->left, "as many are known to survive: fewer fail as well as more (default 0)")->type_name("N");
  sub->add_flag("--no-proofs", options->no_proofs,
                "what no case kills survives, whether it can be shown to be equal or not: a fast count while cases are looked for");
  sub->footer = score_footer;
  sub->action = [options] { return run_score(*options); };
}

}  // namespace tiebreak::command
