// SPDX-License-Identifier: Apache-2.0
// Places in a box of extents, in row-major order.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

inline std::int64_t volume(const std::vector<std::int64_t>& extents) {
  std::int64_t count = 1;
  for (std::int64_t extent : extents) count *= extent;
  return count;
}

/// Counts a place up, the last dimension fastest; false at the end.
inline bool advance(std::vector<std::int64_t>& place, const std::vector<std::int64_t>& extents) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (++place[axis] < extents[axis]) return true;
    place[axis] = 0;
  }
  return false;
}

/// Of a list of dimensions.
inline bool contains(const std::vector<std::int64_t>& list, std::int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

}  // namespace tiebreak::oracle
