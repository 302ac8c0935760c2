// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/model_values.hpp"

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"
#include "testsuite/case/program_part.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The values that a part made of this operation has as inputs, in their order.
std::vector<ValueId> inputs_of_part(const Program& program, const Operation& operation) {
  std::vector<ValueId> read;
  auto add = [&](ValueId id) {
    if (id >= 0 && !program.values[value_place(id)].constant && std::ranges::find(read, id) == read.end()) read.push_back(id);
  };
  std::ranges::for_each(operation.operands, add);
  for (const Region& region : operation.regions) std::ranges::for_each(region.captured, add);
  return read;
}

/// A type that a request can state.
bool is_closed(const std::optional<TensorType>& type) { return type && !is_open(type->shape); }

}  // namespace

std::vector<ValueId> named_results(const Operation& operation) {
  std::vector<ValueId> ids;
  std::ranges::copy_if(operation.results, std::back_inserter(ids), [](ValueId id) { return id >= 0; });
  return ids;
}

ModelValues::ModelValues(const Semantics& semantics, const Model& model, Backend& backend_process, const CheckOptions& options, const Dumps* dumps)
    : library_(semantics.library), profile_(semantics.profile), backend_process_(backend_process), options_(options), dumps_(dumps), test_(model.test) {
  const std::size_t count = test_.program.values.size();
  reference.resize(count);
  backend.resize(count);
  cut.resize(count);
  known_.resize(count);
  states.resize(test_.program.operations.size());
  statuses.resize(states.size(), CaseStatus::not_run);
  for (std::size_t i = 0; i < test_.inputs.size(); ++i) {
    const std::size_t id = value_place(test_.program.inputs[i]);
    reference[id] = ResultTensor{.name = test_.program.values[id].name, .tensor = test_.inputs[i]};
    backend[id] = known_[id] = test_.inputs[i];
  }
}

bool ModelValues::reads_the_reference(std::size_t layer) const {
  return std::ranges::all_of(test_.program.operations[layer].operands, [this](ValueId id) {
    if (id < 0 || test_.program.values[value_place(id)].constant) return true;
    const auto& known = reference[value_place(id)];
    const auto& own = backend[value_place(id)];
    return known && own && known->undefined.empty() && same_type(known->tensor.type(), own->type()) && std::ranges::equal(known->tensor.bytes(), own->bytes());
  });
}

void ModelValues::not_judged(std::size_t layer, CaseStatus status, const std::string& why) {
  states[layer] = why;
  statuses[layer] = status;
}

std::vector<BackendAnswer> ModelValues::ask(const std::vector<Case>& cases) {
  std::vector<ExchangeCase> requests;
  for (const Case& test : cases) {
    std::vector<ResultTensor> types;
    for (ValueId id : test.program.outputs)
      types.push_back({.name = "", .tensor = Tensor::zeros(*test.program.values[value_place(id)].type).value_or(Tensor())});
    requests.push_back(to_request(library_, test, profile_, types));
  }
  std::vector<BackendAnswer> answers;
  if (!(options_.interrupted && options_.interrupted())) answers = backend_process_.run(requests);
  BackendAnswer missing;
  missing.reason = "the backend gave no answer";
  answers.resize(cases.size(), missing);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (answers[i].kind == BackendAnswer::Kind::answered && answers[i].outputs.size() != cases[i].program.outputs.size()) {
      answers[i].kind = BackendAnswer::Kind::inconclusive;
      answers[i].reason = "another number of outputs than was asked for";
    }
  return answers;
}

bool ModelValues::take_from_backend(std::size_t layer, const Case& part, const std::string& why) {
  const Operation& operation = test_.program.operations[layer];
  const bool typed = std::ranges::all_of(named_results(operation), [&](ValueId id) { return is_closed(test_.program.values[value_place(id)].type); });
  if (!typed) {
    not_judged(layer, CaseStatus::unsupported, why + ", and the model does not state its results' types");
    return false;
  }
  if (dumps_ != nullptr) {
    for (ValueId id : named_results(operation)) {
      Result<Tensor> dumped = fail(Errc::usage, "there is no dump of '" + bare_name(test_.program, id) + "'");
      if (dumps_->has(id)) dumped = dumps_->tensor(id, test_.program.values[value_place(id)].type);
      if (!dumped) {
        not_judged(layer, CaseStatus::unsupported, why + ", and " + dumped.error().what);
        return false;
      }
      reference[value_place(id)] = ResultTensor{.name = "", .tensor = *dumped};
    }
    not_judged(layer, CaseStatus::unsupported, why + ": taken from the dumps");
    return true;
  }
  const std::vector<BackendAnswer> answers = ask({part});
  if (answers[0].kind != BackendAnswer::Kind::answered) {
    not_judged(layer, CaseStatus::unsupported, why + ", and the backend does not run it alone: " + answers[0].reason);
    return false;
  }
  for (std::size_t r = 0; r < operation.results.size(); ++r)
    reference[value_place(operation.results[r])] = ResultTensor{.name = "", .tensor = answers[0].outputs[r].tensor};
  not_judged(layer, CaseStatus::unsupported, why + ": taken from the backend");
  return true;
}

Status ModelValues::reference_of(std::size_t layer) {
  if (library_.stop().is_requested()) return not_judged(layer, CaseStatus::not_run, "interrupted"), Status{};
  const Operation& operation = test_.program.operations[layer];
  std::optional<Case> part = part_of(test_, known_, layer, layer + 1);
  if (!part) {
    not_judged(layer, CaseStatus::not_run, "it reads a value that is not known");
    return {};
  }
  part->id = test_.id + "/layer-" + std::to_string(layer);
  std::vector<ResultTensor> inputs;
  for (ValueId id : inputs_of_part(test_.program, operation)) inputs.push_back(*reference[value_place(id)]);
  auto results = evaluate_values({library_, profile_}, part->program, inputs, options_.evaluate);
  if (!results) {
    const Error& error = results.error();
    if (error.code == Errc::internal) return tl::unexpected<Error>(error);
    if (library_.stop().is_requested()) return not_judged(layer, CaseStatus::not_run, "interrupted"), Status{};
    const bool is_absent = error.code == Errc::unknown_name && !library_.find_op(operation.op);
    const bool beyond = is_absent || error.code == Errc::unsupported || error.code == Errc::unknown_name || error.code == Errc::limit ||
                        error.code == Errc::type || error.code == Errc::constraint;
    const std::string why = is_absent ? "no page" : (beyond ? "the page does not describe it (" : "no expectation (") + error.what + ")";
    if (!take_from_backend(layer, *part, why)) return {};
  } else {
    for (std::size_t r = 0; r < results->size() && r < operation.results.size(); ++r) reference[value_place(operation.results[r])] = std::move((*results)[r]);
  }
  for (ValueId id : named_results(operation)) {
    if (!reference[value_place(id)]) continue;
    known_[value_place(id)] = reference[value_place(id)]->tensor;
    test_.program.values[value_place(id)].type = known_[value_place(id)]->type();
  }
  return {};
}

Status ModelValues::compute_reference() {
  for (std::size_t layer = 0; layer < states.size(); ++layer) TIEBREAK_CHECK(reference_of(layer));
  return {};
}

bool ModelValues::ask_graph() {
  Case all = test_;
  all.id = test_.id + "/all";
  all.program.outputs.clear();
  for (const Operation& operation : test_.program.operations)
    for (ValueId id : named_results(operation))
      if (reference[value_place(id)]) all.program.outputs.push_back(id);
  if (all.program.outputs.empty()) return false;
  std::vector<BackendAnswer> answers = ask({all});
  if (answers[0].kind != BackendAnswer::Kind::answered) {
    notes.push_back("the backend does not run the model with every value as an output (" + answers[0].reason +
                    "): each layer ran alone, on what the backend gave before");
    return false;
  }
  for (std::size_t i = 0; i < all.program.outputs.size(); ++i) backend[value_place(all.program.outputs[i])] = answers[0].outputs[i].tensor;
  run = "graph";
  return true;
}

void ModelValues::ask_layers() {
  run = "layers";
  for (std::size_t layer = 0; layer < states.size(); ++layer) {
    const Operation& operation = test_.program.operations[layer];
    std::optional<Case> part = part_of(test_, backend, layer, layer + 1);
    const bool typed = std::ranges::all_of(named_results(operation), [&](ValueId id) { return reference[value_place(id)].has_value(); });
    if (!part || !typed) continue;
    part->id = test_.id + "/layer-" + std::to_string(layer);
    const std::vector<BackendAnswer> answers = ask({*part});
    const bool answered = answers[0].kind == BackendAnswer::Kind::answered;
    for (std::size_t r = 0; r < operation.results.size(); ++r) {
      const std::size_t id = value_place(operation.results[r]);
      backend[id] = answered ? answers[0].outputs[r].tensor : reference[id]->tensor;
    }
    if (answered || !states[layer].empty()) continue;
    not_judged(layer, status_without_outputs(answers[0].kind), answers[0].reason + "; what follows goes on from the reference");
  }
}

void ModelValues::ask_whole() {
  Case asked = test_;
  asked.id = test_.id + "/outputs";
  const bool typed = std::ranges::all_of(asked.program.outputs, [&](ValueId id) { return is_closed(test_.program.values[value_place(id)].type); });
  if (!typed) {
    whole.reason = "the types of the model's outputs are not known";
    return;
  }
  whole = ask({asked})[0];
  if (whole.kind != BackendAnswer::Kind::answered || run != "graph") return;
  for (std::size_t i = 0; i < asked.program.outputs.size(); ++i) {
    const ValueId id = asked.program.outputs[i];
    if (!backend[value_place(id)]) continue;
    const Comparison comparison = compare(ResultTensor{.name = "", .tensor = *backend[value_place(id)]}, whole.outputs[i].tensor, Policy{}, 0);
    if (comparison.different == 0) continue;
    changed += (changed.empty() ? "" : "; ") + std::to_string(comparison.different) + " of " + std::to_string(comparison.compared) + " elements of " +
               test_.program.values[value_place(id)].name + ", by up to " + decimal_text(comparison.worst) + " " + comparison.unit;
  }
}

void ModelValues::ask_cuts() {
  constexpr std::size_t most_bytes = std::size_t{512} << 20;  // of one request, in which every cut has the constants again
  std::size_t bytes = 0;
  std::vector<Case> cuts;
  std::vector<std::vector<ValueId>> ids;
  for (std::size_t layer = 0; layer < states.size(); ++layer) {
    std::vector<ValueId> results;
    for (ValueId id : named_results(test_.program.operations[layer]))
      if (reference[value_place(id)]) results.push_back(id);
    if (results.empty()) continue;
    Case one = test_;
    one.id = test_.id + "/cut-" + std::to_string(layer);
    one.program = cut_at(test_.program, results);
    for (const ProgramValue& value : one.program.values) bytes += value.constant ? value.constant->bytes().size() : 0;
    cuts.push_back(std::move(one));
    ids.push_back(std::move(results));
  }
  if (bytes > most_bytes) {
    notes.push_back("the model is too large to be cut after every layer");
    return;
  }
  const std::vector<BackendAnswer> answers = ask(cuts);
  for (std::size_t i = 0; i < answers.size(); ++i)
    for (std::size_t r = 0; answers[i].kind == BackendAnswer::Kind::answered && r < ids[i].size(); ++r)
      cut[value_place(ids[i][r])] = answers[i].outputs[r].tensor;
}

Status ModelValues::ask_backend() {
  if (!ask_graph()) ask_layers();
  ask_whole();
  if (!changed.empty()) ask_cuts();
  return {};
}

}  // namespace tiebreak
