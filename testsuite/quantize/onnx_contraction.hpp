// SPDX-License-Identifier: Apache-2.0
// A contraction of an ONNX program, as the forms write it.
#pragma once
#include <algorithm>

#include "testsuite/quantize/onnx_form_writer.hpp"

namespace tiebreak {

/// One contraction y = x * w + b and what is known of it.
struct OnnxFormWriter::Contraction {
  const Operation& operation;
  const OperationPlan& how;
  ValueId x, w, b, y;
  bool is_conv, turned;                   ///< turned: Gemm with transB
  const QuantizedType* w_type = nullptr;  ///< of constant weights, or of the second tensor
  Shape w_shape{};                        ///< of constant weights; empty: not known
  std::string stem{};                     ///< y's name
  // of a dynamic activation: found while the program runs
  ValueId x_codes = -1, x_scale = -1, x_zero_point = -1;
  bool dynamic() const { return how.placement == Placement::dynamic; }
  bool has_bias_codes() const { return b >= 0 && how.recipe.bias_in_accumulator && !dynamic(); }
  bool in_blocks() const {
    return std::ranges::any_of(w_type->dimensions, [](const QuantizedDimension& dimension) { return dimension.block > 1; });
  }
  /// The shape in which one number for each output channel stands beside the result.
  Shape beside_result(std::int64_t channels) const {
    Shape shape{channels};
    if (is_conv) shape.resize(w_shape.size() - 1, 1);
    return shape;
  }
};

}  // namespace tiebreak
