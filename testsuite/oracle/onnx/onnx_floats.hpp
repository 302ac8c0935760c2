// SPDX-License-Identifier: Apache-2.0
// ONNX's float operators on machine floats. The real functions are taken in double and rounded to f32 once: where that double lies next to a tie of f32
// the last bit may differ from the exact result, which the tests' inputs avoid.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tiebreak::oracle::onnx {

/// Exp Erf Tanh Sigmoid Sqrt Reciprocal Relu Gelu GeluTanh.
float unary(const std::string& op, float x);
float power(float x, float y);

std::vector<float> softmax(std::span<const float> line);
std::vector<float> softmax_in_steps(std::span<const float> line);

struct Normalization {
  std::vector<float> scale, shift;  ///< shift may be empty
  float epsilon = 0;
};
std::vector<float> layer_normalization(std::span<const float> line, const Normalization& how);
std::vector<float> layer_normalization_in_steps(std::span<const float> line, const Normalization& how);

/// Windows of an average pool along one line. With `rounds_up` (ceil_mode) one more window may hang over the end of the padding.
struct Pool {
  std::int64_t kernel = 1, stride = 1, dilation = 1, low = 0, high = 0;
  bool rounds_up = false, counts_padding = false;
};
/// The sums and what they are divided by: places in the line, or in the line and its padding.
struct Mean {
  double sum = 0;
  std::int64_t count = 0;
};
std::vector<Mean> average_pool(std::span<const float> line, const Pool& how);

/// A convolution's geometry: shapes N C H W and M C/g kH kW.
struct Convolution {
  std::vector<std::int64_t> x, w;
  std::int64_t stride = 1, dilation = 1, pad = 0, groups = 1;
};
/// The factors of each element of the result, in the order of rows, columns, features; taps in the padding are left out.
struct Factors {
  std::vector<float> x, w;
  std::size_t channel = 0;
};
std::vector<Factors> factors(const Convolution& how, std::span<const float> x, std::span<const float> w);

}  // namespace tiebreak::oracle::onnx
