// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_floats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle::onnx {
namespace {

float to_f32(double v) { return static_cast<float>(v); }

double mean_of(std::span<const float> line) {
  double sum = 0;
  for (float v : line) sum += wide(v);
  return sum / static_cast<double>(line.size());
}

}  // namespace

float unary(const std::string& op, float x) {
  const double v = wide(x);
  if (op == "Exp") return to_f32(std::exp(v));
  if (op == "Erf") return to_f32(std::erf(v));
  if (op == "Tanh") return to_f32(std::tanh(v));
  if (op == "Sigmoid") return to_f32(1 / (1 + std::exp(-v)));
  if (op == "Sqrt") return std::sqrt(x);
  if (op == "Reciprocal") return 1 / x;
  if (op == "Relu") return x < 0 ? 0.0F : x;
  if (op == "GeluTanh") return to_f32(0.5 * v * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v))));
  return to_f32(0.5 * v * std::erfc(-v / std::sqrt(2.0)));  // no cancellation where x is negative
}

float power(float x, float y) { return to_f32(std::pow(wide(x), wide(y))); }

std::vector<float> softmax(std::span<const float> line) {
  const double most = wide(*std::max_element(line.begin(), line.end()));
  double sum = 0;
  for (float v : line) sum += std::exp(wide(v) - most);
  std::vector<float> result;
  for (float v : line) result.push_back(to_f32(std::exp(wide(v) - most) / sum));
  return result;
}

std::vector<float> softmax_in_steps(std::span<const float> line) {
  const float most = *std::max_element(line.begin(), line.end());
  std::vector<float> result;
  double sum = 0;  // floats of few exponents: a double holds their sum
  for (float v : line) {
    const float below = v - most;
    result.push_back(to_f32(std::exp(wide(below))));
    sum += wide(result.back());
  }
  for (float& v : result) v = v / to_f32(sum);
  return result;
}

std::vector<float> layer_normalization(std::span<const float> line, const Normalization& how) {
  const double mean = mean_of(line);
  double square = 0;
  for (float v : line) square += (wide(v) - mean) * (wide(v) - mean);
  const double spread = std::sqrt(square / static_cast<double>(line.size()) + wide(how.epsilon));
  std::vector<float> result;
  for (std::size_t i = 0; i < line.size(); ++i)
    result.push_back(to_f32((wide(line[i]) - mean) / spread * wide(how.scale[i]) + (how.shift.empty() ? 0 : wide(how.shift[i]))));
  return result;
}

std::vector<float> layer_normalization_in_steps(std::span<const float> line, const Normalization& how) {
  const float mean = to_f32(mean_of(line));
  double squares = 0;
  std::vector<float> result;
  for (float v : line) {
    const float moved = v - mean, square = moved * moved;
    result.push_back(moved);
    squares += wide(square);
  }
  const float variance = to_f32(squares / static_cast<double>(line.size()));
  const float shifted = variance + how.epsilon;
  const float inverse = 1 / std::sqrt(shifted);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float normal = result[i] * inverse;
    result[i] = normal * how.scale[i];
    if (!how.shift.empty()) result[i] = result[i] + how.shift[i];
  }
  return result;
}

std::vector<Mean> average_pool(std::span<const float> line, const Pool& how) {
  const auto size = static_cast<std::int64_t>(line.size());
  std::vector<Mean> means;
  for (std::int64_t start = -how.low;; start += how.stride) {
    const bool whole = start + (how.kernel - 1) * how.dilation < size + how.high;
    // One that hangs over starts inside the line or the padding in front of it, and not a stride beyond the first that does not fit.
    const bool last = !whole && how.rounds_up && start < size && start - how.stride + (how.kernel - 1) * how.dilation < size + how.high - 1;
    if (!whole && !last) break;
    Mean mean;
    for (std::int64_t k = 0; k < how.kernel; ++k) {
      const std::int64_t place = start + k * how.dilation;
      const bool inside = place >= 0 && place < size, padding = !inside && place < size + how.high;
      if (inside) mean.sum += wide(line[static_cast<std::size_t>(place)]);
      mean.count += inside || (padding && how.counts_padding) ? 1 : 0;
    }
    means.push_back(mean);
    if (!whole) break;
  }
  return means;
}

std::vector<Factors> factors(const Convolution& how, std::span<const float> x, std::span<const float> w) {
  const auto& [xs, ws, stride, dilation, pad, groups] = how;
  const std::int64_t height = (xs[2] + 2 * pad - dilation * (ws[2] - 1) - 1) / stride + 1, width = (xs[3] + 2 * pad - dilation * (ws[3] - 1) - 1) / stride + 1;
  std::vector<Factors> all;
  for (std::int64_t n = 0; n < xs[0]; ++n)
    for (std::int64_t m = 0; m < ws[0]; ++m)
      for (std::int64_t i = 0; i < height; ++i)
        for (std::int64_t j = 0; j < width; ++j) {
          Factors one;
          one.channel = static_cast<std::size_t>(m);
          const std::int64_t first = m / (ws[0] / groups) * ws[1];
          for (std::int64_t kh = 0; kh < ws[2]; ++kh)
            for (std::int64_t kw = 0; kw < ws[3]; ++kw)
              for (std::int64_t c = 0; c < ws[1]; ++c) {
                const std::int64_t row = i * stride - pad + kh * dilation, column = j * stride - pad + kw * dilation;
                if (row < 0 || row >= xs[2] || column < 0 || column >= xs[3]) continue;
                one.x.push_back(x[static_cast<std::size_t>(((n * xs[1] + first + c) * xs[2] + row) * xs[3] + column)]);
                one.w.push_back(w[static_cast<std::size_t>(((m * ws[1] + c) * ws[2] + kh) * ws[3] + kw)]);
              }
          all.push_back(std::move(one));
        }
  return all;
}

}  // namespace tiebreak::oracle::onnx
