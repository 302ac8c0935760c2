// SPDX-License-Identifier: Apache-2.0
// The inputs that two programs are compared on: which of them vary, over what.
#pragma once
#include <string>
#include <vector>

#include "testsuite/equal/compare_elements.hpp"

namespace tiebreak {

/// Values of an input that the question gives: every element of it takes each of them in turn.
struct GivenInput {
  std::string name;
  std::vector<Real> values{};
};

struct ProgramInputs {
  std::vector<Tensor> tensors{};  ///< something that every page takes; of fixed inputs their value
  std::vector<InputRole> roles{};
  std::vector<std::vector<std::uint64_t>> codes{};  ///< of inputs whose values are given
};

/// Sizes that only the values tell are 1 here.
TensorType closed(TensorType type);
/// The inputs of the program, whose types must be stated.
Result<ProgramInputs> inputs_of(const Program& program, const std::vector<GivenInput>& given);
/// What an element of an input may be.
LeafDomain domain_of(const ProgramInputs& inputs, const Leaf& leaf);

}  // namespace tiebreak
