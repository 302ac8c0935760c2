// SPDX-License-Identifier: Apache-2.0
// A model whose values are too many for one answer: the reference and the backend take the layers part by part, the backend on what it gave before. While it
// runs a part, the reference of the next is computed.
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

/// The reference of the layers behind those that are known, as many as fit into one answer.
Status ModelValues::compute_part() {
  const std::size_t first = known_end_;
  std::size_t bytes = 0;
  for (; known_end_ < states.size() && (known_end_ == first || bytes <= model_options_.most_answer); ++known_end_) {
    if (model_options_.progress) model_options_.progress(known_end_, first_result(test_.program, test_.program.operations[known_end_]));
    TIEBREAK_CHECK(reference_of(known_end_));
    bytes += result_bytes(known_end_);
  }
  return {};
}

/// Begins to ask for the layers from `first` on whose reference is known, as a program of their own, every value an output of it. What the backend gave for
/// those before is known.
void ModelValues::begin_to_ask(std::size_t first) {
  asked_ = AskedPart{.first = first};
  std::optional<Case> part = part_of(test_, backend, first, known_end_);
  if (!part) return;
  part->id = test_.id + "/part-" + std::to_string(first);
  part->program.outputs.clear();
  for (std::size_t layer = first; layer < known_end_; ++layer) {
    const Operation& operation = test_.program.operations[layer];
    const Operation& own = part->program.operations[layer - first];
    for (std::size_t r = 0; r < operation.results.size(); ++r) {
      if (operation.results[r] < 0 || !reference[value_place(operation.results[r])]) continue;
      asked_->values.push_back(operation.results[r]);
      part->program.outputs.push_back(own.results[r]);
    }
  }
  asked_->answer = std::async(std::launch::async, [this, request = request_for(*part)]() mutable { return ask_one(std::move(request)); });
}

/// Takes the values of the part that was asked for. False where the backend does not run it.
bool ModelValues::take_part() {
  AskedPart asked = *std::move(asked_);
  asked_.reset();
  if (!asked.answer.valid()) return false;
  BackendAnswer answer = asked.answer.get();
  if (answer.kind != BackendAnswer::Kind::answered) {
    if (!is_interrupted())
      notes.push_back("the backend does not run the layers from " + first_result(test_.program, test_.program.operations[asked.first]) +
                      " on as one program (" + answer.reason + "): each of them ran alone");
    return false;
  }
  for (std::size_t i = 0; i < asked.values.size(); ++i) backend[value_place(asked.values[i])] = std::move(answer.outputs[i].tensor);
  return true;
}

/// The reference of these layers is known; where the backend runs each alone, it is asked for the next part when that begins.
Status ModelValues::begin_part(std::size_t first) {
  if (!asked_) begin_to_ask(first);
  part_end_ = known_end_;
  TIEBREAK_CHECK(compute_part());
  is_part_answered_ = take_part();
  if (is_part_answered_ && part_end_ < known_end_ && !is_interrupted()) begin_to_ask(part_end_);
  return {};
}

/// The types of the model's outputs are known by now.
void ModelValues::end_parts() {
  ask_whole();
  if (!changed.empty()) notes.push_back("the model is too large to be cut after its layers");
}

}  // namespace tiebreak
