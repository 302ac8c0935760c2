// SPDX-License-Identifier: Apache-2.0
// Two sides of sums of products as the kernels take them: lines of numbers in memory, and where each sum belongs.
#pragma once
#include <cstdint>
#include <span>

namespace tiebreak::simd {

/// Elements around all that a side names which must be there to be read; their values are no matter.
constexpr std::int64_t slack = 32;

/// Lines of numbers: item i of line n is data[lines[n] + items[i]].
template <class Number>
struct Lines {
  const Number* data = nullptr;
  std::span<const std::int64_t> lines{}, items{};
};

/// Where sums are added: that of row r and column c at data[rows[r] + columns[c]].
template <class Number>
struct Sums {
  Number* data = nullptr;
  std::span<const std::int64_t> rows{}, columns{};
};

}  // namespace tiebreak::simd
