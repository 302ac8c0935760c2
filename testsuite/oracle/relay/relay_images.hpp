// SPDX-License-Identifier: Apache-2.0
// Relay's pools and its resize by plain loops over one channel of one image, in the processor's own floats.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tiebreak::oracle::relay {

/// One axis of a pool: extent, window, and what steers it.
struct PoolAxis {
  std::int64_t extent, window, stride, dilation, low, high;
};
/// What a window holds.
struct Pooled {
  std::int64_t sum = 0, greatest = 0;
  std::int64_t inside = 0;  ///< elements of the image
  std::int64_t padded = 0;  ///< and places of its padding
};
/// The windows of an image with any number of axes, the last axis fastest, and how many there are along each.
struct Pool {
  std::vector<std::int64_t> places;
  std::vector<Pooled> windows;
};
Pool pool(const std::vector<std::int64_t>& image, const std::vector<PoolAxis>& axes, bool ceil_mode);

/// Rows and columns, before and after.
struct Resize {
  std::int64_t rows, columns, new_rows, new_columns;
  std::string mode, rounding;  ///< as Relay calls them; the rounding is that of the nearest element
  bool linear;
};
std::vector<float> resize(const std::vector<float>& image, const Resize& resize);

/// Softmax of a line: every step in float, the sum from the left.
std::vector<float> softmax(const std::vector<float>& line);

}  // namespace tiebreak::oracle::relay
