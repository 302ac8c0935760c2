// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/model_values.hpp"

#include <algorithm>

#include "testsuite/case/program_part.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/layer_call.hpp"

namespace tiebreak {

std::vector<ValueId> named_results(const Operation& operation) {
  std::vector<ValueId> ids;
  std::ranges::copy_if(operation.results, std::back_inserter(ids), [](ValueId id) { return id >= 0; });
  return ids;
}

ModelValues::ModelValues(const Semantics& semantics, Case& test, Backend& backend_process, const ModelOptions& options)
    : library_(semantics.library),
      profile_(semantics.profile),
      backend_process_(backend_process),
      options_(options.check),
      model_options_(options),
      dumps_(options.dumps),
      test_(test) {
  const std::size_t count = test_.program.values.size();
  reference.resize(count);
  backend.resize(count);
  cut.resize(count);
  states.resize(test_.program.operations.size());
  statuses.resize(states.size(), CaseStatus::not_run);
  for (std::size_t i = 0; i < test_.inputs.size(); ++i) {
    const std::size_t id = value_place(test_.program.inputs[i]);
    reference[id] = ResultTensor{.name = test_.program.values[id].name, .tensor = test_.inputs[i]};
    backend[id] = test_.inputs[i];
  }
  last_reader_.resize(count, 0);
  for (std::size_t layer = 0; layer < states.size(); ++layer) {
    for (ValueId id : named_results(test_.program.operations[layer])) last_reader_[value_place(id)] = layer;
    for (ValueId id : read_values(test_.program.operations[layer])) last_reader_[value_place(id)] = layer;
  }
  for (ValueId id : test_.program.outputs) last_reader_[value_place(id)] = never;
  asked_again_.resize(count);
  for (const Operation& operation : test_.program.operations)
    if (gives_output(operation))
      for (ValueId id : read_values(operation)) asked_again_[value_place(id)] = true;
}

bool ModelValues::gives_output(const Operation& operation) const {
  return std::ranges::any_of(operation.results, [this](ValueId id) { return std::ranges::find(test_.program.outputs, id) != test_.program.outputs.end(); });
}

bool ModelValues::types_are_stated() const {
  return std::ranges::all_of(test_.program.operations, [this](const Operation& operation) {
    return std::ranges::all_of(named_results(operation), [this](ValueId id) { return has_closed_type(id); });
  });
}

bool ModelValues::has_closed_type(ValueId id) const {
  const auto& type = test_.program.values[value_place(id)].type;
  return type && !is_open(type->shape);
}

bool ModelValues::is_interrupted() const { return library_.stop().is_requested() || (options_.interrupted && options_.interrupted()); }

Status ModelValues::begin() {
  if (dumps_ != nullptr) {
    run = "dumps";
    computed_by.resize(test_.program.values.size());
    note_dumps();
    return {};
  }
  if (!types_are_stated() || stated_bytes() > model_options_.most_answer) {
    TIEBREAK_CHECK(compute_part());
    has_reference_ = known_end_ == states.size();
  }
  if (is_interrupted()) return {};
  if (is_in_parts()) {
    run = "parts";
    return begin_part(0);
  }
  const bool answered = ask_graph();
  if (!answered && is_interrupted()) return {};
  run = answered ? "graph" : "layers";
  ask_whole();
  if (!changed.empty()) ask_cuts();
  return {};
}

Status ModelValues::compute(std::size_t layer) {
  if (is_in_parts()) {
    if (layer == part_end_) TIEBREAK_CHECK(begin_part(layer));
    if (!is_part_answered_) ask_layer(layer);
    return {};
  }
  if (!has_reference_) {
    if (model_options_.progress) model_options_.progress(layer, first_result(test_.program, test_.program.operations[layer]));
    TIEBREAK_CHECK(reference_of(layer));
  }
  if (dumps_ != nullptr) return take_dumps(layer);
  const auto is_answered = [this](ValueId id) { return backend[value_place(id)].has_value(); };
  if (run == "layers" || (is_cut_short_ && !std::ranges::all_of(named_results(test_.program.operations[layer]), is_answered))) ask_layer(layer);
  return {};
}

void ModelValues::release(std::size_t layer) {
  const Operation& operation = test_.program.operations[layer];
  auto let_go = [this, layer](ValueId id) {
    if (last_reader_[value_place(id)] != layer) return;
    if (!asked_again_[value_place(id)]) reference[value_place(id)].reset();
    backend[value_place(id)].reset();
    cut[value_place(id)].reset();
  };
  std::ranges::for_each(read_values(operation), let_go);
  std::ranges::for_each(named_results(operation), let_go);
}

std::size_t ModelValues::held_bytes() const {
  std::size_t bytes = 0;
  for (const auto& value : reference) bytes += value ? value->tensor.bytes().size() : 0;
  for (const auto* side : {&backend, &cut})
    for (const auto& value : *side) bytes += value ? value->bytes().size() : 0;
  return bytes;
}

std::size_t ModelValues::result_bytes(std::size_t layer) const {
  std::size_t bytes = 0;
  for (ValueId id : named_results(test_.program.operations[layer]))
    if (const auto& value = reference[value_place(id)]) bytes += value->tensor.bytes().size();
  return bytes;
}

std::optional<ResultTensor> ModelValues::exact_output(std::size_t output, std::shared_ptr<const std::set<std::int64_t>> elements) const {
  EvaluateOptions options = options_.evaluate;
  options.explain_values = true;
  options.explained = std::move(elements);
  for (const Operation& operation : test_.program.operations) {
    const auto found = std::ranges::find(operation.results, test_.program.outputs[output]);
    if (found == operation.results.end()) continue;
    auto results = evaluate_operation(
        {library_, profile_}, test_.program, operation, [this](ValueId id) { return reference_value(id); }, options);
    const auto place = static_cast<std::size_t>(found - operation.results.begin());
    if (results && place < results->size()) return std::move((*results)[place]);
  }
  return std::nullopt;
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

LentTensor ModelValues::reference_value(ValueId id) const {
  if (const auto& constant = test_.program.values[value_place(id)].constant) return lent(*constant);
  const auto& known = reference[value_place(id)];
  return known ? lent(*known) : LentTensor{};
}

LentTensor ModelValues::backend_value(ValueId id) const {
  const Tensor* known = read_value(test_.program, backend, id);
  return known != nullptr ? lent(*known) : LentTensor{};
}

/// The layer as a program of its own, on the reference's values.
std::optional<Case> ModelValues::part_on_reference(std::size_t layer) const {
  std::vector<std::optional<Tensor>> known(reference.size());
  for (ValueId id : read_values(test_.program.operations[layer]))
    if (const auto& value = reference[value_place(id)]) known[value_place(id)] = value->tensor;
  std::optional<Case> part = part_of(test_, known, layer, layer + 1);
  if (part) part->id = test_.id + "/layer-" + std::to_string(layer);
  return part;
}

bool ModelValues::take_from_dumps(std::size_t layer, const std::string& why) {
  for (ValueId id : named_results(test_.program.operations[layer])) {
    Result<Tensor> dumped = fail(Errc::usage, "there is no dump of '" + bare_name(test_.program, id) + "'");
    if (dumps_->has(id)) dumped = dumps_->tensor(id, test_.program.values[value_place(id)].type);
    if (!dumped) {
      not_judged(layer, CaseStatus::unsupported, why + ", and " + dumped.error().what);
      return false;
    }
    reference[value_place(id)] = ResultTensor{.name = "", .tensor = *std::move(dumped)};
  }
  not_judged(layer, CaseStatus::unsupported, why + ": taken from the dumps");
  return true;
}

bool ModelValues::take_from_backend(std::size_t layer, const std::string& why) {
  const Operation& operation = test_.program.operations[layer];
  if (!std::ranges::all_of(named_results(operation), [this](ValueId id) { return has_closed_type(id); })) {
    not_judged(layer, CaseStatus::unsupported, why + ", and the model does not state its results' types");
    return false;
  }
  if (dumps_ != nullptr) return take_from_dumps(layer, why);
  std::optional<Case> part = part_on_reference(layer);
  if (part) std::erase_if(part->program.outputs, [](ValueId id) { return id < 0; });
  BackendAnswer answer = part ? ask_one(request_for(*part)) : BackendAnswer();
  if (answer.kind != BackendAnswer::Kind::answered) {
    if (is_interrupted()) return not_judged(layer, CaseStatus::not_run, stopped_word), false;
    not_judged(layer, CaseStatus::unsupported, why + ", and the backend does not run it alone: " + answer.reason);
    return false;
  }
  const std::vector<ValueId> results = named_results(operation);
  for (std::size_t r = 0; r < results.size(); ++r) reference[value_place(results[r])] = ResultTensor{.name = "", .tensor = std::move(answer.outputs[r].tensor)};
  not_judged(layer, CaseStatus::unsupported, why + ": taken from the backend");
  return true;
}

Status ModelValues::reference_of(std::size_t layer) {
  if (is_interrupted()) return not_judged(layer, CaseStatus::not_run, stopped_word), Status{};
  const Operation& operation = test_.program.operations[layer];
  const bool known = std::ranges::all_of(read_values(operation), [this](ValueId id) { return reference_value(id).tensor != nullptr; });
  if (!known) {
    not_judged(layer, CaseStatus::not_run, "it reads a value that is not known");
    return {};
  }
  auto results = evaluate_operation(
      {library_, profile_}, test_.program, operation, [this](ValueId id) { return reference_value(id); }, options_.evaluate);
  if (!results) {
    const Error& error = results.error();
    if (error.code == Errc::internal) return tl::unexpected<Error>(error);
    if (is_interrupted()) return not_judged(layer, CaseStatus::not_run, stopped_word), Status{};
    const bool is_absent = error.code == Errc::unknown_name && !library_.op_place(operation.op);
    const bool beyond = is_absent || error.code == Errc::unsupported || error.code == Errc::unknown_name || error.code == Errc::limit ||
                        error.code == Errc::type || error.code == Errc::constraint;
    const std::string why = is_absent ? "no page" : (beyond ? "the page does not describe it (" : "no expectation (") + error.what + ")";
    if (!take_from_backend(layer, why)) return {};
  } else {
    for (std::size_t r = 0; r < results->size() && r < operation.results.size(); ++r)
      if (operation.results[r] >= 0) reference[value_place(operation.results[r])] = std::move((*results)[r]);
  }
  for (ValueId id : named_results(operation))
    if (const auto& found = reference[value_place(id)]) test_.program.values[value_place(id)].type = found->tensor.type();
  return {};
}

}  // namespace tiebreak
