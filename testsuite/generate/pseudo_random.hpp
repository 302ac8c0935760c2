// SPDX-License-Identifier: Apache-2.0
// SplitMix64: sixty-four bits of state, the same sequence everywhere. The standard library's distributions differ between
// implementations, so whole numbers below a bound are drawn here, without bias, by rejection.
#pragma once
#include <cstdint>

namespace tiebreak {

class PseudoRandom {
 public:
  explicit PseudoRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  /// Uniform in 0 .. bound - 1; a bound of 0 stands for 2^64.
  std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) return next();
    std::uint64_t remainder = (0 - bound) % bound;  // 2^64 mod bound: the draws to reject
    std::uint64_t drawn = next();
    while (drawn < remainder) drawn = next();
    return drawn % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace tiebreak
