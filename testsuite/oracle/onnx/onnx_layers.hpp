// SPDX-License-Identifier: Apache-2.0
// ONNX's operators of whole networks by plain loops and machine floats: padding, parts, resizing, transposed convolution, activations, batch normalization.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tiebreak::oracle::onnx {

/// One axis with places before and behind it: which element stands at each place, -1 for the value. Amounts below zero take elements away first.
std::vector<std::int64_t> padded(const std::string& mode, std::int64_t length, std::int64_t before, std::int64_t behind);

/// The lengths into which `length` falls where there are so many parts and only the last one may be shorter.
std::vector<std::int64_t> parts(std::int64_t length, std::int64_t count);

/// One axis that is resized by a scale.
struct Resized {
  std::string place = "half_pixel", nearest = "round_prefer_floor";  ///< the attributes
  std::int64_t length = 1, resized = 1;
  float scale = 1, first = 0, last = 1;
};
/// Which element stands at each place, every step in f32; -1 for what a crop takes from outside.
std::vector<std::int64_t> resized_in_f32(const Resized& how);
/// The same in fractions of whole numbers, of places that need nothing but place and scale: half_pixel, asymmetric, tf_half_pixel_for_nn.
std::vector<std::int64_t> resized_exactly(const Resized& how);

/// X of N C L and W of C M/g K, whole numbers: each element of X is multiplied into the result.
struct Transposed {
  std::int64_t batch = 1, channels = 1, length = 1, features = 1, kernel = 1;  ///< features: of a group
  std::int64_t stride = 1, dilation = 1, groups = 1, low = 0, high = 0, more = 0;
  std::int64_t result_length() const { return (length - 1) * stride + (kernel - 1) * dilation + 1 + more - low - high; }
};
std::vector<std::int64_t> transposed_convolution(const Transposed& how, std::span<const std::int64_t> x, std::span<const std::int64_t> w);

/// LeakyRelu HardSigmoid HardSwish, every step in f32. HardSwish takes neither number.
float activation(const std::string& op, float x, float alpha, float beta);
/// Factor and offset of a channel first, every step in f32.
float batch_normalization(float x, float scale, float shift, float mean, float variance, float epsilon);

}  // namespace tiebreak::oracle::onnx
