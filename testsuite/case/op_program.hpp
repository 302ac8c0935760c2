// SPDX-License-Identifier: Apache-2.0
// A call of one op as a program of one operation, and back: what case files and `eval OP` are made of.
#pragma once
#include "testsuite/case/case.hpp"

namespace tiebreak {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Inputs of an op by operand name; those of a variadic operand share its name, in order.
struct OpInputs {
  std::string op;
  std::vector<NamedTensor> inputs;
  AttributeMap attributes{};
  std::vector<TensorType> result_types{};  ///< where the op leaves them open (StableHLO)
  int version = 0;
  std::string where{};
};

/// Operands in the order of the page; absent optional ones stay absent. Unknown operands and attributes are errors with the
/// nearest name; so is a missing operand that the page requires.
Status build_op_case(const Library& library, OpInputs inputs, Case& out);

/// The call of the operation that computes program output `output`, with every operand evaluated under the profile. Its regions are the case's.
struct CallOfOutput {
  OpCall call;
  std::size_t result = 0;  ///< which result of the operation the output is
};
Result<CallOfOutput> call_of_output(const Semantics& semantics, const Case& test, std::size_t output);

}  // namespace tiebreak
