// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_layers.hpp"

#include <algorithm>
#include <cmath>

namespace tiebreak::oracle::onnx {
namespace {

/// One step from `at` towards `step`, turning round at the ends of 0 .. length - 1.
void bounce(std::int64_t& at, std::int64_t& step, std::int64_t length) {
  if (length == 1) return;
  if (at + step < 0 || at + step >= length) step = -step;
  at += step;
}

float place_of(const Resized& how, std::int64_t place) {
  const float i = static_cast<float>(place), n = static_cast<float>(how.length), m = static_cast<float>(how.resized), s = how.scale;
  if (how.place == "half_pixel") return (i + 0.5F) / s - 0.5F;
  if (how.place == "pytorch_half_pixel") return how.resized > 1 ? (i + 0.5F) / s - 0.5F : 0.0F;
  if (how.place == "align_corners") return how.resized > 1 ? i * (n - 1) / (m - 1) : 0.0F;
  if (how.place == "asymmetric") return i / s;
  if (how.place == "tf_half_pixel_for_nn") return (i + 0.5F) / s;
  if (how.place == "half_pixel_symmetric") {
    const float offset = n / 2 * (1 - m / (s * n));
    return static_cast<float>(static_cast<double>(offset) + (static_cast<double>(i) + 0.5) / static_cast<double>(s) - 0.5);
  }
  if (how.resized > 1) return how.first * (n - 1) + i * (how.last - how.first) * (n - 1) / (m - 1);
  return static_cast<float>(0.5 * static_cast<double>(how.first + how.last) * static_cast<double>(n - 1));
}

std::int64_t held_inside(std::int64_t element, std::int64_t length) { return std::clamp<std::int64_t>(element, 0, length - 1); }

std::int64_t floor_quotient(__int128 a, __int128 b) {
  const __int128 quotient = a / b;
  return static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient);
}

}  // namespace

std::vector<std::int64_t> padded(const std::string& mode, std::int64_t length, std::int64_t before, std::int64_t behind) {
  const std::int64_t first = std::max<std::int64_t>(0, -before), left = length - first - std::max<std::int64_t>(0, -behind);
  std::vector<std::int64_t> front, places;
  std::int64_t at = 0, step = 1;
  for (std::int64_t i = 0; i < before; ++i) {  // outwards from the first element
    bounce(at, step, left);
    front.push_back(mode == "constant" ? -1 : mode == "edge" ? 0 : mode == "wrap" ? left - 1 - i % left : at);
  }
  places.assign(front.rbegin(), front.rend());
  for (std::int64_t i = 0; i < left; ++i) places.push_back(i);
  at = left - 1;
  step = -1;
  for (std::int64_t i = 0; i < behind; ++i) {
    bounce(at, step, left);
    places.push_back(mode == "constant" ? -1 : mode == "edge" ? left - 1 : mode == "wrap" ? i % left : at);
  }
  for (std::int64_t& place : places)
    if (place >= 0) place += first;
  return places;
}

std::vector<std::int64_t> parts(std::int64_t length, std::int64_t count) {
  std::int64_t each = 0;
  while (each * count < length) ++each;
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < count; ++i) {
    lengths.push_back(std::min(each, length));
    length -= lengths.back();
  }
  return lengths;
}

std::vector<std::int64_t> resized_in_f32(const Resized& how) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < how.resized; ++i) {
    const float v = place_of(how, i);
    if (how.place == "tf_crop_and_resize" && (v < 0 || v > static_cast<float>(how.length - 1))) {
      places.push_back(-1);
      continue;
    }
    const float below = std::floor(v), rest = v - below;
    float chosen = rest > 0.5F || (rest == 0.5F && how.nearest == "round_prefer_ceil") ? below + 1 : below;
    if (how.nearest == "floor") chosen = below;
    if (how.nearest == "ceil") chosen = std::ceil(v);
    places.push_back(held_inside(static_cast<std::int64_t>(chosen), how.length));
  }
  return places;
}

std::vector<std::int64_t> resized_exactly(const Resized& how) {
  int exponent = 0;
  const float fraction = std::frexp(how.scale, &exponent);
  // The scale is mantissa / denominator.
  const __int128 mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 24)), denominator = static_cast<__int128>(1) << (24 - exponent);
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < how.resized; ++i) {
    // Twice the place as over / under.
    __int128 over = (how.place == "asymmetric" ? 2 * i : 2 * i + 1) * denominator, under = mantissa;
    if (how.place == "half_pixel") over -= mantissa;
    std::int64_t chosen = floor_quotient(over, 2 * under);
    if (how.nearest == "round_prefer_ceil") chosen = floor_quotient(over + under, 2 * under);
    if (how.nearest == "round_prefer_floor") chosen = -floor_quotient(under - over, 2 * under);
    if (how.nearest == "ceil") chosen = -floor_quotient(-over, 2 * under);
    places.push_back(held_inside(chosen, how.length));
  }
  return places;
}

std::vector<std::int64_t> transposed_convolution(const Transposed& how, std::span<const std::int64_t> x, std::span<const std::int64_t> w) {
  const std::int64_t result = how.result_length(), per_group = how.channels / how.groups, outputs = how.groups * how.features;
  std::vector<std::int64_t> y(static_cast<std::size_t>(how.batch * outputs * result), 0);
  for (std::int64_t n = 0; n < how.batch; ++n)
    for (std::int64_t c = 0; c < how.channels; ++c)
      for (std::int64_t i = 0; i < how.length; ++i)
        for (std::int64_t f = 0; f < how.features; ++f)
          for (std::int64_t k = 0; k < how.kernel; ++k) {
            const std::int64_t place = i * how.stride + k * how.dilation - how.low, feature = c / per_group * how.features + f;
            if (place < 0 || place >= result) continue;
            y[static_cast<std::size_t>((n * outputs + feature) * result + place)] +=
                x[static_cast<std::size_t>((n * how.channels + c) * how.length + i)] * w[static_cast<std::size_t>((c * how.features + f) * how.kernel + k)];
          }
  return y;
}

float activation(const std::string& op, float x, float alpha, float beta) {
  if (op == "LeakyRelu") return x < 0 ? alpha * x : x;
  const bool swish = op == "HardSwish";
  const float product = (swish ? 1.0F / 6.0F : alpha) * x;
  const float line = product + (swish ? 0.5F : beta);
  const float gate = line < 0 ? 0.0F : line > 1 ? 1.0F : line;
  return swish ? x * gate : gate;
}

float batch_normalization(float x, float scale, float shift, float mean, float variance, float epsilon) {
  const float spread = variance + epsilon, root = std::sqrt(spread), inverse = 1 / root;
  const float factor = inverse * scale, moved = mean * factor, offset = shift - moved, product = x * factor;
  return product + offset;
}

}  // namespace tiebreak::oracle::onnx
