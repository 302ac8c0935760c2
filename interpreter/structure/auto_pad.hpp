// SPDX-License-Identifier: Apache-2.0
// ONNX's auto_pad: padding by a word instead of numbers.
#pragma once
#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

enum class AutoPad : std::uint8_t {
  not_set,     ///< as `pads` says
  valid,       ///< none
  same_upper,  ///< what the wanted extent of the result needs, an odd place at the end
  same_lower,  ///< the same, an odd place at the start
};
/// Absent and empty are not_set.
Result<AutoPad> auto_pad(const StructureRequest& request);

struct SplitPadding {
  std::int64_t low, high;
};
/// Both ends get half; the odd place goes behind or in front.
SplitPadding split_padding(std::int64_t total, bool odd_behind);

}  // namespace tiebreak::structure
