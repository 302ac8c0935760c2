// SPDX-License-Identifier: Apache-2.0
// Parameters and accumulators for tests of requantization: ties and their neighbours, the ends of int32, where f32 loses bits, and everything between.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/oracle/quantized/requantize_twins.hpp"

namespace tiebreak {

constexpr std::uint64_t requantize_seed = 20261121;

class RequantizeRandom : public PseudoRandom {
 public:
  using PseudoRandom::PseudoRandom;
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1)); }
  /// A float with a random mantissa, its exponent between two.
  float positive(int low, int high) { return std::ldexp(1.0f + static_cast<float>(next() >> 41) * 0x1p-23f, static_cast<int>(between(low, high))); }
};

struct RequantizePoint {
  std::string type;  ///< of the result
  oracle::RequantizeParameters parameters{};
};

inline RequantizePoint requantize_point(const std::string& type, float x, float w, float y, std::int64_t zero_point) {
  const ElementType element = *ElementType::parse(type);
  return {type, {.x_scale = x, .w_scale = w, .y_scale = y, .zero_point = zero_point, .low = *element.min().to_int64(), .high = *element.max().to_int64()}};
}

/// Dyadic, short decimal and random scales; zero points odd, even and at the ends; factors from 2^-45 to 2^12 and some far beyond.
inline std::vector<RequantizePoint> requantize_points() {
  std::vector<RequantizePoint> points;
  for (int n : {0, 1, 2, 3, 7, 11, 16, 23, 30, 31, 32, 33, 34, 40})
    points.push_back(requantize_point(n % 2 == 0 ? "i8" : "u8", 1, 1, std::ldexp(1.0f, n), n % 3 == 0 ? 0 : n % 2 == 0 ? -3 : 128));
  for (int n : {1, 2, 5, 9, 29}) points.push_back(requantize_point("i8", std::ldexp(1.0f, n), 1, 1, n));
  for (float y : {3.0f, 6.0f, 12.0f, 100.0f, 1000.0f, 0.75f, 1.5f}) points.push_back(requantize_point("i8", 1, 1, y, y > 10 ? -128 : 5));
  for (float y : {5.0f, 10.0f, 37.5f, 0.3f}) points.push_back(requantize_point("u8", 0.5f, 0.25f, y, 255));
  const float decimals[][3] = {{0.1f, 0.3f, 7.3f},      {0.01f, 0.0303f, 5.0f}, {0.0133f, 0.0102f, 4.7f}, {0.05f, 0.02f, 0.1f},
                               {0.003f, 0.0007f, 0.9f}, {0.4f, 0.25f, 0.1f},    {1.0005f, 1, 1},          {0.007f, 1, 3.14f}};
  std::int64_t zero_point = -7;
  for (const auto& d : decimals) {
    points.push_back(requantize_point("i8", d[0], d[1], d[2], zero_point));
    points.push_back(requantize_point("i16", d[0], d[1], d[2], zero_point * 111));
    zero_point += 2;
  }
  RequantizeRandom random(requantize_seed);
  const char* types[] = {"i8", "u8", "i8", "i16", "u16", "i8"};
  for (int i = 0; i < 24; ++i) {
    RequantizePoint point = requantize_point(types[i % 6], random.positive(-9, 2), random.positive(-9, 1), random.positive(-6, 4), 0);
    point.parameters.zero_point = i % 4 == 0   ? point.parameters.low
                                  : i % 4 == 1 ? point.parameters.high
                                               : random.between(point.parameters.low, point.parameters.high);
    points.push_back(point);
  }
  // Scales whose product is subnormal, and scales that are.
  points.push_back(requantize_point("u8", 0x1.8p-70f, 0x1p-70f, 0x1p-124f, 3));
  points.push_back(requantize_point("i8", 0x1p-133f, 0.75f, 0x1p-126f, -9));
  points.push_back(requantize_point("u8", 0x1.000b52p-63f, 0x1.ffe95cp-64f, 0x1p-120f, 128));
  // Products beyond int32, with zero points below and above the middle.
  points.push_back(requantize_point("u8", 3, 1, 1, 10));
  points.push_back(requantize_point("u8", 1.5f, 1, 1, 200));
  points.push_back(requantize_point("i8", 5, 1, 1, -7));
  points.push_back(requantize_point("i8", random.positive(60, 60), 1, random.positive(-10, -10), 1));
  points.push_back(requantize_point("i8", random.positive(-60, -60), 1, random.positive(10, 10), 1));
  return points;
}

inline std::int64_t clamp32(long double v) { return v > 2147483647.0L ? 2147483647 : v < -2147483648.0L ? -2147483648LL : static_cast<std::int64_t>(v); }

/// Accumulators: around (k + 1/2) / factor for every code k in reach, or for random ones; around powers of two; both ends; random.
inline std::vector<std::int32_t> requantize_accumulators(const RequantizePoint& point, std::size_t count) {
  const oracle::RequantizeParameters& p = point.parameters;
  const long double factor = static_cast<long double>(p.x_scale) * static_cast<long double>(p.w_scale) / static_cast<long double>(p.y_scale);
  std::vector<std::int32_t> accumulators;
  auto around = [&](std::int64_t middle, std::int64_t reach) {
    for (std::int64_t v = middle - reach; v <= middle + reach; ++v)
      if (v == clamp32(static_cast<long double>(v))) accumulators.push_back(static_cast<std::int32_t>(v));
  };
  RequantizeRandom random(requantize_seed + static_cast<std::uint64_t>(p.zero_point) * 977 + static_cast<std::uint64_t>(count));
  around(0, 8);
  around(-2147483648LL, 6);
  around(2147483647LL, 6);
  for (int n : {15, 23, 24, 25, 29, 30, 31})
    for (int sign : {-1, 1}) around(sign * (std::int64_t{1} << n), 3);
  auto tie = [&](std::int64_t k) { around(clamp32(std::floor((static_cast<long double>(k) + 0.5L) / factor)), 2); };
  const std::int64_t first = p.low - p.zero_point - 2, last = p.high - p.zero_point + 2;
  if (last - first < 300)
    for (std::int64_t k = first; k <= last; ++k) tie(k);
  while (accumulators.size() < count) {
    const std::uint64_t kind = random.next() % 4;
    if (kind == 0) around(static_cast<std::int32_t>(random.next()), 0);
    if (kind == 1) around(static_cast<std::int64_t>(random.next()) >> (34 + random.next() % 28), 0);
    if (kind >= 2) tie(random.between(first, last));
  }
  accumulators.resize(count);
  return accumulators;
}

}  // namespace tiebreak
