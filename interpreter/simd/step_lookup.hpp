// SPDX-License-Identifier: Apache-2.0
// A function of 32-bit numbers that has few steps, looked up for many numbers at once.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tiebreak::simd {

/// The numbers from low to high, cut into buckets of 2^shift, 0 <= shift <= 16, each with at most one step. What lies beyond low or high has their value.
struct StepBuckets {
  std::int32_t low = 0, high = 0;
  int shift = 0;
  const std::uint32_t* entries =
      nullptr;  ///< for each bucket: where the step lies in it (upper 16 bits), the value before it (bits 8 to 15), from it on (0 to 7)
};

/// out[i] = the value at numbers[i].
void look_up_steps(const StepBuckets& buckets, const std::int32_t* numbers, std::size_t count, std::uint8_t* out);

}  // namespace tiebreak::simd
