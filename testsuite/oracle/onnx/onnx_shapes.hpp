// SPDX-License-Identifier: Apache-2.0
// ONNX's data movement and reductions by plain loops: the shape that comes out, and which element of the operand each element is.
#pragma once
#include <optional>

#include "testsuite/oracle/stablehlo/stablehlo_moves.hpp"

namespace tiebreak::oracle::onnx {

/// 0 copies the operand's dimension, -1 takes what is left.
Index reshape(const Index& operand, const Index& shape);
Index flatten(const Index& operand, std::int64_t axis);
Index squeeze(const Index& operand, const std::optional<Index>& axes);
Index unsqueeze(const Index& operand, const Index& axes);
Move slice(const Index& operand, const Index& starts, const Index& ends, const Index& axes, const Index& steps);
/// For each element of the result, the elements of the operand that are reduced to it, in order.
struct Reduction {
  Index shape;
  std::vector<std::vector<std::int64_t>> from;
};
Reduction reduce(const Index& operand, const Index& axes, bool keep);

/// As the text has them: a reshape to six dimensions, a transpose, a reshape back.
Move depth_to_space(const Index& operand, std::int64_t block, bool channels_first);
Move space_to_depth(const Index& operand, std::int64_t block);
Move tile(const Index& operand, const Index& repeats);
/// Of each line the k greatest values, or the least, one after the other; of equal ones the first.
Move top(const Index& operand, const std::vector<double>& values, std::int64_t axis, std::int64_t k, bool largest);

}  // namespace tiebreak::oracle::onnx
