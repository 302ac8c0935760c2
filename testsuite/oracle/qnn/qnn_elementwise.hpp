// SPDX-License-Identifier: Apache-2.0
// TVM's quantized elementwise ops and its integer softmax, in machine integers and floats.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testsuite/oracle/qnn/qnn_requantize.hpp"

namespace tiebreak::oracle::qnn {

struct Range {
  std::int64_t least = -128, greatest = 127;
};
struct Parameters {
  float scale = 1;
  std::int32_t zero_point = 0;
  bool single = true;  ///< of the whole tensor; false: one of a vector
};

/// Where the zero point of quantize goes: after the rounding, before it, or before it with a conversion to int32 ahead of the clamp.
enum class Order : std::uint8_t { after, before, before_in_i32 };
struct Quantize {
  Order order = Order::after;
  bool half_to_even = false;
  bool reciprocal = false;
};
std::optional<std::int64_t> quantize(float x, const Parameters& to, const Range& range, const Quantize& how = {});
float dequantize(std::int64_t code, const Parameters& from);
/// Codes in floats; the type is a number: 1 int8, 2 uint8, 3 int32, any other none.
float simulated_quantize(float x, int type, const Parameters& to, bool half_to_even);
float simulated_dequantize(float code, int type, const Parameters& from);

/// Context: how operands and products are requantized.
struct Context {
  Rounding rounding = Rounding::upward;
  Compute compute = Compute::int64;
};
/// From the codes of one tensor to those of another.
Requantize between(const Parameters& from, const Parameters& to, const Context& context);
std::optional<std::int64_t> add(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to, const Range& range,
                                const Context& context);
std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to,
                                     const Range& range, const Context& context);
std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to,
                                     const Range& range, const Context& context);
std::optional<std::int64_t> leaky_relu(std::int64_t code, double alpha, const Parameters& from, const Parameters& to, const Range& range,
                                       const Context& context);

/// One row of 8-bit codes; nothing for all where the sum is zero.
std::optional<std::vector<std::int64_t>> softmax(std::span<const std::int64_t> row, const Parameters& from, const Parameters& to, const Context& context);

/// relay.quantize: fake quantization, codes in f32, and codes from one scale to another.
float legacy_simulated(float x, float scale, float least, float greatest);
float legacy_quantize(float x, float scale, float least, float greatest);
std::optional<std::int64_t> legacy_requantize(std::int32_t code, float from, float to, const Range& range, bool round_for_shift, Rounding rounding);

}  // namespace tiebreak::oracle::qnn
