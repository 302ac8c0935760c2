// SPDX-License-Identifier: Apache-2.0
// What TVM's frontends emit for quantized operators that QNN lacks, step by step: casts, integer or float means, clips, pools, the nearest place.
#pragma once
#include "testsuite/oracle/qnn/qnn_elementwise.hpp"

namespace tiebreak::oracle::qnn {

std::optional<std::int64_t> relu(std::int64_t code, const Parameters& from, const Parameters& to, const Range& range, const Context& context);

enum class Bound : std::uint8_t { after, before, cut };
/// The code that a real bound becomes, in doubles.
std::int64_t bound_code(double bound, const Parameters& parameters, const Range& range, Bound how);

/// cast, mean, requantize.
std::optional<std::int64_t> integer_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range,
                                         const Context& context);
/// dequantize, mean in order, quantize.
std::optional<std::int64_t> float_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range);
/// Each code brought to the result's parameters, then the mean of integers.
std::optional<std::int64_t> pooled_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range,
                                        const Context& context);

/// Which of n places the place i of m takes.
struct Nearest {
  char coordinates = 'h';  ///< half_pixel, align_corners, asymmetric by their first letters; 's' for the last
  char rounding = 0;       ///< round, prefer_floor (p), prefer_ceil (q), floor, ceil; 0 as the coordinates say
};
std::int64_t nearest_place(std::int64_t i, std::int64_t n, std::int64_t m, const Nearest& how);

}  // namespace tiebreak::oracle::qnn
