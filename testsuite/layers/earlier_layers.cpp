// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/earlier_layers.hpp"

#include <algorithm>

#include "interpreter/program/is_read.hpp"

namespace tiebreak {

EarlierLayers::EarlierLayers(const EarlierVerdicts* earlier, const std::vector<std::string>& ids, const ModelValues& values, std::size_t show)
    : earlier_(earlier), ids_(ids), values_(values), show_(show), same_values_(values.program().values.size()), same_layers_(ids.size()) {
  for (ValueId id : values.program().inputs) same_values_[value_place(id)] = true;  // the report is of these inputs
}

const CaseReport* EarlierLayers::judged(std::size_t layer) const { return earlier_ == nullptr ? nullptr : earlier_->judged(ids_[layer], show_); }

const ModelLayer* EarlierLayers::entry(std::size_t layer) const { return earlier_ == nullptr ? nullptr : earlier_->layer(ids_[layer]); }

void EarlierLayers::compare(std::size_t layer) {
  const CaseReport* known = judged(layer);
  const Operation& operation = values_.program().operations[layer];
  const std::vector<ValueId> results = named_results(operation);
  if (known == nullptr || known->op != operation.op || known->outputs.size() != results.size()) return;
  bool all = true;
  for (std::size_t r = 0; r < results.size(); ++r) {
    const auto& given = values_.backend[value_place(results[r])];
    const bool same = given && digest_of(*given) == known->outputs[r].second.digest;
    same_values_[value_place(results[r])] = same;
    all = all && same;
  }
  const bool reads_the_same = std::ranges::all_of(
      read_values(operation), [this](ValueId id) { return values_.program().values[value_place(id)].constant.has_value() || same_values_[value_place(id)]; });
  if (all && reads_the_same && values_.states[layer].empty()) same_layers_[layer] = known;
}

}  // namespace tiebreak
