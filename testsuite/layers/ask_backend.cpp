// SPDX-License-Identifier: Apache-2.0
// What a backend is asked about a model: every value at once, the model as it is, the model cut after layers, a layer alone.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/backends/answer.hpp"
#include "testsuite/case/program_part.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {

ExchangeCase ModelValues::request_for(const Case& test) const {
  std::vector<ResultTensor> types;
  for (ValueId id : test.program.outputs) types.emplace_back().tensor.set_type(*test.program.values[value_place(id)].type);  // nothing else is read of it
  return to_request(library_, test, profile_, types);
}

std::vector<BackendAnswer> ModelValues::ask(std::vector<ExchangeCase> requests) {
  const std::lock_guard lock(asking_);
  std::vector<BackendAnswer> answers;
  if (!is_interrupted()) answers = backend_process_.run(requests);
  answers.resize(requests.size(), inconclusive("the backend gave no answer"));
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (answers[i].kind == BackendAnswer::Kind::answered && answers[i].outputs.size() != requests[i].outputs.size())
      answers[i] = inconclusive("another number of outputs than was asked for");
  return answers;
}

BackendAnswer ModelValues::ask_one(ExchangeCase request) {
  std::vector<ExchangeCase> requests;
  requests.push_back(std::move(request));
  return std::move(ask(std::move(requests)).front());
}

/// The model with these values as outputs. It is asked for in place: a copy would have every constant again.
BackendAnswer ModelValues::ask_model(const std::string& suffix, std::vector<ValueId> outputs) {
  std::string id = test_.id + suffix;
  std::swap(test_.id, id);
  std::swap(test_.program.outputs, outputs);
  ExchangeCase request = request_for(test_);
  std::swap(test_.program.outputs, outputs);
  std::swap(test_.id, id);
  return ask_one(std::move(request));
}

bool ModelValues::ask_graph() {
  std::vector<ValueId> outputs;
  for (std::size_t layer = 0; layer < states.size(); ++layer) std::ranges::copy(asked_results(layer), std::back_inserter(outputs));
  if (outputs.empty()) return false;
  BackendAnswer answer = ask_model("/all", outputs);
  if (answer.kind != BackendAnswer::Kind::answered) {
    if (!is_interrupted() && ask_before_absent(answer.reason)) return true;
    if (!is_interrupted())
      notes.push_back("the backend does not run the model with every value as an output (" + answer.reason +
                      "): each layer ran alone, on what the backend gave before");
    return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) backend[value_place(outputs[i])] = std::move(answer.outputs[i].tensor);
  return true;
}

/// The layers that have no page, and those that read what comes of one.
std::vector<bool> ModelValues::behind_absent() const {
  std::vector<bool> layers(states.size()), values(test_.program.values.size());
  for (std::size_t layer = 0; layer < states.size(); ++layer) {
    const Operation& operation = test_.program.operations[layer];
    layers[layer] = !library_.op_place(operation.op) || std::ranges::any_of(read_values(operation), [&](ValueId id) { return values[value_place(id)]; });
    for (ValueId id : named_results(operation)) values[value_place(id)] = layers[layer];
  }
  return layers;
}

/// A runtime loads no model with an operator that it does not have: then the model without these, and without what follows from them. `why`: what it said.
bool ModelValues::ask_before_absent(const std::string& why) {
  const std::vector<bool> behind = behind_absent();
  const std::size_t left_out = static_cast<std::size_t>(std::ranges::count(behind, true));
  if (left_out == 0 || left_out == behind.size()) return false;
  std::vector<Operation> operations;
  std::vector<ValueId> outputs;
  for (std::size_t layer = 0; layer < behind.size(); ++layer) {
    if (behind[layer]) continue;
    operations.push_back(test_.program.operations[layer]);
    std::ranges::copy(asked_results(layer), std::back_inserter(outputs));
  }
  if (outputs.empty()) return false;
  std::swap(test_.program.operations, operations);
  BackendAnswer answer = ask_model("/before", outputs);
  std::swap(test_.program.operations, operations);
  if (answer.kind != BackendAnswer::Kind::answered) return false;
  for (std::size_t i = 0; i < outputs.size(); ++i) backend[value_place(outputs[i])] = std::move(answer.outputs[i].tensor);
  const auto first = static_cast<std::size_t>(std::ranges::find(behind, true) - behind.begin());
  notes.push_back(
      fmt::format("the backend does not run the model ({}): it ran without {} and what follows from it, {} of {} layers, which were asked for alone", why,
                  first_result(test_.program, test_.program.operations[first]), left_out, behind.size()));
  is_cut_short_ = true;
  return true;
}

void ModelValues::ask_layer(std::size_t layer) {
  const std::vector<ValueId> results = named_results(test_.program.operations[layer]);
  std::optional<Case> part = part_of(test_, backend, layer, layer + 1);
  const bool typed = std::ranges::all_of(results, [&](ValueId id) { return reference[value_place(id)].has_value(); });
  if (!part || !typed) return;
  part->id = test_.id + "/layer-" + std::to_string(layer);
  std::erase_if(part->program.outputs, [](ValueId id) { return id < 0; });
  BackendAnswer answer = ask_one(request_for(*part));
  const bool answered = answer.kind == BackendAnswer::Kind::answered;
  if (!answered && is_interrupted()) return not_judged(layer, CaseStatus::not_run, stopped_word);
  for (std::size_t r = 0; r < results.size(); ++r) {
    const std::size_t place = value_place(results[r]);
    backend[place] = answered ? std::move(answer.outputs[r].tensor) : reference[place]->tensor;
  }
  if (answered || !states[layer].empty()) return;
  not_judged(layer, status_without_outputs(answer.kind), answer.reason + "; what follows goes on from the reference");
}

void ModelValues::ask_whole() {
  const std::vector<ValueId> outputs = test_.program.outputs;
  if (!std::ranges::all_of(outputs, [this](ValueId id) { return has_closed_type(id); })) {
    whole.reason = "the types of the model's outputs are not known";
    return;
  }
  whole = ask_model("/outputs", outputs);
  if (whole.kind != BackendAnswer::Kind::answered || run == "layers") return;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& own = backend[value_place(outputs[i])];
    if (!own) continue;
    const Comparison comparison = compare(ResultTensor{.name = "", .tensor = *own}, whole.outputs[i].tensor, Policy{}, 0);
    if (comparison.different == 0) continue;
    changed += (changed.empty() ? "" : "; ") + std::to_string(comparison.different) + " of " + std::to_string(comparison.compared) + " elements of " +
               test_.program.values[value_place(outputs[i])].name + ", by up to " + decimal_text(comparison.worst) + " " + comparison.unit;
  }
}

/// The model cut after each of these layers, whose results are outputs then. False where the requests would be too large.
bool ModelValues::ask_cuts_at(const std::vector<std::size_t>& layers) {
  constexpr std::size_t most_bytes = std::size_t{512} << 20;  // of one request, in which every cut has the constants again
  std::size_t bytes = 0;
  std::vector<ExchangeCase> cuts;
  for (const std::size_t layer : layers) {
    Case one;
    one.id = test_.id + "/cut-" + std::to_string(layer);
    one.source = test_.source;
    one.inputs = test_.inputs;
    one.program = cut_at(test_.program, asked_results(layer));
    for (const ProgramValue& value : one.program.values) bytes += value.constant ? value.constant->bytes().size() : 0;
    if (bytes > most_bytes) return false;
    cuts.push_back(request_for(one));
  }
  std::vector<BackendAnswer> answers = ask(std::move(cuts));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::vector<ValueId> results = asked_results(layers[i]);
    for (std::size_t r = 0; answers[i].kind == BackendAnswer::Kind::answered && r < results.size(); ++r)
      cut[value_place(results[r])] = std::move(answers[i].outputs[r].tensor);
  }
  return true;
}

/// The results of a layer that are asked for: where the reference ran first, those whose type it has found.
std::vector<ValueId> ModelValues::asked_results(std::size_t layer) const {
  std::vector<ValueId> results = named_results(test_.program.operations[layer]);
  if (has_reference_) std::erase_if(results, [this](ValueId id) { return !reference[value_place(id)]; });
  return results;
}

/// Whether a result of the layer is another one than in the run in which every value is an output.
bool ModelValues::is_changed_by_cut(std::size_t layer) const {
  return std::ranges::any_of(asked_results(layer), [this](ValueId id) {
    const auto& here = cut[value_place(id)];
    const auto& there = backend[value_place(id)];
    return here && there && !std::ranges::equal(here->bytes(), there->bytes());
  });
}

/// Of few layers after each. Of many after some, evenly spaced, and after each of those that stand before the first of these that is changed.
void ModelValues::ask_cuts() {
  constexpr std::size_t few = 48, coarse = 16;
  std::vector<std::size_t> layers;
  for (std::size_t layer = 0; layer < states.size(); ++layer)
    if (!asked_results(layer).empty()) layers.push_back(layer);
  std::vector<std::size_t> first = layers;
  if (layers.size() > few) {
    const std::size_t step = layers.size() / coarse;
    first.clear();
    for (std::size_t i = step - 1; i < layers.size(); i += step) first.push_back(layers[i]);
    if (first.back() != layers.back()) first.push_back(layers.back());
  }
  if (!ask_cuts_at(first)) return notes.push_back("the model is too large to be cut after its layers");
  if (layers.size() <= few) return;
  const auto changed_one = std::ranges::find_if(first, [this](std::size_t layer) { return is_changed_by_cut(layer); });
  std::vector<std::size_t> before;
  if (changed_one != first.end()) {
    const bool is_first = changed_one == first.begin();
    std::ranges::copy_if(layers, std::back_inserter(before),
                         [&](std::size_t layer) { return layer < *changed_one && (is_first || layer > *(changed_one - 1)); });
    if (!ask_cuts_at(before)) before.clear();
  }
  std::string note = fmt::format("the model was cut after {} of its {} layers", first.size() + before.size(), layers.size());
  if (changed_one != first.end()) {
    const auto found = std::ranges::find_if(before, [this](std::size_t layer) { return is_changed_by_cut(layer); });
    const Operation& operation = test_.program.operations[found == before.end() ? *changed_one : *found];
    note += "; the first that gives another result where no later one is an output: " + first_result(test_.program, operation);
  }
  notes.push_back(std::move(note));
}

}  // namespace tiebreak
