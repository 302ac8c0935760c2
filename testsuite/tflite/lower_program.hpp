// SPDX-License-Identifier: Apache-2.0
// A program of operators of family `tflite` as one model: what the runtime does with it as a whole.
#pragma once
#include "interpreter/program/program.hpp"
#include "testsuite/tflite/lower.hpp"

namespace tiebreak::tflite {

struct LoweredProgram {
  Model model{};
  std::vector<Tensor> inputs{};       ///< in the order of model.inputs, as the host gives them
  std::vector<TensorType> results{};  ///< of the program's outputs
};

/// `inputs` and `results` are those of the program. Errc::unsupported, with the reason, for what has no operator that says the same, and where builtin kernels
/// are asked for: what keeps the delegate away from an operator is not there in a model.
Result<LoweredProgram> lower_program(const Program& program, const std::vector<Tensor>& inputs, const std::vector<TensorType>& results,
                                     const LowerOptions& options);

}  // namespace tiebreak::tflite
