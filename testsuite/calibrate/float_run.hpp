// SPDX-License-Identifier: Apache-2.0
// A program run operation by operation on all batches at once, so that a tensor's values in every batch are known before the next operation runs, and may
// be replaced.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/sources/batches.hpp"

namespace tiebreak {

/// A value of the program, in topological order: its tensor in each batch (a constant's stands there once). The visitor may put other values of the same
/// type in their place; later operations read those.
struct ReachedValue {
  ValueId id = -1;
  bool is_constant = false;
  const Operation* operation = nullptr;    ///< that makes it; of a constant the first that reads it; of an input none
  std::size_t operand = 0;                 ///< of a constant: as which operand this operation reads it
  std::function<Result<OpCall>()> call{};  ///< what the operation calls in the first batch
  std::vector<Tensor>& batches;
};
using ValueVisitor = std::function<Status(ReachedValue&)>;

/// Inputs first, then for each operation the constants that it is the first to read, and its results. Values of regions are not visited.
Status run_batches(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, const ValueVisitor& visit);

}  // namespace tiebreak
