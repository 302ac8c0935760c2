// SPDX-License-Identifier: Apache-2.0
// Average pools of several systems, softmax and QGemm of ONNX Runtime, as plain loops over machine floats and integers.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "testsuite/oracle/onnx/microsoft_elementwise.hpp"

namespace tiebreak::oracle {

/// Two spatial dimensions; the tensor is [batch, channels, height, width].
struct PoolShape {
  std::int64_t batch = 1, channels = 1, height = 1, width = 1;
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride_height = 1, stride_width = 1;
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
  bool count_padding = false;
  std::int64_t rows() const { return (height + top + bottom - kernel_height) / stride_height + 1; }
  std::int64_t columns() const { return (width + left + right - kernel_width) / stride_width + 1; }
};

/// How a window's mean is made.
enum class PoolForm {
  fused,       ///< floats; the zero point is added in f32 before the rounding, and one window over the whole image sums codes
  unfused,     ///< DequantizeLinear, AveragePool and QuantizeLinear one by one
  reciprocal,  ///< TOSA: the sum of codes times a 31-bit reciprocal of the count; the two scales are the same
  mantissa     ///< XNNPACK: the sum times the 24 bits of an f32 factor, halves away; one window over the whole image as `fused`
};
std::vector<std::int64_t> average_pool(std::span<const std::int64_t> x, const PoolShape& shape, const UnaryParameters& p, CodeRange range, PoolForm form);
/// The mean of a run of codes.
std::int64_t global_average(std::span<const std::int64_t> x, const UnaryParameters& p, CodeRange range);
/// One row of codes. `held_at_255`: the upper end is that of u8 whatever the type, and the low eight bits remain.
std::vector<std::int64_t> softmax_row(std::span<const std::int64_t> x, const UnaryParameters& p, CodeRange range, bool held_at_255);

struct GemmShape {
  std::int64_t rows = 1, depth = 1, columns = 1;
  bool turned_a = false, turned_b = false;
  bool saturating_pairs = false;  ///< raw products of u8 and i8 are added two by two in int16
};
/// Accumulators in row order; zero points of b one or one a column; c empty or one a result element. They wrap in 32 bits.
std::vector<std::int32_t> gemm_accumulators(std::span<const std::int64_t> a, std::int64_t a_zero_point, std::span<const std::int64_t> b,
                                            std::span<const std::int64_t> b_zero_points, std::span<const std::int64_t> c, const GemmShape& shape);

}  // namespace tiebreak::oracle
