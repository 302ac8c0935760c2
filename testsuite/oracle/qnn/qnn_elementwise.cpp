// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/qnn/qnn_elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle::qnn {
namespace {

float round_half(float v, bool to_even) { return to_even ? std::nearbyintf(v) : std::roundf(v); }

std::int64_t saturated(std::int64_t value, const Range& range) { return std::clamp(value, range.least, range.greatest); }

std::optional<std::int64_t> combine(std::optional<std::int32_t> a, std::optional<std::int32_t> b, std::int32_t sign, std::int32_t zero_point,
                                    const Range& range) {
  if (!a || !b) return std::nullopt;
  return saturated(wrap32(std::int64_t{*a} + sign * std::int64_t{*b} - sign * std::int64_t{zero_point}), range);
}

}  // namespace

Requantize between(const Parameters& from, const Parameters& to, const Context& context) {
  return {.input_scale = from.scale,
          .output_scale = to.scale,
          .input_zero_point = from.zero_point,
          .output_zero_point = to.zero_point,
          .rounding = context.rounding,
          .compute = context.compute,
          .single = from.single};
}

std::optional<std::int64_t> quantize(float x, const Parameters& to, const Range& range, const Quantize& how) {
  const float quotient = how.reciprocal ? x * (1.0f / to.scale) : x / to.scale;
  if (std::isnan(x / to.scale)) return std::nullopt;
  const float zero_point = static_cast<float>(to.zero_point), least = static_cast<float>(range.least), greatest = static_cast<float>(range.greatest);
  float code = 0;
  if (how.order == Order::after) {
    code = std::clamp(round_half(quotient, how.half_to_even) + zero_point, least, greatest);
  } else if (how.order == Order::before) {
    code = round_half(std::clamp(quotient + zero_point, least, greatest), how.half_to_even);
  } else {
    code = round_half(quotient + zero_point, how.half_to_even);
    if (!(code >= -2147483648.0f && code < 2147483648.0f)) return std::nullopt;
    return saturated(static_cast<std::int64_t>(code), range);
  }
  const auto whole = static_cast<std::int64_t>(code);
  if (whole < range.least || whole > range.greatest) return std::nullopt;
  return whole;
}

float dequantize(std::int64_t code, const Parameters& from) { return static_cast<float>(wrap32(code - from.zero_point)) * from.scale; }

float simulated_quantize(float x, int type, const Parameters& to, bool half_to_even) {
  if (type < 1 || type > 3) return x;
  const float least[] = {-128.0f, 0.0f, -2147483648.0f}, greatest[] = {127.0f, 255.0f, 2147483648.0f};
  const float code = round_half(x / to.scale, half_to_even) + static_cast<float>(to.zero_point);
  return std::max(std::min(code, greatest[type - 1]), least[type - 1]);
}

float simulated_dequantize(float code, int type, const Parameters& from) {
  return type < 1 || type > 3 ? code : (code - static_cast<float>(from.zero_point)) * from.scale;
}

std::optional<std::int64_t> add(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to, const Range& range,
                                const Context& context) {
  return combine(aligned(a, between(a_from, to, context)), aligned(b, between(b_from, to, context)), 1, to.zero_point, range);
}

std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to,
                                     const Range& range, const Context& context) {
  return combine(aligned(a, between(a_from, to, context)), aligned(b, between(b_from, to, context)), -1, to.zero_point, range);
}

std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b, const Parameters& a_from, const Parameters& b_from, const Parameters& to,
                                     const Range& range, const Context& context) {
  const std::int32_t product = wrap32((a - a_from.zero_point) * (b - b_from.zero_point));
  const auto code = requantize(product, between({a_from.scale * b_from.scale, 0, a_from.single && b_from.single}, to, context));
  return code ? std::optional(saturated(*code, range)) : std::nullopt;
}

std::optional<std::int64_t> leaky_relu(std::int64_t code, double alpha, const Parameters& from, const Parameters& to, const Range& range,
                                       const Context& context) {
  const auto q = aligned(code, between(from, to, context));
  if (!q) return std::nullopt;
  if (code >= from.zero_point) return saturated(*q, range);
  const auto slope = multiply_upward(*q, factor_of(alpha), Lowering::shifted), rest = multiply_upward(to.zero_point, factor_of(1.0 - alpha), Lowering::shifted);
  if (!slope || !rest) return std::nullopt;
  return saturated(wrap32(std::int64_t{*slope} + *rest), range);
}

std::optional<std::vector<std::int64_t>> softmax(std::span<const std::int64_t> row, const Parameters& from, const Parameters& to, const Context& context) {
  const auto one = static_cast<std::int64_t>(std::roundf(1.0f / from.scale));
  const std::int64_t top = *std::ranges::max_element(row);
  std::vector<std::int64_t> halvings, lines;
  for (std::int64_t code : row) {
    const std::int64_t x = code - top, p = x + (x >> 1) - (x >> 4);
    const std::int64_t k = std::clamp<std::int64_t>(-p / one, 0, 20);
    halvings.push_back(k);
    lines.push_back(((p + k * one) >> 1) + one);
  }
  const std::int64_t most = *std::ranges::max_element(halvings);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = wrap32(lines[i] * (std::int64_t{1} << (most - halvings[i])));
    total += lines[i];
  }
  total = wrap32(total);
  if (total == 0) return std::nullopt;
  std::vector<std::int64_t> codes;
  for (std::int64_t element : lines) {
    const std::int32_t quotient = wrap32((std::int64_t{1} << 30) / total * element) >> 23;
    const auto code = requantize(quotient, between({1.0f / 128, 0}, to, context));
    if (!code) return std::nullopt;
    codes.push_back(saturated(*code, {}));
  }
  return codes;
}

float legacy_simulated(float x, float scale, float least, float greatest) { return std::roundf(std::clamp(x / scale, least, greatest)) * scale; }

float legacy_quantize(float x, float scale, float least, float greatest) { return std::clamp(std::roundf(x * (1.0f / scale)), least, greatest); }

std::optional<std::int64_t> legacy_requantize(std::int32_t code, float from, float to, const Range& range, bool round_for_shift, Rounding rounding) {
  if (from == to) return saturated(code, range);
  const float ratio = from / to, places = std::log2(to / from);
  if (static_cast<float>(static_cast<int>(places)) == places) {
    const int n = static_cast<int>(places);
    if (n == 0 || n >= 32 || n <= -32) return std::nullopt;
    if (n < 0) return saturated(wrap32(std::int64_t{code} * (std::int64_t{1} << -n)), range);
    const std::int64_t bias = round_for_shift ? std::int64_t{1} << (n - 1) : 0;
    return saturated(std::int64_t{wrap32(code + bias)} >> n, range);
  }
  const Factor factor = factor_of(static_cast<double>(ratio));
  const auto product = rounding == Rounding::tonearest ? multiply_tonearest(code, factor) : multiply_upward(code, factor, Lowering::shifted);
  return product ? std::optional(saturated(*product, range)) : std::nullopt;
}

}  // namespace tiebreak::oracle::qnn
