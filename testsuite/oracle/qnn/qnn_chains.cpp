// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/qnn/qnn_chains.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"

namespace tiebreak::oracle::qnn {
namespace {

std::optional<std::int64_t> held(std::optional<std::int32_t> code, const Range& range) {
  return code ? std::optional(std::clamp<std::int64_t>(*code, range.least, range.greatest)) : std::nullopt;
}

float real_place(std::int64_t i, std::int64_t n, std::int64_t m, char coordinates) {
  const float place = static_cast<float>(i);
  if (coordinates == 'a') return static_cast<float>(n - 1) / static_cast<float>(m - 1) * place;
  const float scale = static_cast<float>(n) / static_cast<float>(m);
  if (coordinates == 's') return scale * place;
  const float middle = (place + 0.5f) * scale;
  return middle - 0.5f;
}

}  // namespace

std::optional<std::int64_t> relu(std::int64_t code, const Parameters& from, const Parameters& to, const Range& range, const Context& context) {
  return held(aligned(std::max<std::int64_t>(code, from.zero_point), between(from, to, context)), range);
}

std::int64_t bound_code(double bound, const Parameters& parameters, const Range& range, Bound how) {
  const double quotient = bound / static_cast<double>(parameters.scale), zero_point = parameters.zero_point;
  const double code = how == Bound::after    ? std::nearbyint(quotient) + zero_point
                      : how == Bound::before ? std::nearbyint(zero_point + quotient)
                                             : std::trunc(quotient + zero_point);
  return static_cast<std::int64_t>(std::clamp(code, static_cast<double>(range.least), static_cast<double>(range.greatest)));
}

std::optional<std::int64_t> integer_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range,
                                         const Context& context) {
  std::int32_t sum = 0;
  for (std::int64_t code : codes) sum = wrap32(std::int64_t{sum} + code);
  return held(requantize(sum / static_cast<std::int32_t>(codes.size()), between(from, to, context)), range);
}

std::optional<std::int64_t> float_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range) {
  float sum = 0;
  for (std::int64_t code : codes) sum += dequantize(code, from);
  return quantize(sum / static_cast<float>(codes.size()), to, range);
}

std::optional<std::int64_t> pooled_mean(std::span<const std::int64_t> codes, const Parameters& from, const Parameters& to, const Range& range,
                                        const Context& context) {
  std::int32_t sum = 0;
  for (std::int64_t code : codes) {
    const auto one = aligned(code, between(from, to, context));
    if (!one) return std::nullopt;
    sum = wrap32(std::int64_t{sum} + *one);
  }
  return held(sum / static_cast<std::int32_t>(codes.size()), range);
}

std::int64_t nearest_place(std::int64_t i, std::int64_t n, std::int64_t m, const Nearest& how) {
  const char rounding = how.rounding != 0 ? how.rounding : how.coordinates == 'a' ? 'r' : 'f';
  const float place = real_place(i, n, m, how.coordinates), slack = 1e-5f;
  float whole = rounding == 'r'   ? std::round(place)
                : rounding == 'p' ? std::ceil(place - 0.5f)
                : rounding == 'q' ? std::floor(place + 0.5f)
                : rounding == 'f' ? std::floor(place + slack)
                                  : std::ceil(place - slack);
  if (how.coordinates == 's' && m % n == 0) whole = static_cast<float>(i / (m / n));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(whole), 0, n - 1);
}

}  // namespace tiebreak::oracle::qnn
