// SPDX-License-Identifier: Apache-2.0
// What every value of a model is: for the reference from the model's inputs on, and for the backend.
#pragma once
#include "testsuite/layers/dumps.hpp"
#include "testsuite/layers/model.hpp"

namespace tiebreak {

/// Where a value stands among those of its program.
inline std::size_t value_place(ValueId id) { return static_cast<std::size_t>(id); }

/// The results that have a name, and so a value.
std::vector<ValueId> named_results(const Operation& operation);

class ModelValues {
 public:
  /// `dumps`: what answers instead of the backend, if it is there.
  ModelValues(const Semantics& semantics, const Model& model, Backend& backend, const CheckOptions& options, const Dumps* dumps);

  /// The reference: layer after layer, from the page; where there is none, from the backend on the reference's values.
  Status compute_reference();
  /// The backend: all values as outputs of one run; where it does not do that, each layer alone. Then the model as it is, and, where that gives
  /// other values, the model cut after each layer.
  Status ask_backend();
  /// The same from the dumps. A value without one is what the reference makes of those that the device gave before it.
  Status take_dumps();

  /// Whether all that the layer reads is, on the backend's side, what it is in the reference, to the byte: then so is what it must give.
  bool reads_the_reference(std::size_t layer) const;
  const Program& program() const { return test_.program; }  ///< with the types that were found
  std::string run{};                                        ///< graph, layers
  std::string changed{};                                    ///< how the model's own outputs change when every value is one
  std::vector<std::string> notes{};
  std::vector<std::string> states{};                     ///< for each layer: "" if it is judged, else why not
  std::vector<CaseStatus> statuses{};                    ///< of layers that are not judged
  std::vector<std::optional<ResultTensor>> reference{};  ///< for each value
  std::vector<std::optional<Tensor>> backend{};
  std::vector<std::optional<Tensor>> cut{};
  BackendAnswer whole{};                                ///< to the model as it is
  std::vector<std::vector<std::size_t>> computed_by{};  ///< for each value: the layers without a dump that stand between it and what the device gave

 private:
  Status reference_of(std::size_t layer);
  bool take_from_backend(std::size_t layer, const Case& part, const std::string& why);
  bool ask_graph();
  void ask_layers();
  void ask_whole();
  void ask_cuts();
  std::vector<BackendAnswer> ask(const std::vector<Case>& cases);
  Result<bool> take_dump_of(std::size_t layer);
  Result<std::vector<ResultTensor>> results_on_dumps(std::size_t layer, const Case& part) const;
  Status carry_on(std::size_t layer);
  void note_dumps();
  void not_judged(std::size_t layer, CaseStatus status, const std::string& why);

  const Library& library_;
  const Profile& profile_;
  Backend& backend_process_;
  const CheckOptions& options_;
  const Dumps* dumps_;
  Case test_;
  std::vector<std::optional<Tensor>> known_{};  ///< the reference as plain tensors
};

}  // namespace tiebreak
