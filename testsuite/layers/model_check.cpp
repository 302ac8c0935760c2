// SPDX-License-Identifier: Apache-2.0
// A model from its first layer to its outputs: values are computed in the order of the layers, judged beside that, and let go behind the verdict.
#include <algorithm>

#include "testsuite/case/program_digest.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/layer_judge.hpp"
#include "testsuite/layers/model_values.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/ordered_work.hpp"

namespace tiebreak {
namespace {

/// Words of all layers, by their places.
std::vector<std::string> layer_words(const Program& program) {
  std::vector<std::string> words;
  for (std::size_t layer = 0; layer < program.operations.size(); ++layer) words.push_back(layer_word(program, layer));
  return words;
}

std::vector<std::string> ids_of(const std::string& model, const std::vector<std::string>& words) {
  std::vector<std::string> ids;
  for (const std::string& word : words) ids.push_back(model + "/" + word);
  return ids;
}

/// A model that ends with this layer: its results are the outputs.
void end_with(Program& program, std::size_t last) {
  if (program.operations.empty() || last >= program.operations.size() - 1) return;
  program.operations.resize(last + 1);
  program.outputs = named_results(program.operations.back());
}

class ModelRun {
 public:
  /// `words`: of the layers, and `digest`, as the whole model has them.
  ModelRun(const Semantics& semantics, Model model, std::vector<std::string> words, std::string digest, Backend& backend, const ModelOptions& options)
      : library_(semantics.library),
        profile_(semantics.profile),
        model_(std::move(model)),
        words_(std::move(words)),
        options_(options),
        values_(semantics, model_.test, backend, options),
        ids_(ids_of(model_.test.id, words_)),
        earlier_(options.check.earlier, ids_, values_, options.check.show) {
    verdict_.model.digest = std::move(digest);
  }

  Result<ModelVerdict> run() {
    ModelReport& report = verdict_.model;
    report.name = model_.test.id;
    report.source = model_.test.source;
    report.inputs = model_.inputs;
    for (std::size_t i = 0; i < report.inputs.size(); ++i) report.inputs[i].digest = tensor_digest(model_.test.inputs[i]);
    if (options_.check.earlier != nullptr) TIEBREAK_CHECK(options_.check.earlier->agrees_with_model(report));
    TIEBREAK_CHECK(values_.begin());
    report.run = values_.run;
    TIEBREAK_CHECK(judge_layers());
    values_.end();
    report.changed = values_.changed;
    report.notes = std::move(model_.notes);
    std::ranges::move(values_.notes, std::back_inserter(report.notes));
    judge_outputs();
    return std::move(verdict_);
  }

 private:
  /// The layers are computed here, in their order, and judged beside that.
  Status judge_layers() {
    const LayerJudge judge({library_, profile_}, model_.test, words_, options_, values_, earlier_);
    OrderedWork<Result<JudgedLayer>> work(options_.check.jobs, [&judge](std::size_t layer) { return judge.judge(layer); });
    const std::size_t layers = values_.program().operations.size();
    for (std::size_t layer = 0; layer < layers; ++layer) {
      TIEBREAK_CHECK(values_.compute(layer));
      verdict_.most_bytes = std::max(verdict_.most_bytes, values_.held_bytes());
      earlier_.compare(layer);
      if (layer < options_.range.first) values_.release(layer);
      else work.add(layer);
      for (Result<JudgedLayer>& judged : work.settle(layer + 1 == layers ? 0 : most_ahead(layer))) {
        if (!judged) return tl::unexpected<Error>(judged.error());
        values_.release(judged->layer);
        keep(*std::move(judged), verdict_);
        if (options_.judged) options_.judged([&] { return so_far(judge); });
      }
    }
    return {};
  }

  /// How many layers may wait for their verdict while others are computed. Their values are held: of large ones few, but those of a part are there anyway.
  std::size_t most_ahead(std::size_t layer) const {
    constexpr std::size_t large = std::size_t{8} << 20;
    const auto jobs = static_cast<std::size_t>(options_.check.jobs);
    if (jobs == 1) return 0;
    return values_.run != "parts" && values_.result_bytes(layer) > large ? jobs : 8 * jobs;
  }

  /// The next layer's verdict goes into the report.
  static void keep(JudgedLayer judged, ModelVerdict& verdict) {
    ModelReport& report = verdict.model;
    if (judged.cut_differs && report.first_cut.empty()) report.first_cut = judged.entry.id;
    if (judged.fails && report.first_local.empty()) report.first_local = judged.entry.id;
    if (judged.stopped && report.stopped.empty()) report.stopped = judged.entry.id;
    if (judged.report) verdict.cases.push_back(*std::move(judged.report));
    if (!judged.file.first.empty()) verdict.files.push_back(std::move(judged.file));
    report.layers.push_back(std::move(judged.entry));
  }

  /// What is judged, and the other layers as in a run that is stopped.
  Result<ModelVerdict> so_far(const LayerJudge& judge) const {
    ModelVerdict verdict = verdict_;
    for (std::size_t layer = options_.range.first + verdict.model.layers.size(); layer < values_.program().operations.size(); ++layer) {
      TIEBREAK_TRY(stopped, judge.judge_stopped(layer));
      keep(std::move(stopped), verdict);
    }
    return verdict;
  }

  /// The model as a user runs it.
  void judge_outputs() {
    const Program& program = values_.program();
    CaseReport report;
    report.id = model_.test.id + "/outputs";
    report.op = op_names(program);
    report.source = model_.test.source;
    report.description = "the model as it is, from its inputs on";
    Case& whole = model_.test;
    whole.id = report.id;
    report.reproduce = reproduce_command(whole, options_.check);
    Expectation expectation;
    bool known = true;
    for (ValueId id : program.outputs) {
      if (values_.reference[value_place(id)]) expectation.outputs.push_back(*values_.reference[value_place(id)]);
      known = known && values_.reference[value_place(id)].has_value();
    }
    expectation.with_exact_values = [this](std::size_t output, std::shared_ptr<const std::set<std::int64_t>> elements) {
      return values_.exact_output(output, std::move(elements));
    };
    if (values_.is_interrupted()) {
      report.reason = ModelValues::stopped_word;
      if (verdict_.model.stopped.empty()) verdict_.model.stopped = report.id;
    } else if (options_.dumps != nullptr && values_.whole.kind != BackendAnswer::Kind::answered) {
      report.status = CaseStatus::not_run;
      report.reason = values_.whole.reason;
    } else if (known) {
      CheckOptions plain = options_.check;
      plain.diagnose = false;
      judge(library_, whole, expectation, values_.whole, plain, report);
    } else {
      const bool refused = values_.whole.kind == BackendAnswer::Kind::unsupported;
      report.status = refused ? CaseStatus::unsupported : CaseStatus::inconclusive;
      report.reason = "the reference of an output is not known" + (refused ? ", and the backend does not run the model: " + values_.whole.reason : "");
    }
    report.explain.clear();
    for (const auto& [name, comparison] : report.outputs) {
      ModelValue& output = verdict_.model.outputs.emplace_back();
      output.name = name;
      output.element = comparison.element;
      output.shape = to_text(comparison.shape);
      output.unit = comparison.unit;
      output.accumulated = drift_of(comparison);
    }
    if (is_wanted(options_.wanted, report.id)) verdict_.cases.push_back(std::move(report));
  }

  const Library& library_;
  const Profile& profile_;
  Model model_;
  std::vector<std::string> words_;
  const ModelOptions& options_;
  ModelValues values_;
  const std::vector<std::string> ids_;
  EarlierLayers earlier_;
  ModelVerdict verdict_{};
};

}  // namespace

Result<ModelVerdict> check_model(const Library& library, Model model, Backend& backend, const ModelOptions& options) {
  TIEBREAK_TRY(profile, profile_of(library, options.check));
  std::vector<std::string> words = layer_words(model.test.program);
  std::string digest = program_digest(model.test.program);
  end_with(model.test.program, options.range.last);
  return ModelRun({library, *profile}, std::move(model), std::move(words), std::move(digest), backend, options).run();
}

std::vector<std::string> layer_ids(const Model& model, const LayerRange& range) {
  std::vector<std::string> ids = ids_of(model.test.id, layer_words(model.test.program));
  if (range.last < ids.size()) ids.resize(range.last + 1);
  ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(range.first, ids.size())));
  ids.push_back(model.test.id + "/outputs");
  return ids;
}

}  // namespace tiebreak
