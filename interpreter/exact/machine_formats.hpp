// SPDX-License-Identifier: Apache-2.0
// The formats that the machine computes in, told by what they are.
#pragma once
#include "interpreter/exact/float_format.hpp"

namespace tiebreak {

/// IEEE 754 binary32, the C++ float.
inline bool is_binary32(const FloatFormat& format) { return format.kind == FloatClass::ieee && format.exponent_bits == 8 && format.fraction_bits == 23; }
/// IEEE 754 binary64, the C++ double.
inline bool is_binary64(const FloatFormat& format) { return format.kind == FloatClass::ieee && format.exponent_bits == 11 && format.fraction_bits == 52; }

}  // namespace tiebreak
