// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/check_models.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/check/earlier_verdicts.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/model.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/output_file.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/layer_progress.hpp"

namespace tiebreak::command {
namespace {

Status keep_layers(const std::string& folder, const ModelVerdict& verdict) {
  if (folder.empty()) return {};
  TIEBREAK_CHECK(make_output_folder(folder));
  for (const auto& [name, text] : verdict.files) TIEBREAK_CHECK(write_file(folder + "/" + name, text));
  return {};
}

}  // namespace

void add_model_options(Verb& app, ModelText& text) {
  app.add_flag("--per-layer", text.per_layer, "the sources are models, .onnx or .tflite: every layer is judged by itself, and how the difference grows");
  app.add_option("--inputs", text.inputs,
                 "of the model: tensors (.npy .npz .pb .raw .bin), cases (.h5) or folder with input_0.pb ...; may be repeated\n"
                 "(default: test_data_set_0 beside it, else drawn from --seed)")
      ->type_name("PATH");
  app.add_option("--dumps", text.dumps,
                 "instead of a backend: folder or file with tensors that a device wrote while it ran the model (.npy .npz .pb .h5\n"
                 ".raw .bin), by the names of the model's tensors (docs/dumps.md)")
      ->type_name("PATH");
  app.add_option("--dump-map", text.dump_map, "JSON that says which dump is which tensor, of which type, and in which order its dimensions stand")
      ->type_name("FILE");
  app.add_option("--layers", text.layers,
                 "judge these layers, by numbers or names as --list prints them; either end may be left out. Those before run as well,\n"
                 "those behind do not: the model ends there")
      ->type_name("FROM..TO");
  app.add_option("--until", text.until, "the model ends with this layer: its results are the outputs")->type_name("LAYER");
  app.add_option("--layer-cases", text.layer_cases, "where the failing layers of a model are written as case files, for explain and reduce")
      ->type_name("FOLDER");
}

std::string model_arguments(const ModelText& text) {
  if (!text.is_by_layers()) return "";
  std::string arguments = text.dumps.empty() ? " --per-layer" : "";
  for (const std::string& path : text.inputs) arguments += " --inputs " + shell_quoted(path);
  if (!text.layers.empty()) arguments += " --layers " + shell_quoted(text.layers);
  if (!text.until.empty()) arguments += " --until " + shell_quoted(text.until);
  if (!text.dump_map.empty()) arguments += " --dump-map " + shell_quoted(text.dump_map);
  return arguments;
}

Status check_model_options(const ModelText& text, const RunText& run, const Selection& selection) {
  if (!text.dump_map.empty() && text.dumps.empty()) return fail(Errc::usage, "--dump-map is of dumps", "--dump-map", "add --dumps FOLDER");
  if (!text.is_by_layers()) {
    if (!text.inputs.empty() || !text.layers.empty() || !text.until.empty() || !text.layer_cases.empty())
      return fail(Errc::usage, "--inputs, --layers, --until and --layer-cases are of models", "", "add --per-layer");
    return {};
  }
  if (selection.sources.empty()) {
    if (!text.dumps.empty()) return fail(Errc::usage, "no model is named", "--dumps", "tiebreak check model.onnx --dumps FOLDER --profile P");
    return fail(Errc::usage, "no model is named", "--per-layer", "tiebreak check model.onnx --per-layer --backend B");
  }
  if (!text.dumps.empty() && selection.sources.size() > 1) return fail(Errc::usage, "dumps are of one model", "--dumps " + text.dumps, "name one model");
  for (const std::string& source : selection.sources)
    if (!is_model(source)) return fail(Errc::usage, "not a model: with --per-layer a source is an .onnx or .tflite file, or a folder with model.onnx", source);
  if (!run.shard.empty() || !run.from.empty() || run.last_failed || !run.repeat.empty())
    return fail(Errc::usage, "--per-layer runs a model as a whole", "", "without --shard, --repeat, --from and --last-failed; -k selects layers");
  return {};
}

namespace {

/// Of a profile with other choices, for the ops of these models.
Status take_semantics(const Library& library, const std::vector<Model>& models, CheckOptions& options) {
  if (!changes_choices(options.profile)) return {};
  std::vector<const Case*> cases;
  for (const Model& model : models) cases.push_back(&model.test);
  TIEBREAK_TRY(semantics, semantics_of_cases(library, cases, options.profile));
  options.semantics = std::move(semantics);
  return {};
}

/// When a report is due of a run that goes on: often at first, as a short run may be killed, too.
class ReportTimes {
 public:
  bool is_due() {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::clamp<std::chrono::steady_clock::duration>(now - start_, 1s, 60s);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), next_ = start_ + std::chrono::seconds(1);
};

}  // namespace

Result<std::optional<CheckReport>> check_models(const Library& library, Backend& backend, const ModelText& text, const Selection& selection,
                                                const CheckOptions& given, const ModelWatch& watch) {
  CheckOptions options = given;
  std::vector<Model> models;
  std::vector<LayerRange> ranges;
  std::optional<Dumps> dumps;
  if (!text.dumps.empty()) {
    TIEBREAK_TRY(loaded, Dumps::load(text.dumps, text.dump_map));
    dumps = std::move(loaded);
  }
  for (const std::string& source : selection.sources) {
    TIEBREAK_TRY(model, load_model(source, text.inputs, selection.seed, dumps ? &*dumps : nullptr, selection.input_shapes, library.stop()));
    models.push_back(std::move(model));
  }
  TIEBREAK_CHECK(take_semantics(library, models, options));
  TIEBREAK_TRY(profile, profile_of(library, options));
  for (Model& model : models) {
    TIEBREAK_CHECK(take_branches({library, *profile}, model));
    if (dumps) TIEBREAK_CHECK(dumps->match(model.test.program));  // its values may have other places now
    TIEBREAK_TRY(range, layer_range(model.test.program, text.layers, text.until));
    ranges.push_back(range);
  }
  TIEBREAK_TRY(report, check(library, {}, backend, options));  // the context
  report.allow_unsupported = options.allow_unsupported;
  std::set<std::string> ops;
  for (const Model& model : models) ops.merge(ops_with_regions(model.test.program));
  state_dependencies({library, *profile}, ops, report);
  if (options.earlier != nullptr) TIEBREAK_CHECK(options.earlier->agrees_with_pages(*report.op_hashes));
  ReportTimes times;
  for (std::size_t m = 0; m < models.size(); ++m) {
    Model& model = models[m];
    const std::string folder = text.layer_cases.empty() ? "" : text.layer_cases + (models.size() > 1 ? "/" + model.test.id : "");
    ModelOptions own{options, folder, filter_of(selection.globs), dumps ? &*dumps : nullptr};
    own.range = ranges[m];
    LayerProgress progress(watch.progress);
    const std::size_t all = model.test.program.operations.size(), layers = own.range.last < all ? own.range.last + 1 : all;
    own.progress = [&progress, layers](std::size_t layer, const std::string& name) { progress(layer, layers, name); };
    own.judged = [&](const std::function<Result<ModelVerdict>()>& so_far) {
      if (!watch.report || !times.is_due()) return;
      Result<ModelVerdict> verdict = so_far();
      if (!verdict) return;  // the run itself will say so
      CheckReport stopped = report;
      stopped.models.push_back(std::move(verdict->model));
      std::ranges::move(verdict->cases, std::back_inserter(stopped.cases));
      stopped.incomplete = true;
      watch.report(stopped);
    };
    TIEBREAK_TRY(verdict, check_model(library, std::move(model), backend, own));
    progress.clear();
    TIEBREAK_CHECK(keep_layers(own.layers_folder, verdict));
    report.models.push_back(std::move(verdict.model));
    std::ranges::move(verdict.cases, std::back_inserter(report.cases));
  }
  report.incomplete = options.interrupted && options.interrupted();
  if (report.cases.empty()) return std::optional<CheckReport>();
  return std::optional(std::move(report));
}

Result<std::vector<std::string>> list_layers(const Library& library, const ModelText& text, const Selection& selection, const CheckOptions& given) {
  TIEBREAK_CHECK(check_model_options(text, {}, selection));
  CheckOptions options = given;
  std::vector<Model> models;
  for (const std::string& source : selection.sources) {
    TIEBREAK_TRY(model, load_model(source, text.inputs, selection.seed, nullptr, selection.input_shapes, library.stop()));
    models.push_back(std::move(model));
  }
  TIEBREAK_CHECK(take_semantics(library, models, options));
  TIEBREAK_TRY(profile, profile_of(library, options));
  std::vector<std::string> ids;
  const CaseFilter wanted = filter_of(selection.globs);
  for (Model& model : models) {
    TIEBREAK_CHECK(take_branches({library, *profile}, model));
    TIEBREAK_TRY(range, layer_range(model.test.program, text.layers, text.until));
    std::ranges::copy_if(layer_ids(model, range), std::back_inserter(ids), [&](const std::string& id) { return !wanted || wanted(id); });
  }
  return ids;
}

}  // namespace tiebreak::command
