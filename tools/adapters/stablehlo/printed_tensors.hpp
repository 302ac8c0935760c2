// SPDX-License-Identifier: Apache-2.0
// What StableHLO's interpreter prints: `tensor<2xi8> {`, nested lists over several lines, `}`, one after the other.
#pragma once
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak::stablehlo {

/// One tensor for each type, in order. Errc::backend where the text holds something else.
Result<std::vector<Tensor>> printed_tensors(const std::string& text, const std::vector<TensorType>& types);

}  // namespace tiebreak::stablehlo
