// SPDX-License-Identifier: Apache-2.0
// What every value of a model is: for the reference from the model's inputs on, and for the backend. Layers are taken in their order, and a value ends with
// the last layer that reads it.
#pragma once
#include <future>
#include <limits>
#include <mutex>

#include "interpreter/evaluate/program_run.hpp"
#include "interpreter/program/is_read.hpp"
#include "testsuite/layers/dumps.hpp"
#include "testsuite/layers/model.hpp"

namespace tiebreak {

/// Where a value stands among those of its program.
inline std::size_t value_place(ValueId id) { return static_cast<std::size_t>(id); }

/// The results that have a name, and so a value.
std::vector<ValueId> named_results(const Operation& operation);

class ModelValues {
 public:
  /// `test`: the model, which gets the types that are found, and whose outputs change while the backend is asked. `dumps`: what answers instead of the
  /// backend, if it is there.
  ModelValues(const Semantics& semantics, Case& test, Backend& backend, const ModelOptions& options);

  /// Before the first layer: what is asked of the backend about the model as a whole. All values as outputs of one run, or, where they are too many, those of
  /// the first part; then the model as it is, and, where
  /// that gives other values, the model cut after layers. Where the model does not state the type of every value, the reference runs first, to know them.
  Status begin();
  /// The layers one after the other. The reference from the page; where there is none, from the backend on the reference's values. The backend's side: from
  /// begin(), from a run of the layer alone, or from the dumps, where a value without one is what the reference makes of those that the device gave before it.
  Status compute(std::size_t layer);
  /// Lets go of what no later layer reads, and no output is.
  void release(std::size_t layer);
  /// After the last layer: of dumps, and of a model in parts, the model's outputs.
  void end();

  /// An output of the model again, by the operation that gives it on the reference's values, with the exact values of these elements, or of all. Nothing
  /// where it is no result of an operation, or where the page does not give it.
  std::optional<ResultTensor> exact_output(std::size_t output, std::shared_ptr<const std::set<std::int64_t>> elements) const;

  /// Whether all that the layer reads is, on the backend's side, what it is in the reference, to the byte: then so is what it must give.
  bool reads_the_reference(std::size_t layer) const;
  bool is_stopped(std::size_t layer) const { return layer < states.size() && states[layer] == stopped_word; }
  /// Whether the run has been asked to end.
  bool is_interrupted() const;
  const Program& program() const { return test_.program; }  ///< with the types that were found
  /// Bytes of all values that are held: those of the model's constants are not among them.
  std::size_t held_bytes() const;
  std::size_t result_bytes(std::size_t layer) const;  ///< of the layer's results in the reference

  static constexpr const char* stopped_word = "interrupted";
  std::string run{};      ///< graph, parts, layers, dumps; "" before the backend has answered
  std::string changed{};  ///< how the model's own outputs change when every value is one
  std::vector<std::string> notes{};
  std::vector<std::string> states{};                     ///< for each layer: "" if it is judged, else why not
  std::vector<CaseStatus> statuses{};                    ///< of layers that are not judged
  std::vector<std::optional<ResultTensor>> reference{};  ///< for each value
  std::vector<std::optional<Tensor>> backend{};
  std::vector<std::optional<Tensor>> cut{};
  BackendAnswer whole{};                                ///< to the model as it is
  std::vector<std::vector<std::size_t>> computed_by{};  ///< for each value: the layers without a dump that stand between it and what the device gave

 private:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  /// A part that the backend is running.
  struct AskedPart {
    std::size_t first;
    std::vector<ValueId> values{};
    std::future<BackendAnswer> answer{};
  };

  // model_values.cpp: the reference
  Status reference_of(std::size_t layer);
  bool take_from_backend(std::size_t layer, const std::string& why);
  bool take_from_dumps(std::size_t layer, const std::string& why);
  std::optional<Case> part_on_reference(std::size_t layer) const;
  LentTensor reference_value(ValueId id) const;
  LentTensor backend_value(ValueId id) const;
  bool types_are_stated() const;
  bool gives_output(const Operation& operation) const;
  bool has_closed_type(ValueId id) const;
  void not_judged(std::size_t layer, CaseStatus status, const std::string& why);

  // ask_backend.cpp
  bool ask_graph();
  std::vector<bool> behind_absent() const;
  bool ask_before_absent(const std::string& why);
  void ask_layer(std::size_t layer);
  void ask_whole();
  void ask_cuts();
  bool ask_cuts_at(const std::vector<std::size_t>& layers);
  std::vector<ValueId> asked_results(std::size_t layer) const;
  bool is_changed_by_cut(std::size_t layer) const;
  BackendAnswer ask_model(const std::string& suffix, std::vector<ValueId> outputs);
  ExchangeCase request_for(const Case& test) const;
  std::vector<BackendAnswer> ask(std::vector<ExchangeCase> requests);
  BackendAnswer ask_one(ExchangeCase request);

  // ask_parts.cpp
  bool is_in_parts() const { return known_end_ > 0 && !has_reference_; }
  std::size_t stated_bytes() const;
  Status compute_part();
  void begin_to_ask(std::size_t first);
  bool take_part();
  Status begin_part(std::size_t first);
  void end_parts();

  // dumped_values.cpp
  Status take_dumps(std::size_t layer);
  Result<bool> take_dump_of(std::size_t layer);
  Result<std::vector<ResultTensor>> results_on_dumps(std::size_t layer) const;
  Status carry_on(std::size_t layer);
  void note_dumps();

  const Library& library_;
  const Profile& profile_;
  Backend& backend_process_;
  const CheckOptions& options_;
  const ModelOptions& model_options_;
  const Dumps* dumps_;
  Case& test_;
  bool has_reference_ = false;              ///< begin() has computed it
  std::size_t known_end_ = 0;               ///< of the layers whose reference is known; 0: it is computed layer by layer
  std::size_t part_end_ = 0;                ///< of the part that is judged
  bool is_part_answered_ = false;           ///< by the backend, in one run
  bool is_cut_short_ = false;               ///< the backend has run the layers before those without a page: it is asked for each of the others alone
  std::vector<bool> asked_again_{};         ///< for each value: an output is made of it, whose exact value may be asked for
  std::vector<std::size_t> last_reader_{};  ///< for each value the last layer that reads it; `never` for outputs
  std::mutex asking_{};                     ///< the backend answers one question at a time
  std::optional<AskedPart> asked_{};        ///< last: its answer is awaited before anything else goes
};

}  // namespace tiebreak
