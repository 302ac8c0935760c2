// SPDX-License-Identifier: Apache-2.0
// tiebreak accuracy: a model under several profiles, and by backends, on many inputs.
#include "testsuite/accuracy/accuracy.hpp"

#include <algorithm>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/call_argument.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/data_options.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* accuracy_footer =
    "Examples:\n"
    "  tiebreak accuracy model.onnx --profile onnx --profile onnxruntime-x64 --samples 4\n"
    "  tiebreak accuracy model.tflite --profile tflite-builtin --profile litert-xnnpack --samples 100 --fail-over 50%\n"
    "  tiebreak accuracy net.mlir@codes --profile reference --profile stablehlo-interpreter --samples 20 --axis 0\n"
    "\n"
    "The first profile is what all others, and the backends, are compared with. Data are arrays that hold one input or many along their leading dimension,\n"
    "folders of such files, data sets and cases (docs/accuracy.md).\n"
    "\n"
    "Exit codes: 0 everything was computed, 1 more codes differ than --fail-over allows, 2 usage or data, 5 a backend did not answer, 130 and 143 interrupted.";

struct AccuracyArguments {
  std::string model, samples, seed = "0", limit, axis, labels, fail_over, engine = "fast", jobs = "1", json, markdown;
  std::vector<std::string> data, shapes, profiles, backends;
  AdapterText adapter{};
};

/// What the command line says, before anything is loaded.
struct AccuracySettings {
  AccuracyOptions options{};
  InputListOptions inputs{};
  BackendOptions adapter{};
  std::optional<Real> fail_over{};
};

/// `0.1%`, or `0.001`: a share of all codes.
Result<Real> parse_share(const std::string& text) {
  const bool percent = text.ends_with("%");
  const Result<Real> number = Real::parse(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (!number || !number->is_finite() || number->sign() < 0) return fail(Errc::usage, "'" + text + "' is no share", "--fail-over", "--fail-over 0.1%");
  const Real share = percent ? *number / Real(100) : *number;
  if (share > Real(1)) return fail(Errc::usage, "'" + text + "' is more than all", "--fail-over", "--fail-over 0.1%");
  return share;
}

Result<std::optional<std::size_t>> parse_some(const std::string& text, const std::string& option) {
  constexpr std::uint64_t most = 1000000;
  if (text.empty()) return std::optional<std::size_t>();
  TIEBREAK_TRY(count, parse_count(text, option));
  if (count < 1 || count > most) return fail(Errc::usage, option + " takes 1 to 1000000", option + " " + text);
  return std::optional(static_cast<std::size_t>(count));
}

Result<AccuracySettings> settings_of(const AccuracyArguments& arguments) {
  AccuracySettings settings;
  TIEBREAK_TRY(engine, parse_engine(arguments.engine));
  TIEBREAK_TRY(jobs, parse_jobs(arguments.jobs));
  TIEBREAK_TRY(axis, parse_axis(arguments.axis));
  TIEBREAK_TRY(samples, parse_some(arguments.samples, "--samples"));
  TIEBREAK_TRY(limit, parse_some(arguments.limit, "--limit"));
  TIEBREAK_TRY(seed, parse_count(arguments.seed, "--seed"));
  TIEBREAK_TRY(adapter, to_backend_options(arguments.adapter));
  if (samples && !arguments.data.empty())
    return fail(Errc::usage, "--samples draws inputs where no data are given", "--samples " + arguments.samples, "--limit N for the first of the data");
  if (arguments.profiles.size() + arguments.backends.size() < (arguments.profiles.empty() ? 1 : 2))
    return fail(Errc::usage, "nothing to compare: name two profiles, or a profile and a backend", "accuracy", "--profile onnx --profile onnxruntime-x64");
  if (!arguments.fail_over.empty()) {
    TIEBREAK_TRY(share, parse_share(arguments.fail_over));
    settings.fail_over = share;
  }
  settings.options.evaluate = engine;
  settings.options.jobs = jobs;
  settings.options.axis = axis;
  settings.options.interrupted = [] { return interrupted(); };
  settings.inputs.stop = stop_on_interrupt();
  settings.inputs.given = arguments.data;
  settings.inputs.samples = samples;
  settings.inputs.limit = limit;
  settings.inputs.seed = seed;
  settings.adapter = adapter;
  return settings;
}

/// Backends are opened first: without a profile the first one says which is meant.
struct OpenedBackends {
  std::vector<std::unique_ptr<Backend>> backends{};
  std::vector<BackendDescription> descriptions{};
};

Result<OpenedBackends> open_backends(const AccuracyArguments& arguments, const BackendOptions& options) {
  OpenedBackends opened;
  for (const std::string& word : arguments.backends) {
    TIEBREAK_TRY(backend, open_backend(word, options));
    TIEBREAK_TRY(description, backend->describe());
    opened.backends.push_back(std::move(backend));
    opened.descriptions.push_back(std::move(description));
  }
  return opened;
}

Result<std::vector<AccuracyColumn>> columns_of(const Library& library, const Program& program, const NamedInput& first, const AccuracyArguments& arguments,
                                               const OpenedBackends& opened) {
  std::vector<std::string> words = arguments.profiles;
  if (words.empty()) words.push_back(opened.descriptions.front().profile.empty() ? "reference" : opened.descriptions.front().profile);
  Case test;
  test.id = program.file;
  test.program = program;
  test.inputs = first.tensors;
  std::vector<AccuracyColumn> columns;
  for (const std::string& word : words) {
    TIEBREAK_TRY(profile, semantics_of_cases(library, std::vector<const Case*>{&test}, word));
    columns.push_back({.name = word, .profile = profile});
  }
  for (std::size_t b = 0; b < opened.backends.size(); ++b)
    columns.push_back({arguments.backends[b], columns.front().profile, opened.backends[b].get(), opened.descriptions[b].version});
  return columns;
}

std::vector<std::string> undeclared_notes(const Library& library, const Program& program, const std::vector<AccuracyColumn>& columns) {
  std::vector<std::string> notes;
  for (const AccuracyColumn& column : columns) {
    if (column.backend != nullptr) continue;
    std::string line = undeclared_line({library, column.profile}, ops_with_regions(program));
    if (!line.empty()) line.pop_back();
    if (!line.empty() && std::ranges::find(notes, line) == notes.end()) notes.push_back(line);
  }
  return notes;
}

int accuracy_exit_code(const AccuracyReport& report, const std::optional<Real>& fail_over) {
  bool over = false, silent = false;
  for (const ColumnDifference& difference : report.differences) {
    silent = silent || difference.unanswered > 0;
    for (const OutputDifference& output : difference.outputs) over = over || (fail_over && Real(output.different) > *fail_over * Real(output.elements));
  }
  return over ? finding : silent ? inconclusive : success;
}

Status read_labels_for(const AccuracyArguments& arguments, const InputList& inputs, AccuracyOptions& options) {
  if (arguments.labels.empty()) return {};
  TIEBREAK_TRY(labels, read_labels(arguments.labels));
  if (labels.size() > inputs.size() && arguments.limit.empty())
    return fail(Errc::usage, std::to_string(labels.size()) + " labels for " + std::to_string(inputs.size()) + " inputs", arguments.labels);
  options.labels = std::move(labels);
  options.labels_origin = arguments.labels;
  return {};
}

Result<int> run_accuracy(const AccuracyArguments& arguments) {
  TIEBREAK_TRY(settings, settings_of(arguments));
  TIEBREAK_TRY(files, OutputFiles::open({arguments.json, arguments.markdown}));
  TIEBREAK_TRY(library, load_library());
  for (const std::string& word : arguments.profiles) TIEBREAK_CHECK(library->find_profile(word.substr(0, word.find(':'))));
  TIEBREAK_TRY(opened, open_backends(arguments, settings.adapter));
  const std::string path = model_path(arguments.model);
  TIEBREAK_TRY(program, read_program(path));
  TIEBREAK_TRY(shapes, parse_input_shapes(arguments.shapes));
  TIEBREAK_CHECK(tiebreak::close_shapes(program, shapes));
  TIEBREAK_TRY(inputs, InputList::open(program, path, settings.inputs));
  TIEBREAK_CHECK(read_labels_for(arguments, inputs, settings.options));
  TIEBREAK_TRY(first, inputs.load(0));
  TIEBREAK_TRY(columns, columns_of(*library, program, first, arguments, opened));
  Progress progress("inputs done:", true);
  settings.options.progress = [&](std::size_t done, std::size_t total) { progress(done, total); };
  TIEBREAK_TRY(report, measure_accuracy(*library, program, inputs, columns, settings.options));
  progress.clear();
  report.model = arguments.model;
  for (std::string& note : undeclared_notes(*library, program, columns)) report.notes.push_back(std::move(note));
  TIEBREAK_CHECK(deliver(files, accuracy_text(report, output_width()),
                         {{arguments.json, [&] { return accuracy_json(report); }}, {arguments.markdown, [&] { return accuracy_markdown(report); }}}));
  return accuracy_exit_code(report, settings.fail_over);
}

}  // namespace

void add_accuracy(Verb& app) {
  auto options = std::make_shared<AccuracyArguments>();
  Verb* sub = app.add_subcommand("accuracy", "Outputs of a model under several profiles, and by backends, on many inputs: does the rounding matter?");
  sub->add_option("MODEL", options->model, "a model: .onnx, .tflite, .mlir, .relay, FILE@FUNCTION, or a folder with model.onnx")->type_name("")->required();
  sub->add_option("--data", options->data,
                  "inputs: .npy .npz .pb .raw .bin with one input or many along the leading dimension, .h5 files of cases, folders of such files, or with\n"
                  "input_0.pb ...; may be repeated (default: data sets beside the model, else drawn)")
      ->type_name("PATH");
  sub->add_option("--samples", options->samples, "inputs drawn in place of data (default 10, where none lie beside the model)")->type_name("N");
  sub->add_option("--seed", options->seed, "of these (default 0)")->type_name("N");
  sub->add_option("--limit", options->limit, "the first N inputs only")->type_name("N");
  sub->add_option("--input-shape", options->shapes, "closes an open shape of an input; may be repeated")->type_name("NAME=1x3x8x8");
  sub->add_option("-p,--profile", options->profiles,
                  "semantics; the first is what others are compared with; PROFILE:CHOICE=ALTERNATIVE,... too; may be repeated")
      ->type_name("PROFILE");
  sub->add_option("-b,--backend", options->backends,
                  "asked for the model as a whole: adapter of this installation, path of an executable, or recorded:FOLDER; may be repeated")
      ->type_name("BACKEND");
  sub->add_option("--backend-option", options->adapter.options, "passed to the adapters; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  sub->add_option("--timeout", options->adapter.timeout, "seconds a batch of inputs may take in a backend (default 60)")->type_name("SECONDS");
  sub->add_option("--memory", options->adapter.memory, "MiB of address space an adapter may use (default: no limit)")->type_name("MIB");
  sub->add_option("--axis", options->axis, "of the arg max (default: the last one)")->type_name("N");
  sub->add_option("--labels", options->labels, "what each input shows, as a place along the axis: one a line, or .npy; counts how often each column is right")
      ->type_name("FILE");
  sub->add_option("--fail-over", options->fail_over, "exit 1 where more than this share of an output's codes differ: 0.1%, 0.001, 0")->type_name("SHARE");
  sub->add_option("--engine", options->engine, "how profiles are evaluated: fast (default), exact, or both and compare")->type_name("ENGINE");
  sub->add_option("-j,--jobs", options->jobs, "inputs computed at the same time, or auto (default 1); never changes a result")->type_name("N");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "as a comment for a pull request")->type_name("FILE");
  sub->footer = accuracy_footer;
  sub->action = [options] { return run_accuracy(*options); };
}

}  // namespace tiebreak::command
