// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/migraphx.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "testsuite/oracle/float_oracle.hpp"

namespace tiebreak::oracle {
namespace {

const FloatTable& half() {
  static const FloatTable table("f16");
  return table;
}

float quotient_of(Migraphx build, double x, double scale) {
  const float quotient = static_cast<float>(x) / static_cast<float>(scale);
  return static_cast<float>(build == Migraphx::reference ? f16_cut(quotient) : f16_nearest(static_cast<double>(quotient)));
}

}  // namespace

double f16_cut(float v) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &v, 4);
  const auto exponent = static_cast<int>(bits >> 23 & 0xFFu) - 127;
  const double sign = (bits >> 31) != 0 ? -1 : 1;
  if (std::isnan(v)) return std::numeric_limits<double>::quiet_NaN();
  if (exponent > 15) return sign * std::numeric_limits<double>::infinity();
  if (exponent < -126) return sign * 0.0;
  // Ten digits behind the point, fewer below the least normal number.
  const int last = std::max(exponent, -14) - 10;
  return std::copysign(std::trunc(std::ldexp(static_cast<double>(v), -last)), static_cast<double>(v)) * std::ldexp(1.0, last);
}

double f16_nearest(double v) { return half().value(*half().round(v, "rne", "format")); }

std::optional<int> migraphx_quantize(Migraphx build, double x, double scale, int zero_point) {
  const float quotient = quotient_of(build, x, scale);
  if (build == Migraphx::before_2244) {
    if (!std::isfinite(quotient)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(std::round(quotient));
    return static_cast<int>(std::max<std::int64_t>(-128, std::min<std::int64_t>(127, whole + zero_point)));
  }
  if (build == Migraphx::gpu) {
    const double whole = static_cast<double>(std::nearbyint(quotient)), sum = f16_nearest(whole + f16_nearest(zero_point));
    return static_cast<int>(std::fmin(std::fmax(-128.0, sum), 127.0));
  }
  const double sum = static_cast<double>(std::nearbyint(quotient)) + static_cast<double>(zero_point);
  return static_cast<int>(std::max(-128.0, std::min(127.0, sum)));
}

double migraphx_dequantize(Migraphx build, int code, double scale, int zero_point) {
  if (build == Migraphx::gpu) return f16_nearest(f16_nearest(f16_nearest(code) - f16_nearest(zero_point)) * scale);
  const double product = (static_cast<double>(code) - static_cast<double>(zero_point)) * scale;
  return build == Migraphx::reference ? f16_cut(static_cast<float>(product)) : f16_nearest(product);
}

std::optional<int> migraphx_convert(Migraphx build, double x) {
  if (build == Migraphx::gpu) {
    const double whole = std::trunc(x);
    if (!(whole >= -128 && whole <= 127)) return std::nullopt;
    return static_cast<int>(whole);
  }
  if (std::isnan(x)) return 0;
  if (x >= 127) return 127;
  if (x <= -128) return -128;
  return static_cast<int>(x);
}

int migraphx_fp4(double x) {
  struct Tie {
    double value;
    bool downward;
  };
  constexpr Tie ties[] = {{0.25, true}, {0.75, false}, {1.25, true}, {1.75, false}, {2.5, true}, {3.5, false}, {5.0, true}};
  if (std::isnan(x)) return 0;
  const double size = std::abs(x);
  int code = std::signbit(x) ? 8 : 0;
  for (const Tie& tie : ties) code += size > tie.value || (size == tie.value && !tie.downward) ? 1 : 0;
  return code;
}

int migraphx_pack(int low, int high, bool is_signed) {
  const int least = is_signed ? -8 : 0, greatest = is_signed ? 7 : 15;
  const auto first = static_cast<std::uint8_t>(std::clamp(low, least, greatest)), second = static_cast<std::uint8_t>(std::clamp(high, least, greatest));
  const auto byte = static_cast<std::uint8_t>(second << 4 | (first & 0xF));
  return is_signed ? static_cast<std::int8_t>(byte) : byte;
}

std::pair<int, int> migraphx_unpack(int byte, bool is_signed) {
  const auto bits = static_cast<std::uint8_t>(byte);
  if (!is_signed) return {bits & 0xF, bits >> 4};
  return {static_cast<std::int8_t>(bits << 4) >> 4, static_cast<std::int8_t>(bits) >> 4};
}

}  // namespace tiebreak::oracle
