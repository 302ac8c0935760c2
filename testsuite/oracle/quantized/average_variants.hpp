// SPDX-License-Identifier: Apache-2.0
// How named systems make a mean of codes from their sum and number. Names are those of the profiles.
#pragma once
#include <cstdint>
#include <span>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct AverageArguments {
  std::int64_t sum = 0;  ///< of the codes, zero points not removed
  std::int32_t items = 1;
  float x_scale = 1, y_scale = 1;
  std::int32_t x_zero_point = 0, y_zero_point = 0;
  CodeRange codes{};
};

using AverageFunction = std::int64_t (*)(const AverageArguments& arguments);
struct AverageVariant {
  const char* name;
  AverageFunction function;
};
std::span<const AverageVariant> average_variants();

}  // namespace tiebreak::oracle
