// SPDX-License-Identifier: Apache-2.0
// Results that ONNX's operators give beside the first: places of maxima, means and variances. By plain loops and long doubles.
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle::onnx {

/// A pool over an image of `height` by `width`, of one channel of one image after the other.
struct MaxPool {
  std::int64_t planes = 1, height = 1, width = 1, kernel = 1, stride = 1, dilation = 1, pad = 0;
  bool by_columns = false;  ///< storage_order
  std::int64_t extent(std::int64_t length) const { return (length + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1; }
};
/// Of each window the place of its greatest element, of equal ones the first; counted through the whole tensor, within a plane by rows or by columns.
std::vector<std::int64_t> places_of_maxima(const MaxPool& how, const std::vector<std::int8_t>& x);

struct Statistics {
  float mean = 0, variance = 0, inverse = 0;  ///< inverse: 1 / sqrt(variance + epsilon)
};
Statistics statistics(const std::vector<float>& values, float epsilon);
/// (x - mean) / sqrt(variance + epsilon) * scale + shift with the values' own mean and variance, rounded once.
std::vector<float> normalized(const std::vector<float>& values, float epsilon, float scale, float shift);
/// The running mean and variance, each rounded once from the exact statistics.
Statistics running_statistics(const std::vector<float>& values, float mean, float variance, float momentum);

}  // namespace tiebreak::oracle::onnx
