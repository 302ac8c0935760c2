// SPDX-License-Identifier: Apache-2.0
// TOSA's RESCALE in 64-bit integers, with the one rounding constant of its text.
#pragma once
#include <cstdint>
#include <optional>

namespace tiebreak::oracle {

enum class RescaleRounding : std::uint8_t { once, twice };

struct Rescale {
  std::int32_t multiplier = 0;
  int shift = 0;
  bool scale32 = true;
  RescaleRounding rounding = RescaleRounding::once;
  std::int64_t input_zero_point = 0, output_zero_point = 0;
  std::int64_t low = -128, high = 127;
};

/// The code, or nothing where the text calls the result unpredictable.
std::optional<std::int64_t> rescale(std::int64_t value, const Rescale& rule);

/// The whole numbers that INEXACT_ROUND accepts.
struct RescaleInterval {
  std::int64_t first = 0, last = 0;
};
RescaleInterval inexact_rescale(std::int64_t value, const Rescale& rule);

}  // namespace tiebreak::oracle
