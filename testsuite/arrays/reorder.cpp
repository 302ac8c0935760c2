// SPDX-License-Identifier: Apache-2.0
#include "testsuite/arrays/reorder.hpp"

#include <cstring>

namespace tiebreak {

std::vector<std::byte> reordered(const std::vector<std::byte>& bytes, const Shape& shape, std::size_t width, const std::vector<std::int64_t>& order) {
  std::vector<std::size_t> strides(shape.size(), width);  // in bytes, of what is given
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * static_cast<std::size_t>(shape[d]);
  std::vector<std::byte> result(bytes.size());
  std::vector<std::int64_t> at(order.size(), 0);  // of the result
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += width) {
    std::memcpy(result.data() + to, bytes.data() + from, width);
    for (std::size_t d = order.size(); d-- > 0;) {
      const auto own = static_cast<std::size_t>(order[d]);
      from += strides[own];
      if (++at[d] < shape[own]) break;
      from -= strides[own] * static_cast<std::size_t>(shape[own]);
      at[d] = 0;
    }
  }
  return result;
}

std::vector<std::byte> row_major_of_column_major(const std::vector<std::byte>& bytes, const Shape& shape, std::size_t width) {
  const Shape reversed(shape.rbegin(), shape.rend());
  std::vector<std::int64_t> order;
  for (std::size_t d = shape.size(); d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
  return reordered(bytes, reversed, width, order);
}

}  // namespace tiebreak
