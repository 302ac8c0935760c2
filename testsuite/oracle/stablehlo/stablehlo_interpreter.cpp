// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/stablehlo/stablehlo_interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tiebreak::oracle::stablehlo {
namespace {

/// A code's bits as a signed integer of its width.
std::int64_t signed_code(std::int64_t code, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(code) << unused) >> unused;
}

/// The code that a signed integer of any width is stored as; nothing beyond a narrow range.
std::optional<std::int64_t> stored(std::int64_t v, const Uniform& type) {
  const std::int64_t kept = signed_code(v, type.bits);
  const std::int64_t code = type.is_signed || kept >= 0 ? kept : kept + (std::int64_t{1} << type.bits);
  return code < type.range.min || code > type.range.max ? std::nullopt : std::optional(code);
}

std::uint32_t unsigned_bits(std::int64_t v) { return static_cast<std::uint32_t>(static_cast<std::uint64_t>(v)); }

/// Float to int32: toward zero, held at the ends, 0 for what is no number.
std::int32_t to_int32(float v) {
  if (std::isnan(v)) return 0;
  if (v >= 2147483648.0f) return std::numeric_limits<std::int32_t>::max();
  if (v <= -2147483648.0f) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(v);
}

std::int32_t rescaled_term(std::int32_t v, double factor) {
  if (!(std::abs(factor - 1.0) > 0.001)) return v;
  return to_int32(static_cast<float>(v) * static_cast<float>(factor));
}

}  // namespace

std::optional<std::int64_t> requantize(std::int64_t code, const Uniform& from, const Uniform& to, bool same_types) {
  if (same_types) return code;
  const double factor = from.scale / to.scale;
  const double shift = static_cast<double>(to.zero_point) - static_cast<double>(from.zero_point) * factor;
  float v = static_cast<float>(signed_code(code, from.bits)) * static_cast<float>(factor);
  if (shift != 0) v = v + static_cast<float>(shift);
  if (to.bits == 32) return stored(to_int32(std::nearbyint(v)), to);
  if (std::isnan(v)) return stored(0, to);
  v = std::nearbyint(std::min(std::max(v, static_cast<float>(to.range.min)), static_cast<float>(to.range.max)));
  const float greatest = std::ldexp(1.0f, to.bits - 1) - 1;  // of the signed integer that holds the code
  return static_cast<std::int64_t>(std::min(v, greatest));
}

std::optional<std::int64_t> integer_contraction(std::span<const std::int64_t> lhs, std::span<const std::int64_t> rhs, const Uniform& lhs_type,
                                                const Channels& rhs_type, const Channels& type) {
  std::uint32_t sum = 0, sum_of_rhs = 0;
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const std::int64_t r = signed_code(rhs[i], rhs_type.each[0].bits);
    sum += unsigned_bits(signed_code(lhs[i], lhs_type.bits)) * unsigned_bits(r);
    sum_of_rhs += unsigned_bits(r);
  }
  const std::uint32_t zero_term = unsigned_bits(lhs_type.zero_point) * sum_of_rhs;
  const double factor = lhs_type.scale * rhs_type.each[0].scale / type.each[0].scale;
  const std::int32_t main = rescaled_term(static_cast<std::int32_t>(sum), factor), offset = rescaled_term(static_cast<std::int32_t>(zero_term), factor);
  const std::int64_t zero_point = type.per_axis ? 0 : type.each[0].zero_point;
  const std::uint32_t result = unsigned_bits(main) + (unsigned_bits(zero_point) - unsigned_bits(offset));
  return stored(static_cast<std::int32_t>(result), type.each[0]);
}

float float_contraction(std::span<const float> lhs, std::span<const float> rhs) {
  float sum = 0;
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const float product = lhs[i] * rhs[i];
    sum = sum + product;
  }
  return sum;
}

float hybrid_weight(std::int64_t code, const Uniform& type) {
  float weight = static_cast<float>(signed_code(code, type.bits));
  if (type.zero_point != 0) weight = weight - static_cast<float>(type.zero_point);
  return weight * static_cast<float>(type.scale);
}

std::vector<ResultPlace> result_places(const Convolution& c) {
  std::vector<ResultPlace> places;
  const std::int64_t rows = c.result_height(), columns = c.result_width(), depth = c.features / c.groups, group_outputs = c.outputs / c.groups;
  auto lhs_offset = [&](std::int64_t b, std::int64_t y, std::int64_t x, std::int64_t f) {
    return c.features_last ? ((b * c.height + y) * c.width + x) * c.features + f : ((b * c.features + f) * c.height + y) * c.width + x;
  };
  auto rhs_offset = [&](std::int64_t y, std::int64_t x, std::int64_t i, std::int64_t o) {
    return c.features_last ? ((y * c.kernel_width + x) * depth + i) * c.outputs + o : ((o * depth + i) * c.kernel_height + y) * c.kernel_width + x;
  };
  for (std::int64_t b = 0; b < c.batch; ++b)
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x)
        for (std::int64_t o = 0; o < c.outputs; ++o) {
          ResultPlace place{c.features_last ? ((b * rows + y) * columns + x) * c.outputs + o : ((b * c.outputs + o) * rows + y) * columns + x, o};
          for (std::int64_t i = 0; i < c.kernel_height; ++i)
            for (std::int64_t j = 0; j < c.kernel_width; ++j)
              for (std::int64_t f = 0; f < depth; ++f) {
                const std::int64_t row = y * c.stride + i * c.dilation - c.pad, column = x * c.stride + j * c.dilation - c.pad;
                const bool inside = row >= 0 && row < c.height && column >= 0 && column < c.width;
                place.taps.push_back({inside ? lhs_offset(b, row, column, o / group_outputs * depth + f) : -1, rhs_offset(i, j, f, o)});
              }
          places.push_back(std::move(place));
        }
  return places;
}

}  // namespace tiebreak::oracle::stablehlo
