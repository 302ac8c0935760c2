// SPDX-License-Identifier: Apache-2.0
// Conversions as single systems make them: digits shifted in machine integers, tables of a format's values, and the processor's own
// instructions.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tiebreak::oracle {

struct FloatConversion {
  std::string name;    ///< of the profile
  std::string format;  ///< f8e5m2 ...
  bool saturate;
  std::function<double(float)> function;  ///< nan for nan
};
/// From f32 to floats of 8 bits and fewer.
const std::vector<FloatConversion>& float_conversions();

struct IntegerConversion {
  std::string name;
  std::string type;                                            ///< i8 ...
  std::function<std::optional<std::int64_t>(float)> function;  ///< nothing where it is open
};
/// From f32 to integers. Those of x86 are the processor's own, and missing elsewhere.
const std::vector<IntegerConversion>& integer_conversions();

}  // namespace tiebreak::oracle
