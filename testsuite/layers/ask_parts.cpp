// SPDX-License-Identifier: Apache-2.0
// A model whose values are too many for one answer: the reference and the backend take the layers part by part, the backend on what it gave before.
#include <algorithm>

#include "testsuite/case/program_part.hpp"
#include "testsuite/layers/layer_call.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {

std::size_t ModelValues::stated_bytes() const {
  std::size_t bytes = 0;
  for (const Operation& operation : test_.program.operations)
    for (ValueId id : named_results(operation)) {
      const TensorType& type = *test_.program.values[value_place(id)].type;
      const auto count = element_count(type.shape);
      bytes += count ? static_cast<std::size_t>(*count) * static_cast<std::size_t>(type.element.storage_bytes()) : model_options_.most_answer;
    }
  return bytes;
}

/// The reference of the layers from `first` on, as many as fit into one answer.
Status ModelValues::compute_part(std::size_t first) {
  std::size_t bytes = 0;
  for (part_end_ = first; part_end_ < states.size() && (part_end_ == first || bytes <= model_options_.most_answer); ++part_end_) {
    if (model_options_.progress) model_options_.progress(part_end_, first_result(test_.program, test_.program.operations[part_end_]));
    TIEBREAK_CHECK(reference_of(part_end_));
    bytes += result_bytes(part_end_);
  }
  return {};
}

/// These layers as a program of their own, every value an output of it. False where the backend does not run it.
bool ModelValues::ask_part(std::size_t first) {
  std::optional<Case> part = part_of(test_, backend, first, part_end_);
  if (!part) return false;
  part->id = test_.id + "/part-" + std::to_string(first);
  part->program.outputs.clear();
  std::vector<ValueId> asked;
  for (std::size_t layer = first; layer < part_end_; ++layer) {
    const Operation& operation = test_.program.operations[layer];
    const Operation& own = part->program.operations[layer - first];
    for (std::size_t r = 0; r < operation.results.size(); ++r) {
      if (operation.results[r] < 0 || !reference[value_place(operation.results[r])]) continue;
      asked.push_back(operation.results[r]);
      part->program.outputs.push_back(own.results[r]);
    }
  }
  ExchangeCase request = request_for(*part);
  part.reset();  // its constants and inputs are in the request
  BackendAnswer answer = ask_one(std::move(request));
  if (answer.kind != BackendAnswer::Kind::answered) {
    if (!is_interrupted())
      notes.push_back("the backend does not run the layers from " + first_result(test_.program, test_.program.operations[first]) + " on as one program (" +
                      answer.reason + "): each of them ran alone");
    return false;
  }
  for (std::size_t i = 0; i < asked.size(); ++i) backend[value_place(asked[i])] = std::move(answer.outputs[i].tensor);
  return true;
}

Status ModelValues::begin_part(std::size_t first) {
  TIEBREAK_CHECK(compute_part(first));
  is_part_answered_ = ask_part(first);
  return {};
}

/// The types of the model's outputs are known by now.
void ModelValues::end_parts() {
  ask_whole();
  if (!changed.empty()) notes.push_back("the model is too large to be cut after its layers");
}

}  // namespace tiebreak
