// SPDX-License-Identifier: Apache-2.0
// How named systems turn a float into a code, each in machine arithmetic as its own code has it. Names are those of the profiles.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct QuantizeArguments {
  float x = 0;
  float scale = 1;
  float zero_point = 0;  ///< whole, but for formats with a float zero point
  float magnitude = 1;   ///< the largest magnitude from which the scale was made
  CodeRange storage{};   ///< of the storage type
  CodeRange range{};     ///< of the codes, narrower or equal
  bool half = false;     ///< x and scale are f16, and so is arithmetic in the value's own format
};

/// Nothing where the system leaves the code undefined.
using QuantizeFunction = std::optional<std::int64_t> (*)(const QuantizeArguments& arguments);
struct QuantizeVariant {
  const char* name;
  QuantizeFunction function;
};
std::span<const QuantizeVariant> quantize_variants();

}  // namespace tiebreak::oracle
