// SPDX-License-Identifier: Apache-2.0
// Float operators of TensorFlow Lite's reference kernels in machine floats: each operation is one of f32, and sums go from left to right.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tiebreak::oracle {

/// Bounds of a fused activation, by comparison: nan and a zero with its sign pass.
inline float tflite_held(float value, const std::string& activation) {
  const float most = std::numeric_limits<float>::max();
  const float low = activation == "NONE" ? -most : activation == "RELU_N1_TO_1" ? -1.0f : 0.0f;
  const float high = activation == "RELU6" ? 6.0f : activation == "RELU_N1_TO_1" ? 1.0f : most;
  const float raised = value < low ? low : value;
  return high < raised ? high : raised;
}

inline float tflite_hard_swish(float x) {
  const float shifted = x + 3.0f;
  const float raised = 0.0f < shifted ? shifted : 0.0f;
  return x * (raised < 6.0f ? raised : 6.0f) / 6.0f;
}

/// Rows and columns of one channel, of which corners are not kept and pixels not halved: four products, each with the share of the row first.
inline float tflite_bilinear(const std::vector<float>& image, int rows, int columns, int new_rows, int new_columns, int row, int column) {
  const auto place = [](int at, int length, int resized) { return static_cast<float>(at) * (static_cast<float>(length) / static_cast<float>(resized)); };
  const float y = place(row, rows, new_rows), x = place(column, columns, new_columns);
  const auto above = [](float value, int length) { return std::min(static_cast<int>(std::ceil(value)), length - 1); };
  const int y0 = static_cast<int>(std::floor(y)), x0 = static_cast<int>(std::floor(x)), y1 = above(y, rows), x1 = above(x, columns);
  const auto at = [&](int r, int c) { return image[static_cast<std::size_t>(r * columns + c)]; };
  const float down = y - static_cast<float>(y0), right = x - static_cast<float>(x0);
  return at(y0, x0) * (1 - down) * (1 - right) + at(y1, x0) * down * (1 - right) + at(y0, x1) * (1 - down) * right + at(y1, x1) * down * right;
}

/// The same number, any nan for any other, and the same zero.
inline bool is_same_float(float a, float b) { return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

}  // namespace tiebreak::oracle
