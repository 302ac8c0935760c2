// SPDX-License-Identifier: Apache-2.0
// How named systems turn a code into a float. Names are those of the profiles.
#pragma once
#include <cstdint>
#include <span>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct DequantizeArguments {
  std::int64_t code = 0;
  std::int64_t zero_point = 0;
  float scale = 1;
  float minimum = 0;  ///< the real number of code 0, where a format stores one
  CodeRange storage{};
  bool half = false;  ///< the result is f16
};

using DequantizeFunction = float (*)(const DequantizeArguments& arguments);
struct DequantizeVariant {
  const char* name;
  DequantizeFunction function;
};
std::span<const DequantizeVariant> dequantize_variants();

}  // namespace tiebreak::oracle
