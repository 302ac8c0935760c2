// SPDX-License-Identifier: Apache-2.0
// What TensorFlow Lite's windows share: padding by the words SAME and VALID, strides and dilations by name, rows before columns.
#pragma once
#include <array>

#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// Along one of the two spatial dimensions.
struct TfliteExtent {
  std::int64_t size, kernel, stride, dilation, low, high, places;
};

/// `names` are those of the two kernels' extents. With SAME there are ceil(size / stride) places, and an odd place of padding lies behind; with VALID there is
/// no padding.
Result<std::array<TfliteExtent, 2>> tflite_extents(const StructureRequest& request, std::array<std::int64_t, 2> sizes, std::array<std::int64_t, 2> kernels);

}  // namespace tiebreak::structure
