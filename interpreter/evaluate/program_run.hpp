// SPDX-License-Identifier: Apache-2.0
// A program, operation by operation: each tensor lives until its last reader has run.
#pragma once
#include <functional>
#include <span>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// A tensor that its owner lends: it outlives the call. `undefined`: as in ResultTensor, nullptr where every element is defined.
struct LentTensor {
  const Tensor* tensor = nullptr;  ///< nullptr: not known
  const std::vector<std::uint8_t>* undefined = nullptr;
};
inline LentTensor lent(const Tensor& tensor) { return {&tensor, nullptr}; }
inline LentTensor lent(const ResultTensor& value) { return {&value.tensor, value.undefined.empty() ? nullptr : &value.undefined}; }

/// The tensors that the run of a program holds: results that are still to be read, and the operands of the operation that runs. What is lent (inputs, and
/// constants while no operation reads them) is not among them, nor what one operation, or a region of it, needs inside.
struct LiveTensors {
  std::size_t tensors = 0, bytes = 0;            ///< at present
  std::size_t most_tensors = 0, most_bytes = 0;  ///< at any time

  void add(const Tensor& tensor);
  void remove(std::size_t count, std::size_t size);
};

/// What the caller of a run sees of it.
struct ProgramWatch {
  std::function<void(std::size_t operation)> before{};  ///< called before each operation, by its number
  LiveTensors live{};
};

/// evaluate() for tensors that are lent, some of whose elements may be undefined; they follow program.inputs. `watch` may be nullptr.
Result<std::vector<ResultTensor>> evaluate_program(const Semantics& semantics, const Program& program, std::span<const LentTensor> inputs,
                                                   const EvaluateOptions& options, ProgramWatch* watch = nullptr);

/// One operation of a program on values that are lent, constants among them: results in the order of operation.results. Errc::type where a value is not known.
Result<std::vector<ResultTensor>> evaluate_operation(const Semantics& semantics, const Program& program, const Operation& operation,
                                                     const std::function<LentTensor(ValueId)>& value, const EvaluateOptions& options);

}  // namespace tiebreak
