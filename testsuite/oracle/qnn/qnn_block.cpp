// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/qnn/qnn_block.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle::qnn {
namespace {

std::optional<std::int64_t> held_in(std::int64_t value, const Accumulator& how) {
  const std::int64_t top = std::int64_t{1} << (how.bits - 1);
  if (value >= -top && value < top) return value;
  if (how.overflow == Overflow::trap) return std::nullopt;
  if (how.overflow == Overflow::saturate) return value < 0 ? -top : top - 1;
  const std::int64_t low = value & (2 * top - 1);
  return low >= top ? low - 2 * top : low;
}

}  // namespace

std::optional<std::int64_t> accumulate(std::span<const std::int64_t> x, std::span<const std::int64_t> w, std::int64_t bias, const Accumulator& how) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i] * w[i];
    if (!how.each_step) continue;
    const auto step = held_in(sum, how);
    if (!step) return std::nullopt;
    sum = *step;
  }
  const auto total = held_in(sum, how);
  return total ? held_in(*total + bias, how) : std::nullopt;
}

float accumulate_f32(std::span<const float> x, std::span<const float> w, float x_zero_point, float w_zero_point) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float left = x[i] - x_zero_point, right = w[i] - w_zero_point, product = left * right;
    sum += product;
  }
  return sum;
}

std::optional<std::int64_t> finish(std::int64_t acc, std::int64_t bias, const Block& block, const Range& range, const Context& context) {
  const auto code = requantize(acc, {.input_scale = block.data.scale * block.weight.scale,
                                     .output_scale = block.result.scale,
                                     .input_zero_point = 0,
                                     .output_zero_point = block.result.zero_point,
                                     .rounding = context.rounding,
                                     .compute = context.compute,
                                     .single = block.weight.single});
  if (!code) return std::nullopt;
  const auto bounded = [&](std::int64_t value) { return std::clamp(value, range.least, range.greatest); };
  std::int64_t value = bounded(*code);
  if (block.bias_in_result) value = bounded(value + bias);
  const auto bound = [&](double real) {
    return static_cast<std::int64_t>(std::nearbyint(real / static_cast<double>(block.result.scale))) + block.result.zero_point;
  };
  if (block.activation == 'r') value = std::max<std::int64_t>(value, block.result.zero_point);
  if (block.activation == 'c') value = std::min(std::max(value, bound(block.least)), bound(block.greatest));
  return bounded(value);
}

std::optional<std::int32_t> to_smaller_step(std::int32_t code, float from, float to, Rounding rounding) {
  if (from == to) return code;
  const float factor = from / to, places = std::log2(factor);
  if (places <= 0) return std::nullopt;
  if (static_cast<float>(static_cast<int>(places)) == places) {
    if (places >= 32) return std::nullopt;
    return wrap32(std::int64_t{code} * (std::int64_t{1} << static_cast<int>(places)));
  }
  if (factor < 2147483648.0f && static_cast<float>(static_cast<std::int32_t>(factor)) == factor)
    return wrap32(std::int64_t{code} * static_cast<std::int32_t>(factor));
  const Factor fixed = factor_of(static_cast<double>(factor));
  return rounding == Rounding::tonearest ? multiply_tonearest(code, fixed) : multiply_upward(code, fixed, Lowering::shifted);
}

}  // namespace tiebreak::oracle::qnn
