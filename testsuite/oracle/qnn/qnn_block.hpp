// SPDX-License-Identifier: Apache-2.0
// Matrix products with accumulators of any width, and the rules of relay.quantize, in machine integers and floats.
#pragma once
#include "testsuite/oracle/qnn/qnn_elementwise.hpp"

namespace tiebreak::oracle::qnn {

enum class Overflow : std::uint8_t { wrap, saturate, trap };
struct Accumulator {
  int bits = 32;
  Overflow overflow = Overflow::wrap;
  bool each_step = false;
};
/// One sum of products, with a bias at its end; nothing where it traps.
std::optional<std::int64_t> accumulate(std::span<const std::int64_t> x, std::span<const std::int64_t> w, std::int64_t bias, const Accumulator& how);
/// The same in f32: differences, products and sums rounded, in order.
float accumulate_f32(std::span<const float> x, std::span<const float> w, float x_zero_point, float w_zero_point);

struct Block {
  Parameters data, weight, result;
  bool bias_in_result = false;
  char activation = 'n';  ///< none, relu, clip
  double least = 0, greatest = 6;
};
/// Accumulator to code: requantized, biased, bounded. `acc` has the bias unless that belongs to the result.
std::optional<std::int64_t> finish(std::int64_t acc, std::int64_t bias, const Block& block, const Range& range, const Context& context);

/// relay.quantize: a code brought to a smaller step, in int32; nothing where the pass refuses.
std::optional<std::int32_t> to_smaller_step(std::int32_t code, float from, float to, Rounding rounding);

}  // namespace tiebreak::oracle::qnn
