// SPDX-License-Identifier: Apache-2.0
// TOSA's convolutions and matrix product by the loops of its text: channels last, zero points, an accumulator that must hold every partial sum.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tiebreak::oracle::tosa {

/// Five dimensions, row-major: batch, depth, row, column, channel for images (a depth of one where there is none).
struct Block {
  std::array<std::int64_t, 5> extents{1, 1, 1, 1, 1};
  std::vector<double> values{};  ///< whole numbers, or floats
  double at(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, std::int64_t e) const {
    return values[static_cast<std::size_t>((((a * extents[1] + b) * extents[2] + c) * extents[3] + d) * extents[4] + e)];
  }
  std::int64_t size() const { return extents[0] * extents[1] * extents[2] * extents[3] * extents[4]; }
};

/// Along depth, rows and columns.
struct Windows {
  std::array<std::int64_t, 3> stride{1, 1, 1}, dilation{1, 1, 1}, before{0, 0, 0}, behind{0, 0, 0};
};

/// What a contraction adds up in: integers of so many bits, or floats (32 bits, every step rounded) where `bits` is 0.
struct Accumulator {
  int bits = 32;
  std::int64_t input_zero_point = 0, weight_zero_point = 0;
};

/// Elements, or nothing where a partial sum left the accumulator.
struct Answer {
  std::array<std::int64_t, 5> extents{};
  std::vector<std::optional<double>> values{};
};

/// The weight is [output channel][depth][row][column][input channel].
Answer convolution(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator);
/// The weight is [1][row][column][channel][results of the channel].
Answer depthwise(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator);
/// `before` and `behind` add to the output. Each input element adds to the places that it reaches, the kernel's places slowest, as the text has it.
Answer transposed(const Block& input, const Block& weight, const std::vector<double>& bias, const Windows& windows, const Accumulator& accumulator);
/// [1][1][N][H][C] by [1][1][N][C][W].
Answer product(const Block& a, const Block& b, const Accumulator& accumulator);

}  // namespace tiebreak::oracle::tosa
