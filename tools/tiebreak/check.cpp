// SPDX-License-Identifier: Apache-2.0
// tiebreak check: the conformance run.
#include "testsuite/check/check.hpp"

#include <chrono>
#include <optional>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/check/baseline.hpp"
#include "testsuite/check/earlier_verdicts.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/check/smoke.hpp"
#include "testsuite/layers/dumps_backend.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/check_models.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/recording.hpp"
#include "tools/tiebreak/line/run_options.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* check_footer =
    "Examples:\n"
    "  tiebreak check 'onnx.QLinear*' --backend onnxruntime --profile onnx -j 4    # exit 1: it leaves the text\n"
    "  tiebreak check 'onnx.QuantizeLinear/*' --backend onednn --policy lsb:1@0.1% --allow-unsupported\n"
    "  tiebreak check golden/ --backend ./adapter --backend-option=--level=0 --json=report.json\n"
    "  tiebreak check --list -k '*/ties/*'\n"
    "  tiebreak check --backend ./adapter --shard 1/4 --isolate --repeat 3 --json=part1.json\n"
    "  tiebreak check --backend ./adapter --from part1.json --status fail,inconclusive\n"
    "  tiebreak check model.onnx --backend onnxruntime --per-layer --inputs x.pb --html model.html\n"
    "  tiebreak check model.tflite --backend litert --per-layer\n"
    "  tiebreak check model.onnx --dumps device/ --profile onnx\n"
    "\n"
    "Exit codes: 0 everything conforms or is expected to fail, 1 a mismatch, 2 usage or data, 3 internal, 4 nothing selected,\n"
    "5 inconclusive (unsupported, not recorded, crashed, timed out), 6 an expected failure passes, 130 and 143 interrupted.\n"
    "Policies: docs/policies.md. Reports: docs/reports.md. Models: docs/models.md.";

struct CheckArguments {
  SelectionText selection;
  RunText run;
  ModelText model;
  std::string level = "default", backend, profile, policy = "exact", engine = "fast", jobs = "1", show = "20", colour = "auto";
  std::string json, junit, html, markdown, expect_fail, record;
  AdapterText adapter;
  bool list = false, quiet = false, allow_unsupported = false, no_known = false;
};

struct Outputs {
  bool colour = false;
  std::size_t show = 20;
};

Result<Level> parse_level(const std::string& text) {
  if (text == "smoke") return Level::smoke;
  if (text == "default") return Level::standard;
  if (text == "full") return Level::full;
  const std::string near = nearest(text, std::vector<std::string>{"smoke", "default", "full"});
  return fail(Errc::usage, "unknown level '" + text + "'", "--level", near.empty() ? "one of smoke default full" : "did you mean '" + near + "'?");
}

/// What a reproducing command needs besides the case, the profile and the policy.
std::string reproduce_arguments(const CheckArguments& options) {
  std::string text = options.model.dumps.empty() ? "--backend " + shell_quoted(options.backend) : "--dumps " + shell_quoted(options.model.dumps);
  for (const std::string& option : options.adapter.options) text += " " + shell_quoted("--backend-option=" + option);
  if (options.engine != "fast") text += " --engine " + options.engine;
  if (!options.selection.seed.empty()) text += " --seed " + shell_quoted(options.selection.seed);
  for (const std::string& shape : options.selection.shapes) text += " --input-shape " + shell_quoted(shape);
  if (!options.adapter.timeout.empty()) text += " --timeout " + shell_quoted(options.adapter.timeout);
  if (!options.adapter.memory.empty()) text += " --memory " + shell_quoted(options.adapter.memory);
  if (options.no_known) text += " --no-known";
  return text + run_arguments(options.run) + model_arguments(options.model);
}

struct Selected {
  Selection selection;
  RunPlan plan;
};

/// Which cases, of which level, and which part of them runs how.
Result<Selected> selected_by(const CheckArguments& options) {
  TIEBREAK_TRY(selection, to_selection(options.selection));
  TIEBREAK_TRY(level, parse_level(options.level));
  selection.level = level;
  TIEBREAK_TRY(plan, plan_run(options.run, options.backend, !options.selection.seed.empty(), selection));
  return Selected{std::move(selection), std::move(plan)};
}

Result<int> list_only(const CheckArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(selected, selected_by(options));
  Selection& selection = selected.selection;
  if (!options.model.is_by_layers()) TIEBREAK_CHECK(divide(*library, selected.plan.shard, selection));
  CheckOptions check;
  if (!options.profile.empty()) check.profile = options.profile;
  TIEBREAK_TRY(ids, options.model.is_by_layers() ? list_layers(*library, options.model, selection, check) : list_cases(*library, selection));
  std::string text;
  for (const std::string& id : ids) text += id + "\n";
  TIEBREAK_CHECK(print(text));
  return ids.empty() ? nothing_selected : success;
}

Status write_reports(const CheckReport& report, const CheckArguments& options, const Outputs& outputs, OutputFiles& files) {
  return deliver(files, options.quiet ? counts_text(report) + "\n" : report_text(report, outputs.colour, outputs.show, output_width()),
                 {{options.junit, [&] { return report_junit(report); }},
                  {options.html, [&] { return report_html(report); }},
                  {options.markdown, [&] { return report_markdown(report); }},
                  {options.json, [&] { return report_json(report); }}});
}

/// Everything that can be wrong with the command line but the backend and the sources: nothing is loaded or started before.
struct Settings {
  CheckOptions check;
  Outputs outputs;
  BackendOptions adapter;
  Selection selection;
  RunPlan plan{};
  std::vector<BaselineEntry> baseline{};
  std::shared_ptr<const EarlierVerdicts> earlier{};
};

Result<Settings> check_settings(const CheckArguments& options) {
  if (options.backend.empty() && options.model.dumps.empty()) return fail(Errc::usage, "no backend is named", "--backend", "tiebreak backend list");
  if (!options.backend.empty() && !options.model.dumps.empty())
    return fail(Errc::usage, "--dumps stands in a backend's place", "--backend " + options.backend, "name one of the two");
  if (!options.model.dumps.empty() && !options.record.empty()) return fail(Errc::usage, "--record keeps what a backend answers", "--record", "without --dumps");
  TIEBREAK_TRY(policy, parse_policy(options.policy));
  TIEBREAK_TRY(engine, parse_engine(options.engine));
  TIEBREAK_TRY(jobs, parse_jobs(options.jobs));
  TIEBREAK_TRY(show, parse_show(options.show));
  TIEBREAK_TRY(colour, use_colour(options.colour));
  TIEBREAK_TRY(adapter, to_backend_options(options.adapter));
  adapter.isolate = options.run.isolate;
  TIEBREAK_TRY(selected, selected_by(options));
  TIEBREAK_CHECK(check_model_options(options.model, options.run, selected.selection));
  Settings settings;
  settings.plan = selected.plan;
  settings.outputs = {colour, show};
  settings.adapter = adapter;
  settings.selection = selected.selection;
  if (!options.expect_fail.empty()) {
    TIEBREAK_TRY(entries, read_baseline(options.expect_fail));
    settings.baseline = entries;
  }
  if (!options.run.resume.empty()) {
    TIEBREAK_TRY(earlier, read_report(options.run.resume));
    settings.earlier = std::make_shared<const EarlierVerdicts>(std::move(earlier), options.run.resume);
    settings.check.earlier = settings.earlier.get();
  }
  settings.check.context = {{"seed", std::to_string(settings.selection.seed)}, {"engine", options.engine}, {"command", command_line_without("--resume")}};
  if (options.level != "default") settings.check.context["level"] = options.level;
  settings.check.policy = policy;
  settings.check.jobs = jobs;
  settings.check.repeat = selected.plan.repeat;
  settings.check.show = show;
  settings.check.evaluate = engine;
  settings.check.allow_unsupported = options.allow_unsupported;
  settings.check.reproduce_arguments = reproduce_arguments(options);
  settings.check.interrupted = [] { return interrupted(); };
  return settings;
}

/// The profile asked for, else the one the backend declares, else reference.
Result<std::string> profile_for(const Library& library, const CheckArguments& options, const BackendDescription& description) {
  if (!options.profile.empty()) return options.profile;
  if (description.profile.empty()) return std::string("reference");
  if (library.find_profile(description.profile)) return description.profile;
  return fail(Errc::unknown_name, "the backend declares the profile '" + description.profile + "', which is not known", options.backend,
              "name one with --profile");
}

/// Where in the whole selection the cases of a shard stand; where no shard is named nothing is said.
Status state_part(const std::vector<std::string>& all, const Shard& shard, CheckReport& report) {
  if (shard.named_by.empty()) return {};
  std::vector<std::string> ids;
  for (const CaseReport& test : report.cases) ids.push_back(test.id);
  TIEBREAK_TRY(part, places_of_part(all, ids));
  report.part = std::move(part);
  return {};
}

int nothing_to_run(const Settings& settings) {
  const std::string& why = settings.plan.nothing;
  print_error({Errc::usage, "nothing is selected" + (why.empty() ? why : ": " + why), "", why.empty() ? "tiebreak check --list shows what there is" : ""});
  return nothing_selected;
}

/// Of PROFILE:CHOICE=ALTERNATIVE: what the word means in these cases.
Status bind_choices(const Library& library, const std::vector<Case>& cases, CheckOptions& check) {
  if (cases.empty() || !changes_choices(check.profile)) return {};
  TIEBREAK_TRY(semantics, semantics_of_cases(library, cases, check.profile));
  check.semantics = std::move(semantics);
  return {};
}

/// Every case of the selection, or nothing where there is none.
Result<std::optional<CheckReport>> run_cases(const Library& library, Backend& backend, Settings& settings, bool quiet) {
  const bool is_smoke = settings.selection.level == Level::smoke && settings.plan.shard.is_whole();
  if (is_smoke && !changes_choices(settings.check.profile)) return check_smoke(library, settings.selection, backend, settings.check);
  TIEBREAK_TRY(all, divide(library, settings.plan.shard, settings.selection));
  TIEBREAK_TRY(cases, select_cases(library, settings.selection));
  TIEBREAK_CHECK(bind_choices(library, cases, settings.check));
  if (is_smoke) return check_smoke(library, settings.selection, backend, settings.check);
  // A shard may have no case at all: that is nobody's mistake, if the others have some.
  if (cases.empty() && all.empty()) return std::optional<CheckReport>();
  if (!settings.plan.shard.is_whole()) print_note("tiebreak: shard " + settings.plan.shard.text() + " (" + settings.plan.shard.named_by + ")");
  if (!settings.plan.shard.note.empty()) print_note("tiebreak: warning: " + settings.plan.shard.note);
  Progress progress("checked", !quiet);
  settings.check.progress = [&](std::size_t done, std::size_t total) { progress(done, total); };
  TIEBREAK_TRY(report, check(library, cases, backend, settings.check));
  progress.clear();
  TIEBREAK_CHECK(state_part(all, settings.plan.shard, report));
  return std::optional(std::move(report));
}

Result<std::unique_ptr<Backend>> answerer(const CheckArguments& options, const Settings& settings) {
  if (options.model.dumps.empty()) return open_backend(options.backend, settings.adapter);
  return std::make_unique<DumpsBackend>(options.model.dumps);
}

Result<int> run_check(const CheckArguments& options) {
  if (options.list) return list_only(options);
  auto start = std::chrono::steady_clock::now();
  TIEBREAK_TRY(settings, check_settings(options));
  TIEBREAK_TRY(files, OutputFiles::open({options.junit, options.html, options.markdown, options.json}));
  if (!options.model.layer_cases.empty()) TIEBREAK_CHECK(make_output_folder(options.model.layer_cases));
  TIEBREAK_TRY(library, load_library());
  if (!options.profile.empty()) TIEBREAK_CHECK(library->find_profile(options.profile.substr(0, options.profile.find(':'))));
  TIEBREAK_TRY(backend, answerer(options, settings));
  TIEBREAK_TRY(description, backend->describe());
  TIEBREAK_TRY(recording, recording_of(*backend, options.record));
  Backend& asked = recording ? *recording : *backend;
  TIEBREAK_TRY(profile, profile_for(*library, options, description));
  TIEBREAK_TRY(known, options.no_known ? Result<std::vector<BaselineEntry>>() : known_failures(*backend, description));
  settings.check.profile = profile;
  settings.selection.preferred_profile = profile;
  ModelWatch watch{.progress = !options.quiet};
  if (!options.json.empty()) watch.report = [&options](const CheckReport& so_far) { write_so_far(options.json, report_json(so_far)); };
  TIEBREAK_TRY(found, options.model.is_by_layers() ? check_models(*library, asked, options.model, settings.selection, settings.check, watch)
                                                   : run_cases(*library, asked, settings, options.quiet));
  if (!found) return nothing_to_run(settings);
  CheckReport& report = *found;
  const Status recorded = finish_record(recording.get(), !report.incomplete, options.record);
  for (const std::string& warning : apply_baseline(report, known, profile, true)) print_note("tiebreak: warning: " + warning);
  for (const std::string& warning : apply_baseline(report, settings.baseline, profile)) print_note("tiebreak: warning: " + warning);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.context["duration_seconds"] = decimal_text(seconds, 4);
  const Status remembered = after_run(settings.plan, options.backend, settings.selection.seed, report);  // the report says which part of a run it is
  TIEBREAK_CHECK(write_reports(report, options, settings.outputs, files));
  TIEBREAK_CHECK(remembered);
  TIEBREAK_CHECK(recorded);
  if (!options.quiet) print_note(counted(report.cases.size(), "case") + " in " + decimal_text(seconds, 3) + " s");
  return report.cases.empty() ? success : report.exit_code();
}

}  // namespace

void add_check(Verb& app) {
  auto options = std::make_shared<CheckArguments>();
  Verb* sub = app.add_subcommand("check", "Compare a backend with a profile, case by case");
  add_selection(*sub, options->selection);
  sub->add_option("--level", options->level, "smoke: two cases of each op that the backend takes; default; full: the installation's stairs and deep cases, too")
      ->type_name("LEVEL");
  sub->add_option("-b,--backend", options->backend,
                  "adapter of this installation by name, the path of an executable, or recorded:FOLDER; options of an\n"
                  "adapter's own may follow in the same word")
      ->type_name("BACKEND");
  sub->add_option("-p,--profile", options->profile,
                  "semantics to expect (default: what the backend declares, else reference);\nPROFILE:CHOICE=ALTERNATIVE,... takes some choices otherwise")
      ->type_name("PROFILE");
  sub->add_option("--policy", options->policy, "exact (default), lsb:N, ulp:N, steps:N, absolute:N, with a cap on how often: lsb:1@0.1%")->type_name("POLICY");
  sub->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  sub->add_option("--timeout", options->adapter.timeout, "seconds a batch of cases may take in the backend (default 60)")->type_name("SECONDS");
  sub->add_option("--memory", options->adapter.memory, "MiB of address space the adapter may use (default: no limit)")->type_name("MIB");
  add_record_option(*sub, options->record);
  add_run_options(*sub, options->run);
  add_model_options(*sub, options->model);
  sub->add_option("--engine", options->engine, "how expectations are computed: fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_option("-j,--jobs", options->jobs, "cases computed and adapters running at the same time, or auto (default 1); never changes a result")
      ->type_name("N");
  sub->add_option("--show", options->show, "mismatches shown for each output, or all (default 20)")->type_name("N");
  sub->add_option("--expect-fail", options->expect_fail, "JSON list of {case, reason, issue, profile, backend, until}: further failures that are expected")
      ->type_name("FILE");
  sub->add_flag("--no-known", options->no_known, "without the failures that are known of the adapter (tiebreak backend info says where that list is)");
  sub->add_flag("--allow-unsupported", options->allow_unsupported,
                "what the backend does not support, or a record does not have, does not make the run inconclusive");
  sub->add_option("--json", options->json, "report as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->add_option("--junit", options->junit, "report as JUnit XML")->type_name("FILE");
  sub->add_option("--html", options->html, "report as one page that needs nothing else")->type_name("FILE");
  sub->add_option("--markdown", options->markdown, "report as a comment for a pull request")->type_name("FILE");
  sub->add_option("--color", options->colour, "auto (default), always, never")->type_name("WHEN");
  sub->add_flag("--list", options->list, "print the ids of the selected cases and do nothing else");
  sub->add_flag("-q,--quiet", options->quiet, "only the counts");
  sub->footer = check_footer;
  sub->action = [options] { return run_check(*options); };
}

}  // namespace tiebreak::command
