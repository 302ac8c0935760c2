// SPDX-License-Identifier: Apache-2.0
// The verdict on one layer: by itself, on the backend's own inputs of it, and so far, against the reference that ran from the model's inputs on.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testsuite/layers/earlier_layers.hpp"
#include "testsuite/layers/model.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {

struct Expectation;

struct JudgedLayer {
  std::size_t layer = 0;
  ModelLayer entry{};
  std::optional<CaseReport> report{};          ///< of a layer that is wanted
  std::pair<std::string, std::string> file{};  ///< name and text of its case file, where it fails and cases are kept
  bool fails = false;                          ///< by itself
  bool cut_differs = false;                    ///< the model that ends here is another one than the reference
  bool stopped = false;                        ///< the run ended before it was judged
};

/// Drift between the reference and what a side gave.
Drift drift_of(const Comparison& comparison);

/// Several layers may be judged at the same time, while the values of later ones are computed.
class LayerJudge {
 public:
  /// `words`: of the layers, as the whole model has them. All of these outlive the judge.
  LayerJudge(const Semantics& semantics, const Case& model, const std::vector<std::string>& words, const ModelOptions& options, const ModelValues& values,
             const EarlierLayers& earlier)
      : library_(semantics.library), profile_(semantics.profile), model_(model), words_(words), options_(options), values_(values), earlier_(earlier) {}

  /// Once the layer is computed, and nothing that it reads or gives is let go. An internal error ends the run.
  Result<JudgedLayer> judge(std::size_t layer) const { return judge(layer, values_.is_interrupted()); }
  /// As if the run were stopped before it: nothing is computed.
  Result<JudgedLayer> judge_stopped(std::size_t layer) const { return judge(layer, true); }

 private:
  Result<JudgedLayer> judge(std::size_t layer, bool interrupted) const;
  ModelLayer compare_values(std::size_t layer, bool compared, bool& cut_differs) const;
  Result<Expectation> expectation_of(std::size_t layer, const Case& call) const;
  Status judge_known(JudgedLayer& judged) const;
  Status judge_call(Case& call, JudgedLayer& judged) const;
  std::string layers_without_dump(std::size_t layer) const;
  void stop_at(JudgedLayer& judged) const;
  bool is_written(const CaseReport& known) const;
  void take_over(const CaseReport& known, JudgedLayer& judged) const;

  const Library& library_;
  const Profile& profile_;
  const Case& model_;
  const std::vector<std::string>& words_;
  const ModelOptions& options_;
  const ModelValues& values_;
  const EarlierLayers& earlier_;
};

}  // namespace tiebreak
