// SPDX-License-Identifier: Apache-2.0
// Integer matrix products and convolutions by plain loops: accumulators of quantized contractions.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tiebreak::oracle {

/// How products are added up.
enum class Accumulator : std::uint8_t {
  wrap,   ///< modulo 2^32
  pairs,  ///< products of neighbours (2k, 2k + 1) along the depth saturate to 16 bits as a pair, the rest modulo 2^32
};

struct MatmulShape {
  std::int64_t rows = 1;
  std::int64_t depth = 1;
  std::int64_t columns = 1;
};
/// a is rows x depth, b is depth x columns. Zero points: one value or one a row (of a), one value or one a column (of b).
/// `pairs` is the raw codes' product with the zero points taken out afterwards.
std::vector<std::int32_t> matmul(std::span<const std::int32_t> a, std::span<const std::int32_t> b, const MatmulShape& shape,
                                 std::span<const std::int32_t> a_zero_points, std::span<const std::int32_t> b_zero_points,
                                 Accumulator accumulator = Accumulator::wrap);

/// NCHW and its kin for any number of spatial dimensions. x is [batch, channels, input...], w is [features, channels / groups, kernel...].
struct ConvolutionShape {
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  std::int64_t features = 1;
  std::int64_t groups = 1;
  std::vector<std::int64_t> input{}, kernel{}, strides{}, dilations{}, pads_begin{}, pads_end{};
};
/// Extents of the result's spatial dimensions.
std::vector<std::int64_t> output_extents(const ConvolutionShape& shape);
/// Accumulators [batch, features, output...] without bias. Padding contributes nothing (as padding with x's zero point).
std::vector<std::int32_t> convolution(std::span<const std::int32_t> x, std::span<const std::int32_t> w, const ConvolutionShape& shape,
                                      std::int32_t x_zero_point, std::span<const std::int32_t> w_zero_points);

/// a + b modulo 2^32.
std::int32_t wrapping_add(std::int32_t a, std::int32_t b);

}  // namespace tiebreak::oracle
