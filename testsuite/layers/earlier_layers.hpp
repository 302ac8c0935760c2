// SPDX-License-Identifier: Apache-2.0
// Layers whose verdict an earlier report has, in a run that goes on: which of them the backend gives, and reads, as it did then.
#pragma once
#include <string>
#include <vector>

#include "testsuite/check/earlier_verdicts.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {

class EarlierLayers {
 public:
  /// `ids`: of the layers. All of these outlive it. `earlier` may be nullptr: then nothing is known.
  EarlierLayers(const EarlierVerdicts* earlier, const std::vector<std::string>& ids, const ModelValues& values, std::size_t show);

  /// Once the layer is computed, layer by layer in their order: compares what the backend gives for it with the digests in the report. What a layer reads is
  /// the same where it is a constant, an input of the model, or a value that was compared.
  void compare(std::size_t layer);
  /// The verdict on a layer that was compared, if all that it reads and gives is the same; else nullptr.
  const CaseReport* same(std::size_t layer) const { return same_layers_[layer]; }
  /// The verdict, and the entry of the table, as the report has them, compared or not: what a run keeps that is stopped again. nullptr where there is none.
  const CaseReport* judged(std::size_t layer) const;
  const ModelLayer* entry(std::size_t layer) const;

 private:
  const EarlierVerdicts* earlier_;
  const std::vector<std::string>& ids_;
  const ModelValues& values_;
  std::size_t show_;
  std::vector<bool> same_values_{};
  std::vector<const CaseReport*> same_layers_{};
};

}  // namespace tiebreak
