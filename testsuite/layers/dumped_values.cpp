// SPDX-License-Identifier: Apache-2.0
// A device that only dumps tensors, in a backend's place: what it gave, and between two dumps what the reference makes of the former.
#include <algorithm>

#include "testsuite/case/value_name.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_names = 12;  // of one note

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most_names ? " and " + std::to_string(names.size() - most_names) + " more" : "");
}

}  // namespace

/// Whether every result of the layer was dumped.
Result<bool> ModelValues::take_dump_of(std::size_t layer) {
  bool all = true;
  for (ValueId id : named_results(test_.program.operations[layer])) {
    if (!dumps_->has(id)) {
      all = false;
      continue;
    }
    const auto& known = reference[value_place(id)];
    TIEBREAK_TRY(tensor, dumps_->tensor(id, known ? known->tensor.type() : test_.program.values[value_place(id)].type));
    backend[value_place(id)] = std::move(tensor);
  }
  return all;
}

/// What the layer gives for the device's operands: what the reference has already, where these are the reference's own.
Result<std::vector<ResultTensor>> ModelValues::results_on_dumps(std::size_t layer) const {
  const Operation& operation = test_.program.operations[layer];
  std::vector<ResultTensor> results;
  if (operation.regions.empty() && reads_the_reference(layer)) {
    for (ValueId id : operation.results)
      if (id >= 0 && reference[value_place(id)]) results.push_back(*reference[value_place(id)]);
    if (results.size() == operation.results.size()) return results;
  }
  return evaluate_operation(
      {library_, profile_}, test_.program, operation, [this](ValueId id) { return backend_value(id); }, options_.evaluate);
}

/// The results that were not dumped, from what the device gave for the layer's operands.
Status ModelValues::carry_on(std::size_t layer) {
  const Operation& operation = test_.program.operations[layer];
  std::vector<std::size_t> since{layer};
  for (ValueId id : operation.operands)
    if (id >= 0) std::ranges::copy(computed_by[value_place(id)], std::back_inserter(since));
  std::ranges::sort(since);
  since.erase(std::unique(since.begin(), since.end()), since.end());
  const bool known = std::ranges::all_of(read_values(operation), [this](ValueId id) { return backend_value(id).tensor != nullptr; });
  if (!known || !states[layer].empty()) return {};
  Result<std::vector<ResultTensor>> results = results_on_dumps(layer);
  if (!results) {
    if (results.error().code == Errc::internal) return tl::unexpected<Error>(results.error());
    not_judged(layer, CaseStatus::not_run, is_interrupted() ? stopped_word : "no expectation on the device's values: " + results.error().what);
    return {};
  }
  for (std::size_t r = 0; r < results->size() && r < operation.results.size(); ++r) {
    const ValueId id = operation.results[r];
    if (id < 0 || dumps_->has(id)) continue;
    backend[value_place(id)] = std::move((*results)[r].tensor);
    computed_by[value_place(id)] = since;
  }
  return {};
}

void ModelValues::note_dumps() {
  std::vector<std::string> missing;
  for (const Operation& operation : test_.program.operations)
    for (ValueId id : named_results(operation))
      if (!dumps_->has(id)) missing.push_back(bare_name(test_.program, id));
  if (!missing.empty()) notes.push_back("no dump of " + listed(missing) + ": there the reference goes on from what was dumped before");
  if (const std::vector<std::string> unused = dumps_->unused(); !unused.empty()) notes.push_back("dumps that are no tensor of the model: " + listed(unused));
}

Status ModelValues::take_dumps(std::size_t layer) {
  if (is_stopped(layer)) return {};
  TIEBREAK_TRY(all, take_dump_of(layer));
  if (all) return {};
  TIEBREAK_CHECK(carry_on(layer));
  const bool some = std::ranges::any_of(named_results(test_.program.operations[layer]), [this](ValueId id) { return dumps_->has(id); });
  if (!some && states[layer].empty()) not_judged(layer, CaseStatus::not_run, "no dump");
  return {};
}

void ModelValues::end() {
  if (run == "parts") return end_parts();
  if (dumps_ == nullptr) return;
  whole.kind = BackendAnswer::Kind::answered;
  for (ValueId id : test_.program.outputs) {
    if (dumps_->has(id) && backend[value_place(id)]) {
      whole.outputs.push_back({test_.program.values[value_place(id)].name, *backend[value_place(id)]});
      continue;
    }
    whole.kind = BackendAnswer::Kind::inconclusive;
    whole.reason = "there is no dump of output '" + bare_name(test_.program, id) + "'";
  }
}

}  // namespace tiebreak
