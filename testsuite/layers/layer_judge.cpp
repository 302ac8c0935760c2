// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/layer_judge.hpp"

#include <algorithm>
#include <set>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/case/case_writer.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string layer_types_text(const Case& call) {
  const ValueId last = call.program.outputs.empty() ? -1 : call.program.outputs.front();
  std::string text = call.inputs.empty() ? "" : call.inputs.front().element().name() + " ";
  return text + "-> " + (last >= 0 && call.program.values[value_place(last)].type ? call.program.values[value_place(last)].type->element.name() : "?");
}

}  // namespace

Drift drift_of(const Comparison& comparison) {
  const bool is_wrong = comparison.different > comparison.right;
  return {true, comparison.compared, comparison.different, is_wrong ? decimal_text(comparison.worst, 6) : "", comparison.right};
}

/// What was not judged when the run was stopped is not compared either.
Result<JudgedLayer> LayerJudge::judge(std::size_t layer, bool interrupted) const {
  JudgedLayer judged{.layer = layer};
  judged.entry = compare_values(layer, !interrupted, judged.cut_differs);
  if (!is_wanted(options_.wanted, judged.entry.id)) return judged;
  CaseReport& report = judged.report.emplace();
  report.id = judged.entry.id;
  report.op = values_.program().operations[layer].op;
  report.source = model_.source;
  report.status = values_.statuses[layer];
  report.reason = judged.entry.state;
  const CaseReport* known = earlier_.same(layer);
  if (interrupted && (judged.entry.state.empty() || values_.is_stopped(layer))) stop_at(judged);
  else if (known != nullptr && !is_written(*known)) take_over(*known, judged);
  else if (judged.entry.state.empty()) TIEBREAK_CHECK(judge_known(judged));
  Case named;
  named.id = judged.entry.id;
  named.source = model_.source;
  report.reproduce = reproduce_command(named, options_.check);
  return judged;
}

/// Whether a file is to be made of the layer, from its values: then it is judged again.
bool LayerJudge::is_written(const CaseReport& known) const { return known.status == CaseStatus::fail && !options_.layers_folder.empty(); }

ModelLayer LayerJudge::compare_values(std::size_t layer, bool compared, bool& cut_differs) const {
  const Program& program = values_.program();
  const Operation& operation = program.operations[layer];
  ModelLayer entry{model_.id + "/" + words_[layer], first_result(program, operation), operation.op, values_.states[layer], {}};
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
      cut_differs |= !comparison.conforms;
    }
    entry.values.push_back(std::move(shown));
  }
  return entry;
}

/// What the layer must give on the backend's inputs. Where those are the reference's own, that is known already.
Result<Expectation> LayerJudge::expectation_of(std::size_t layer, const Case& call) const {
  const Operation& operation = values_.program().operations[layer];
  if (!values_.reads_the_reference(layer)) return expect({library_, profile_}, call, options_.check.evaluate);
  Expectation expectation;
  for (ValueId id : named_results(operation)) expectation.outputs.push_back(*values_.reference[value_place(id)]);
  return expectation;
}

/// A layer whose reference is known, if all that it reads and gives is on the backend's side, too.
Status LayerJudge::judge_known(JudgedLayer& judged) const {
  const Operation& operation = values_.program().operations[judged.layer];
  std::optional<Case> call = call_case(library_, values_.program(), judged.layer, values_.backend);
  const bool answered = std::ranges::all_of(named_results(operation), [&](ValueId id) { return values_.backend[value_place(id)].has_value(); });
  if (call && answered) return judge_call(*call, judged);
  judged.report->reason = judged.entry.state = "it reads or gives a value that is not known";
  return {};
}

/// `01.y (onnx.Conv), 02.z (onnx.Relu)`: the layers between the last dumps and this one.
std::string LayerJudge::layers_without_dump(std::size_t layer) const {
  if (values_.computed_by.empty()) return "";
  std::set<std::size_t> layers;
  for (ValueId id : values_.program().operations[layer].operands)
    if (id >= 0) layers.insert(values_.computed_by[value_place(id)].begin(), values_.computed_by[value_place(id)].end());
  std::string text;
  for (std::size_t other : layers) text += (text.empty() ? "" : ", ") + words_[other] + " (" + values_.program().operations[other].op + ")";
  return text;
}

Status LayerJudge::judge_call(Case& call, JudgedLayer& judged) const {
  const Operation& operation = values_.program().operations[judged.layer];
  const std::string& word = words_[judged.layer];
  CaseReport& report = *judged.report;
  call.id = operation.op + "/" + word;
  call.source = options_.layers_folder.empty() ? "" : options_.layers_folder + "/" + word + ".json";
  report.types = layer_types_text(call);
  auto expectation = expectation_of(judged.layer, call);
  if (!expectation) {
    if (expectation.error().code == Errc::internal) return tl::unexpected<Error>(expectation.error());
    if (values_.is_interrupted()) return stop_at(judged), Status{};
    report.status = CaseStatus::inconclusive;
    report.reason = judged.entry.state = "no expectation on the backend's inputs: " + expectation.error().what;
    return {};
  }
  BackendAnswer answer;
  answer.kind = BackendAnswer::Kind::answered;
  for (ValueId id : named_results(operation)) answer.outputs.push_back({values_.program().values[value_place(id)].name, *values_.backend[value_place(id)]});
  CheckOptions own = options_.check;
  if (const std::string others = layers_without_dump(judged.layer); !others.empty()) {
    own.diagnose = false;  // what is wrong may be in any of them
    report.description = "judged together with what stands before it and was not dumped: " + others;
  }
  const std::vector<Tensor> answers = tiebreak::judge(library_, call, *expectation, answer, own, report);
  if (!is_declared({library_, profile_}, operation.op)) {
    note_not_declared(profile_.name, operation.op, !answers.empty(), report);
    report.diagnosis.reset();
  }
  for (std::size_t i = 0; i < report.outputs.size() && i < judged.entry.values.size(); ++i) {
    judged.entry.values[i].local = drift_of(report.outputs[i].second);
    judged.entry.values[i].unit = report.outputs[i].second.unit;
  }
  if (report.status != CaseStatus::fail) return {};
  judged.fails = true;
  if (options_.layers_folder.empty()) report.explain.clear();
  else judged.file = {word + ".json", case_file_text(library_, call, word, profile_.name, expectation->outputs)};
  return {};
}

/// What an earlier run found. The commands are this run's, and so is how far the value is by now.
void LayerJudge::take_over(const CaseReport& known, JudgedLayer& judged) const {
  CaseReport& report = *judged.report;
  report = known;
  report.source = model_.source;
  report.explain.clear();  // it is of a case file, and there is none
  judged.fails = report.status == CaseStatus::fail;
  for (std::size_t i = 0; i < report.outputs.size() && i < judged.entry.values.size(); ++i) {
    judged.entry.values[i].local = drift_of(report.outputs[i].second);
    judged.entry.values[i].unit = report.outputs[i].second.unit;
  }
}

/// The layer that the run was stopped in, or one behind it. What an earlier run found of it is kept for the next.
void LayerJudge::stop_at(JudgedLayer& judged) const {
  const CaseReport* known = earlier_.judged(judged.layer);
  if (const ModelLayer* entry = earlier_.entry(judged.layer); known != nullptr && entry != nullptr) {
    judged.entry = *entry;
    return take_over(*known, judged);
  }
  judged.stopped = true;
  judged.report->status = CaseStatus::not_run;
  judged.report->reason = judged.entry.state = ModelValues::stopped_word;
}

}  // namespace tiebreak
