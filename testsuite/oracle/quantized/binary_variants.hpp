// SPDX-License-Identifier: Apache-2.0
// How named systems add and multiply two codes. Names are those of the profiles.
#pragma once
#include <cstdint>
#include <span>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct BinaryParameters {
  float a_scale = 1, b_scale = 1, y_scale = 1;
  std::int32_t a_zero_point = 0, b_zero_point = 0, y_zero_point = 0;
  CodeRange codes{};
};

using BinaryFunction = std::int64_t (*)(std::int32_t a, std::int32_t b, const BinaryParameters& parameters);
struct BinaryVariant {
  const char* name;
  BinaryFunction function;
};
std::span<const BinaryVariant> add_variants();
std::span<const BinaryVariant> mul_variants();

}  // namespace tiebreak::oracle
