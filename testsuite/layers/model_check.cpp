// SPDX-License-Identifier: Apache-2.0
// The verdict on each layer: the reference on the backend's own inputs of that layer (is the layer itself wrong?), and the reference from the
// model's inputs on (what has become of the difference by then?).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/case/case_writer.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string layer_types_text(const Case& call) {
  const ValueId last = call.program.outputs.empty() ? -1 : call.program.outputs.front();
  std::string text = call.inputs.empty() ? "" : call.inputs.front().element().name() + " ";
  return text + "-> " + (last >= 0 && call.program.values[value_place(last)].type ? call.program.values[value_place(last)].type->element.name() : "?");
}

Drift drift_of(const Comparison& comparison) {
  const bool is_wrong = comparison.different > comparison.right;
  return {true, comparison.compared, comparison.different, is_wrong ? decimal_text(comparison.worst, 6) : "", comparison.right};
}

/// Words of all layers, by their places.
std::vector<std::string> layer_words(const Program& program) {
  std::vector<std::string> words;
  for (std::size_t layer = 0; layer < program.operations.size(); ++layer) words.push_back(layer_word(program, layer));
  return words;
}

/// A model that ends with this layer: its results are the outputs.
void end_with(Program& program, std::size_t last) {
  if (program.operations.empty() || last >= program.operations.size() - 1) return;
  program.operations.resize(last + 1);
  program.outputs = named_results(program.operations.back());
}

class ModelRun {
 public:
  /// `words`: of the layers, as the whole model has them.
  ModelRun(const Semantics& semantics, Model model, std::vector<std::string> words, Backend& backend, const ModelOptions& options)
      : library_(semantics.library),
        profile_(semantics.profile),
        model_(std::move(model)),
        words_(std::move(words)),
        options_(options),
        values_(semantics, model_.test, backend, options) {}

  Result<ModelVerdict> run() {
    TIEBREAK_CHECK(values_.begin());
    ModelReport& report = verdict_.model;
    report.name = model_.test.id;
    report.source = model_.test.source;
    report.inputs = model_.inputs;
    report.run = values_.run;
    for (std::size_t layer = 0; layer < values_.program().operations.size(); ++layer) {
      TIEBREAK_CHECK(values_.compute(layer));
      verdict_.most_bytes = std::max(verdict_.most_bytes, values_.held_bytes());
      if (layer >= options_.range.first) TIEBREAK_CHECK(judge_layer(layer));
      values_.release(layer);
    }
    values_.end();
    report.changed = values_.changed;
    report.notes = values_.notes;
    judge_outputs();
    return std::move(verdict_);
  }

 private:
  bool is_wanted_id(const std::string& id) const { return is_wanted(options_.wanted, id); }

  ModelLayer& add_layer(std::size_t layer, bool compared) {
    const Program& program = values_.program();
    const Operation& operation = program.operations[layer];
    ModelLayer entry{model_.test.id + "/" + words_[layer], first_result(program, operation), operation.op, values_.states[layer], {}};
    for (ValueId id : named_results(operation)) {
      const ProgramValue& value = program.values[value_place(id)];
      if (!value.type) continue;
      ModelValue shown;
      shown.name = value.name;
      shown.element = value.type->element.name();
      shown.shape = to_text(value.type->shape);
      const auto& reference = values_.reference[value_place(id)];
      if (compared && reference && values_.backend[value_place(id)]) {
        const Comparison comparison = compare(*reference, *values_.backend[value_place(id)], options_.check.policy, 0);
        shown.unit = comparison.unit;
        shown.accumulated = drift_of(comparison);
      }
      if (compared && reference && values_.cut[value_place(id)]) {
        const Comparison comparison = compare(*reference, *values_.cut[value_place(id)], options_.check.policy, 0);
        shown.cut = drift_of(comparison);
        if (!comparison.conforms && verdict_.model.first_cut.empty()) verdict_.model.first_cut = entry.id;
      }
      entry.values.push_back(std::move(shown));
    }
    verdict_.model.layers.push_back(std::move(entry));
    return verdict_.model.layers.back();
  }

  /// What the layer must give on the backend's inputs. Where those are the reference's own, that is known already.
  Result<Expectation> expectation_of(std::size_t layer, const Case& call) {
    const Operation& operation = values_.program().operations[layer];
    if (!values_.reads_the_reference(layer)) return expect({library_, profile_}, call, options_.check.evaluate);
    Expectation expectation;
    for (ValueId id : named_results(operation)) expectation.outputs.push_back(*values_.reference[value_place(id)]);
    return expectation;
  }

  Status judge_layer(std::size_t layer) {
    const bool interrupted = values_.is_interrupted();  // what was not judged by then is not compared either
    ModelLayer& entry = add_layer(layer, !interrupted);
    const Operation& operation = values_.program().operations[layer];
    if (!is_wanted_id(entry.id)) return {};
    CaseReport report;
    report.id = entry.id;
    report.op = operation.op;
    report.source = model_.test.source;
    report.status = values_.statuses[layer];
    report.reason = entry.state;
    if (interrupted && (entry.state.empty() || values_.is_stopped(layer))) {
      stop_at(entry, report);
    } else if (entry.state.empty()) {
      TIEBREAK_CHECK(judge_known(layer, report, entry));
    }
    Case named;
    named.id = entry.id;
    named.source = model_.test.source;
    report.reproduce = reproduce_command(named, options_.check);
    verdict_.cases.push_back(std::move(report));
    return {};
  }

  /// A layer whose reference is known, if all that it reads and gives is on the backend's side, too.
  Status judge_known(std::size_t layer, CaseReport& report, ModelLayer& entry) {
    const Operation& operation = values_.program().operations[layer];
    std::optional<Case> call = call_case(library_, values_.program(), layer, values_.backend);
    const bool answered = std::ranges::all_of(named_results(operation), [&](ValueId id) { return values_.backend[value_place(id)].has_value(); });
    if (call && answered) return judge_call(layer, *call, report, entry);
    report.reason = entry.state = "it reads or gives a value that is not known";
    return {};
  }

  /// `01.y (onnx.Conv), 02.z (onnx.Relu)`: the layers between the last dumps and this one.
  std::string layers_without_dump(std::size_t layer) const {
    if (values_.computed_by.empty()) return "";
    std::set<std::size_t> layers;
    for (ValueId id : values_.program().operations[layer].operands)
      if (id >= 0) layers.insert(values_.computed_by[value_place(id)].begin(), values_.computed_by[value_place(id)].end());
    std::string text;
    for (std::size_t other : layers) text += (text.empty() ? "" : ", ") + words_[other] + " (" + values_.program().operations[other].op + ")";
    return text;
  }

  Status judge_call(std::size_t layer, Case& call, CaseReport& report, ModelLayer& entry) {
    const std::string word = entry.id.substr(entry.id.find('/') + 1);
    call.id = values_.program().operations[layer].op + "/" + word;
    call.source = options_.layers_folder.empty() ? "" : options_.layers_folder + "/" + word + ".json";
    report.types = layer_types_text(call);
    auto expectation = expectation_of(layer, call);
    if (!expectation) {
      if (expectation.error().code == Errc::internal) return tl::unexpected<Error>(expectation.error());
      if (values_.is_interrupted()) return stop_at(entry, report), Status{};
      report.status = CaseStatus::inconclusive;
      report.reason = entry.state = "no expectation on the backend's inputs: " + expectation.error().what;
      return {};
    }
    BackendAnswer answer;
    answer.kind = BackendAnswer::Kind::answered;
    for (ValueId id : named_results(values_.program().operations[layer]))
      answer.outputs.push_back({values_.program().values[value_place(id)].name, *values_.backend[value_place(id)]});
    const std::string& op = values_.program().operations[layer].op;
    CheckOptions own = options_.check;
    if (const std::string others = layers_without_dump(layer); !others.empty()) {
      own.diagnose = false;  // what is wrong may be in any of them
      report.description = "judged together with what stands before it and was not dumped: " + others;
    }
    const std::vector<Tensor> answers = judge(library_, call, *expectation, answer, own, report);
    if (!is_declared({library_, profile_}, op)) {
      note_not_declared(profile_.name, op, !answers.empty(), report);
      report.diagnosis.reset();
    }
    for (std::size_t i = 0; i < report.outputs.size() && i < entry.values.size(); ++i) {
      entry.values[i].local = drift_of(report.outputs[i].second);
      entry.values[i].unit = report.outputs[i].second.unit;
    }
    if (report.status != CaseStatus::fail) return {};
    if (verdict_.model.first_local.empty()) verdict_.model.first_local = entry.id;
    if (options_.layers_folder.empty()) report.explain.clear();
    else verdict_.files.emplace_back(word + ".json", case_file_text(library_, call, word, profile_.name, expectation->outputs));
    return {};
  }

  /// The layer that the run was stopped in.
  void stop_at(ModelLayer& entry, CaseReport& report) {
    report.status = CaseStatus::not_run;
    report.reason = entry.state = ModelValues::stopped_word;
    if (verdict_.model.stopped.empty()) verdict_.model.stopped = entry.id;
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
      report.status = CaseStatus::inconclusive;
      report.reason = "the reference of an output is not known";
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
    if (is_wanted_id(report.id)) verdict_.cases.push_back(std::move(report));
  }

  const Library& library_;
  const Profile& profile_;
  Model model_;
  std::vector<std::string> words_;
  const ModelOptions& options_;
  ModelValues values_;
  ModelVerdict verdict_{};
};

}  // namespace

Result<ModelVerdict> check_model(const Library& library, Model model, Backend& backend, const ModelOptions& options) {
  TIEBREAK_TRY(profile, profile_of(library, options.check));
  std::vector<std::string> words = layer_words(model.test.program);
  end_with(model.test.program, options.range.last);
  return ModelRun({library, *profile}, std::move(model), std::move(words), backend, options).run();
}

std::vector<std::string> layer_ids(const Model& model, const LayerRange& range) {
  std::vector<std::string> ids;
  const std::vector<std::string> words = layer_words(model.test.program);
  for (std::size_t layer = range.first; layer < words.size() && layer <= range.last; ++layer) ids.push_back(model.test.id + "/" + words[layer]);
  ids.push_back(model.test.id + "/outputs");
  return ids;
}

}  // namespace tiebreak
