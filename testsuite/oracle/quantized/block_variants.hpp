// SPDX-License-Identifier: Apache-2.0
// Blocks with a shared power of two, means of rows, fake quantization and biases, in machine arithmetic. Names are alternatives of the
// pages' choices.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct MxBlock {
  int scale_exponent = 0;  ///< the scale is 2^scale_exponent
  std::vector<double> values{};
};
/// rule: floor of_log2f even ceil ratio_up fitting. element: a format of float_oracle. tie: even away zero. Finite blocks, not all zero.
MxBlock mx_block(std::span<const float> x, std::string_view element, std::string_view rule, std::string_view tie);

struct RowParameters {
  float x_scale = 1, y_scale = 1;
  std::int32_t x_zero_point = 0, y_zero_point = 0;
  CodeRange codes{};
};
/// TVM: every element to the result's parameters, the sum divided toward zero. ONNX Runtime: a sum of floats in order.
std::int64_t mean_of_each_element(std::span<const std::int32_t> x, const RowParameters& parameters);
std::int64_t mean_of_floats(std::span<const std::int32_t> x, const RowParameters& parameters);

/// Halves away, clamped before the rounding (the range -127 .. 127), and back: TVM's simulated form. TFLite's FAKE_QUANT counts from the
/// least code.
float simulated(float x, float scale);
float fake_quant_from_least(float x, float scale, std::int64_t zero_point, CodeRange codes);

/// LiteRT's converter, and its legacy form with the inverse of an f32 scale.
std::int64_t bias_code(float value, double x_scale, double w_scale);
std::int64_t bias_code_legacy(float value, double x_scale, double w_scale);
/// A bound of a fused activation as a code.
std::int64_t activation_bound(float bound, float scale, std::int32_t zero_point, CodeRange codes);

}  // namespace tiebreak::oracle
