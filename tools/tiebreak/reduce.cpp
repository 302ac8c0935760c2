// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/reduce.hpp"

#include <unistd.h>

#include <filesystem>

#include "interpreter/json/json_writer.hpp"
#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/case/case_writer.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/reduce/reproducer.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/value_text.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/one_case.hpp"

namespace fs = std::filesystem;

namespace tiebreak::command {
namespace {

constexpr const char* reduce_footer =
    "Examples:\n"
    "  tiebreak reduce onnx.QLinearConv/hand/accumulator-beyond-2e24 --backend onnxruntime --profile onnx    # exit 1: it fails\n"
    "  tiebreak reduce program/block --source cases.json --backend ./adapter -o smallest/\n"
    "\n"
    "Exit codes: 1 the case fails, and so does the reduced one; 5 it crashes or hangs, and so does the reduced one; 0 it conforms, there is\n"
    "nothing to reduce; 2 usage or data, 3 internal, 130 and 143 interrupted. docs/runs.md says what is tried.";

struct ReduceArguments {
  SelectionText selection;
  std::string id, backend, profile, policy = "exact", engine = "fast", limit = "1000", output, json;
  AdapterText adapter;
  bool isolate = false;
};

Result<ReduceOptions> reduce_settings(const ReduceArguments& options) {
  if (options.backend.empty()) return fail(Errc::usage, "no backend is named", "--backend", "tiebreak backend list");
  ReduceOptions settings;
  TIEBREAK_TRY(policy, parse_policy(options.policy));
  TIEBREAK_TRY(engine, parse_engine(options.engine));
  TIEBREAK_TRY(limit, parse_count(options.limit, "--limit"));
  if (limit == 0) return fail(Errc::usage, "--limit 0 asks nothing", "--limit 0");
  settings.check.policy = policy;
  settings.check.evaluate = engine;
  settings.check.show = 4;
  settings.check.diagnose = false;
  settings.check.interrupted = [] { return interrupted(); };
  settings.limit = limit;
  return settings;
}

std::string backend_words(const ReduceArguments& options) {
  std::string text = "--backend " + shell_quoted(options.backend);
  for (const std::string& option : options.adapter.options) text += " " + shell_quoted("--backend-option=" + option);
  if (!options.adapter.timeout.empty()) text += " --timeout " + shell_quoted(options.adapter.timeout);
  if (!options.adapter.memory.empty()) text += " --memory " + shell_quoted(options.adapter.memory);
  return text + (options.isolate ? " --isolate" : "");
}

/// Everything that is worth a file.
struct Outcome {
  Reduced reduced;
  std::string name;  ///< of the reduced case, without its op
  std::string case_text;
  std::string again;
  std::optional<Reproducer> reproducer{};
  std::string no_reproducer{};  ///< why there is none
};

fs::path output_place(const std::string& folder) {
  fs::path place = fs::path(folder).lexically_normal();
  return place.has_filename() ? place : place.parent_path();
}

/// Whether a folder of this name can be written, asked before anything is.
Status check_place(const std::string& folder) {
  const fs::path place = output_place(folder);
  std::error_code error;
  if (fs::exists(place, error) && !(fs::is_directory(place, error) && fs::is_empty(place, error)))
    return fail(Errc::io, "there is something at this place already", folder, "name a folder that does not exist");
  return place.has_parent_path() ? make_output_folder(place.parent_path().string()) : Status{};
}

/// Beside its final name first, then renamed: all of the files or none.
Status write_folder(const std::string& folder, const std::map<std::string, std::string>& files) {
  TIEBREAK_CHECK(check_place(folder));
  const fs::path place = output_place(folder);
  std::error_code error;
  fs::path draft = place;
  draft += ".part-" + std::to_string(::getpid());
  Status status{};
  for (auto file = files.begin(); file != files.end() && status; ++file) {
    fs::create_directories((draft / file->first).parent_path(), error);
    status = write_file((draft / file->first).string(), file->second);
  }
  if (status) {
    fs::rename(draft, place, error);
    if (error) status = fail(Errc::io, "the folder cannot be written: " + error.message(), folder);
  }
  if (!status) fs::remove_all(draft, error);
  return status;
}

std::string reduction_verdict(const Reduced& reduced, const ReduceOptions& settings) {
  std::string text = reduced.test.id + "  " + to_word(reduced.report.status) + (reduced.report.reason.empty() ? "" : "  " + reduced.report.reason) + "\n";
  text += "  " + std::to_string(reduced.elements_before) + " input elements became " + std::to_string(reduced.elements_after) + ", in " +
          std::to_string(reduced.steps) + " steps and " + std::to_string(reduced.questions) + " questions; kind: " + reduced.kind.text() + "\n";
  if (reduced.limit_reached) text += "  the limit of " + std::to_string(settings.limit) + " questions was reached: --limit allows more\n";
  for (const auto& [name, comparison] : reduced.report.outputs)
    for (std::size_t i = 0; i < comparison.first.size(); ++i) {
      const Mismatch& mismatch = comparison.first[i];
      text += "  " + name + index_text(comparison.shape, mismatch.index) + "  expected " + mismatch.expected + "  actual " + mismatch.actual;
      if (!mismatch.before.empty()) text += "  exact value " + mismatch.before;
      text +=
          i < reduced.report.inputs_of_first.size() && !reduced.report.inputs_of_first[i].empty() ? "  for " + reduced.report.inputs_of_first[i] + "\n" : "\n";
    }
  return text;
}

std::string reduction_json(const Outcome& result, const std::string& profile) {
  const Reduced& reduced = result.reduced;
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.reduced/1").member("id", reduced.test.id).member("profile", profile);
  json.member("status", to_word(reduced.report.status)).member("reason", reduced.report.reason).member("kind", reduced.kind.text());
  json.member("elements_before", reduced.elements_before).member("elements_after", reduced.elements_after);
  json.member("questions", std::uint64_t{reduced.questions}).member("steps", std::uint64_t{reduced.steps});
  json.member("limit_reached", reduced.limit_reached).member("case_file", result.case_text).member("again", result.again);
  if (result.reproducer) {
    json.member("reproducer", result.reproducer->kind);
    if (!result.reproducer->main_file.empty()) json.member("reproducer_text", result.reproducer->files.at(result.reproducer->main_file));
  }
  return json.end_object().text();
}

std::string case_name(const std::string& id) {
  std::size_t slash = id.find('/');
  return "reduced/" + (slash == std::string::npos ? id : id.substr(slash + 1));
}

Result<Outcome> reduce_case(const Library& library, const Case& test, Backend& backend, const BackendDescription& description, const ReduceArguments& options,
                            const ReduceOptions& settings) {
  Outcome result;
  TIEBREAK_TRY(reduced, reduce(library, test, backend, settings));
  result.reduced = std::move(reduced);
  result.name = case_name(test.id);
  result.reduced.test.description = "reduced from " + test.id + ": " + result.reduced.report.reason;
  result.case_text = case_file_text(library, result.reduced.test, result.name, settings.check.profile, result.reduced.expected);
  result.again = "tiebreak check " + shell_quoted(options.output.empty() ? "case.json" : options.output + "/case.json") + " " + backend_words(options) +
                 " --profile " + shell_quoted(settings.check.profile);
  Result<Reproducer> reproducer = reproducer_of(result.reduced, settings.check.profile, description.details);
  if (reproducer) result.reproducer = *std::move(reproducer);
  else result.no_reproducer = reproducer.error().what;
  return result;
}

std::string reduction_text(const Outcome& result, const ReduceOptions& settings) {
  std::string text = reduction_verdict(result.reduced, settings) + "  again  " + result.again + "\n\ncase.json\n" + result.case_text;
  if (!result.reproducer) return text + "\nno reproducer in the backend's terms: " + result.no_reproducer + "\n";
  const std::string& main_file = result.reproducer->main_file;
  return main_file.empty() ? text + "\nmodel.onnx and its tensors are written with -o\n"
                           : text + "\n" + main_file + "\n" + result.reproducer->files.at(main_file);
}

Status write_results(const Outcome& result, const ReduceArguments& options, const ReduceOptions& settings, OutputFiles& files_open) {
  TIEBREAK_CHECK(deliver(files_open, reduction_text(result, settings), {{options.json, [&] { return reduction_json(result, settings.check.profile); }}}));
  if (!options.output.empty()) {
    std::map<std::string, std::string> files = result.reproducer ? result.reproducer->files : std::map<std::string, std::string>{};
    files["case.json"] = result.case_text;
    files["verdict.txt"] = reduction_verdict(result.reduced, settings) + "  again  " + result.again + "\n";
    TIEBREAK_CHECK(write_folder(options.output, files));
  }
  return {};
}

Result<int> run_reduce(const ReduceArguments& options) {
  TIEBREAK_TRY(settings, reduce_settings(options));
  TIEBREAK_TRY(adapter, to_backend_options(options.adapter));
  adapter.isolate = options.isolate;
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  if (!options.output.empty()) TIEBREAK_CHECK(check_place(options.output));
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(backend, open_backend(options.backend, adapter));
  TIEBREAK_TRY(description, backend->describe());
  settings.check.profile = !options.profile.empty() ? options.profile : description.profile.empty() ? "reference" : description.profile;
  TIEBREAK_TRY(profile, library->find_profile(settings.check.profile));
  TIEBREAK_TRY(test, find_case(*library, options.selection, options.id, settings.check.profile));
  if (const std::string silent = undeclared_text({*library, *profile}, ops_with_regions(test.program)); !silent.empty()) print_note("tiebreak: " + silent);
  TIEBREAK_TRY(result, reduce_case(*library, test, *backend, description, options, settings));
  CaseStatus status = result.reduced.report.status;
  if (!result.reduced.kind.is_failure()) {
    std::string reason = result.reduced.report.reason;
    print_note("tiebreak: nothing to reduce: " + test.id + " is " + to_word(status) + (reason.empty() ? "" : ", " + reason));
    return status == CaseStatus::conform ? success : inconclusive;
  }
  TIEBREAK_CHECK(write_results(result, options, settings, files));
  return status == CaseStatus::fail ? finding : inconclusive;
}

}  // namespace

void add_reduce(Verb& app) {
  auto options = std::make_shared<ReduceArguments>();
  Verb* sub = app.add_subcommand("reduce", "Make a failing case as small as it can be, with a reproducer in the backend's terms");
  sub->add_option("CASE", options->id, "id of a case")->required()->type_name("");
  add_selection(*sub, options->selection, false);
  sub->add_option("-b,--backend", options->backend,
                  "adapter of this installation by name, or the path of an executable; options of its own may follow\n"
                  "in the same word")
      ->type_name("BACKEND");
  sub->add_option("-p,--profile", options->profile, "semantics to expect (default: what the backend declares, else reference)")->type_name("PROFILE");
  sub->add_option("--policy", options->policy, "as of check (default exact)")->type_name("POLICY");
  sub->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  sub->add_option("--limit", options->limit, "questions put to the backend at most (default 1000)")->type_name("N");
  sub->add_option("--timeout", options->adapter.timeout, "seconds a batch of questions may take in the backend (default 60)")->type_name("SECONDS");
  sub->add_option("--memory", options->adapter.memory, "MiB of address space the adapter may use (default: no limit)")->type_name("MIB");
  sub->add_flag("--isolate", options->isolate, "every question in a process of its own");
  sub->add_option("--engine", options->engine, "how expectations are computed: fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_option("-o,--output", options->output, "folder to write: case.json, verdict.txt and the reproducer; it must not exist")->type_name("FOLDER");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->footer = reduce_footer;
  sub->action = [options] { return run_reduce(*options); };
}

}  // namespace tiebreak::command
