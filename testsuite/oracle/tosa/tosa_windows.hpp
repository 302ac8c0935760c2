// SPDX-License-Identifier: Apache-2.0
// TOSA's pools and RESIZE by the loops of its text. Images are [batch][row][column][channel].
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tiebreak::oracle::tosa {

struct Image {
  std::array<std::int64_t, 4> extents{1, 1, 1, 1};
  std::vector<double> values{};
  double at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) const {
    return values[static_cast<std::size_t>(((n * extents[1] + y) * extents[2] + x) * extents[3] + c)];
  }
};

struct Pool {
  std::array<std::int64_t, 2> kernel{1, 1}, stride{1, 1}, before{0, 0}, behind{0, 0};
};

struct AverageOf {
  std::int64_t input_zero_point = 0, output_zero_point = 0, low = -128, high = 127;
};
Image average(const Image& input, const Pool& pool, const AverageOf& rule);

enum class Nan : std::uint8_t { propagate, ignore };
/// `least` is what the search begins with where NaN goes through.
Image maximum(const Image& input, const Pool& pool, Nan nan, double least);

/// Rows, then columns.
struct Scaling {
  std::array<std::int64_t, 2> numerator{1, 1}, denominator{1, 1}, offset{0, 0}, border{0, 0};
};
Image nearest(const Image& input, const Scaling& scaling);
Image bilinear(const Image& input, const Scaling& scaling);
/// Where the text has one: whole, and of at least one place.
std::optional<std::int64_t> resized(std::int64_t extent, const Scaling& scaling, std::size_t dimension);

}  // namespace tiebreak::oracle::tosa
