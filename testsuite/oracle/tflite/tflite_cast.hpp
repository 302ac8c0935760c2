// SPDX-License-Identifier: Apache-2.0
// CAST of TensorFlow Lite's reference kernel in machine numbers.
#pragma once
#include <cstdint>
#include <limits>

namespace tiebreak::oracle {

/// A float that becomes an integer of this type: the fraction goes, what lies outside becomes the nearest end, nan the greatest.
template <class Integer>
std::int64_t tflite_cast_whole(double value) {
  constexpr auto greatest = std::numeric_limits<Integer>::max();
  constexpr auto least = std::numeric_limits<Integer>::min();
  if (value != value) return static_cast<std::int64_t>(greatest);
  if (value < static_cast<double>(least)) return static_cast<std::int64_t>(least);
  if (value >= (static_cast<double>(greatest / 2) + 1) * 2) return static_cast<std::int64_t>(greatest);
  return static_cast<std::int64_t>(static_cast<Integer>(value));
}

}  // namespace tiebreak::oracle
