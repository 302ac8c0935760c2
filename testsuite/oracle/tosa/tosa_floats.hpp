// SPDX-License-Identifier: Apache-2.0
// TOSA's operators on floats, as the pseudocode has them, in f32; narrower formats as the f32 that they are.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tiebreak::oracle::tosa {

/// The second of two equal numbers is the less one, the first the greater one. NaN, or with `ignore` the number beside it.
float greater_of(float a, float b, bool ignore);
float less_of(float a, float b, bool ignore);
float clamped(float value, float low, float high, bool ignore);
/// NaN is the greatest of all, or the least.
std::int64_t place_of_greatest(const std::vector<float>& line, bool ignore);
/// CAST to an integer of so many bits; nothing for NaN.
std::optional<std::int64_t> to_integer(double value, int bits);

}  // namespace tiebreak::oracle::tosa
