// SPDX-License-Identifier: Apache-2.0
// What StableHLO's reference interpreter makes of quantized contractions and of requantization: integer programs in machine integers and floats, one
// result element at a time. Its other ops stand in stablehlo_binary and stablehlo_unary.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testsuite/oracle/stablehlo/stablehlo_binary.hpp"

namespace tiebreak::oracle::stablehlo {

/// One set of parameters, or one for each channel.
struct Channels {
  std::vector<Uniform> each{};
  bool per_axis = false;
  const Uniform& at(std::int64_t channel) const { return each[per_axis ? static_cast<std::size_t>(channel) : 0]; }
};

/// From one channel's parameters to another's. Types that are equal as a whole keep their codes.
std::optional<std::int64_t> requantize(std::int64_t code, const Uniform& from, const Uniform& to, bool same_types);

/// The integer program of dot_general and convolution: codes of lhs, padding included, and of one channel of rhs. Nothing where the code lies outside a narrow
/// range.
std::optional<std::int64_t> integer_contraction(std::span<const std::int64_t> lhs, std::span<const std::int64_t> rhs, const Uniform& lhs_type,
                                                const Channels& rhs_type, const Channels& type);
/// The program in floats: from left to right.
float float_contraction(std::span<const float> lhs, std::span<const float> rhs);
/// A weight beside a float operand.
float hybrid_weight(std::int64_t code, const Uniform& type);

/// A convolution over two dimensions, with features last ([b, 0, 1, f]x[0, 1, i, o]) or first ([b, f, 0, 1]x[o, i, 0, 1]).
struct Convolution {
  std::int64_t batch = 1, height = 1, width = 1, features = 1, kernel_height = 1, kernel_width = 1, outputs = 1;
  std::int64_t stride = 1, pad = 0, dilation = 1, groups = 1;
  bool features_last = true;
  std::int64_t result_height() const { return (height + 2 * pad - ((kernel_height - 1) * dilation + 1)) / stride + 1; }
  std::int64_t result_width() const { return (width + 2 * pad - ((kernel_width - 1) * dilation + 1)) / stride + 1; }
};
/// Offsets of a result element's factors, features fastest; -1 outside lhs.
struct Tap {
  std::int64_t lhs, rhs;
};
struct ResultPlace {
  std::int64_t offset, channel;
  std::vector<Tap> taps{};
};
/// Of all result elements.
std::vector<ResultPlace> result_places(const Convolution& shape);

}  // namespace tiebreak::oracle::stablehlo
