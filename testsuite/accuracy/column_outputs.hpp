// SPDX-License-Identifier: Apache-2.0
// What each column gives for some inputs.
#pragma once
#include <mutex>

#include "testsuite/accuracy/accuracy.hpp"
#include "testsuite/case/case.hpp"

namespace tiebreak {

/// The outputs of one column for one input; or, of a backend, why there are none.
struct ColumnOutputs {
  std::vector<ResultTensor> outputs{};
  std::string unanswered{};  ///< reason; "" where there are outputs
};
/// All columns of one input.
struct InputOutputs {
  std::string name{};  ///< of the input
  std::vector<ColumnOutputs> columns{};
};

class ColumnRunner {
 public:
  ColumnRunner(const Library& library, const Program& program, const InputList& inputs, const std::vector<AccuracyColumn>& columns,
               const AccuracyOptions& options)
      : library_(library), program_(program), inputs_(inputs), columns_(columns), options_(options) {}

  /// Inputs that go to a backend as one batch. It depends on their number and on the model alone.
  std::size_t chunk() const;
  /// Inputs first .. last - 1; backends get them as one batch. From several threads at once. An error has the input's name, and the column.
  Result<std::vector<InputOutputs>> run(std::size_t first, std::size_t last) const;
  bool interrupted() const { return library_.stop().is_requested() || (options_.interrupted && options_.interrupted()); }

 private:
  Result<InputOutputs> evaluate_input(std::size_t index, Case& test) const;
  void ask(std::size_t column, const std::vector<Case>& tests, std::vector<InputOutputs>& found) const;

  const Library& library_;
  const Program& program_;
  const InputList& inputs_;
  const std::vector<AccuracyColumn>& columns_;
  const AccuracyOptions& options_;
  mutable std::mutex one_at_a_time_{};  ///< for backends that cannot be asked by several threads
};

}  // namespace tiebreak
