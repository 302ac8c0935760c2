// SPDX-License-Identifier: Apache-2.0
// Pseudo-random numbers for parameters and operands: the same on every machine, since only raw draws are used.
#pragma once
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak {

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : engine_(seed) { std::printf("  seed %u\n", seed); }
  std::int64_t below(std::int64_t bound) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint32_t>(bound)); }
  float number(float least, float greatest) { return least + (greatest - least) * static_cast<float>(below(1 << 20)) * 0x1p-20f; }
  std::int64_t code(oracle::CodeRange range) { return range.min + below(range.max - range.min + 1); }
  std::vector<std::int64_t> codes(oracle::CodeRange range, std::int64_t count) {
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < count; ++i) drawn.push_back(code(range));
    return drawn;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace tiebreak
