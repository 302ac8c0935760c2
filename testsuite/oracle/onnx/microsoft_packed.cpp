// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/microsoft_packed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tiebreak::oracle {
namespace {

std::uint32_t packed_code(const std::vector<std::uint8_t>& bytes, std::size_t start, std::int64_t place, int bits) {
  const std::int64_t bit = place * bits;
  return bytes[start + static_cast<std::size_t>(bit / 8)] >> (bit % 8) & ((1U << bits) - 1);
}

/// Eight running sums, and how they become one: by the column's place among four, two and one.
float in_lanes(const float* a, const float* w, std::int64_t depth, std::int64_t column, std::int64_t columns) {
  std::array<float, 8> s{};
  for (std::int64_t k = 0; k < depth; ++k) {
    const float product = a[k] * w[k];
    s[static_cast<std::size_t>(k % 8)] += product;
  }
  if (column < columns / 4 * 4) return (((s[0] + s[1]) + s[2]) + s[3]) + (((s[4] + s[5]) + s[6]) + s[7]);
  if (column < columns / 2 * 2) return ((s[0] + s[2]) + (s[4] + s[6])) + ((s[1] + s[3]) + (s[5] + s[7]));
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/// How far along the depth one panel reaches: wider where there are few columns.
std::int64_t panel(std::int64_t columns, std::int64_t depth) {
  std::int64_t across = 128, along = 128;
  while (columns < depth && across > 16 && across / 2 >= columns) across /= 2, along *= 2;
  return along;
}

}  // namespace

std::vector<float> unpacked_blocks(const PackedBlocks& blocks, const PackedShape& shape) {
  const std::int64_t count = (shape.depth + blocks.block - 1) / blocks.block;
  const auto row_bytes = static_cast<std::size_t>(count * blocks.block * blocks.bits / 8), zero_bytes = static_cast<std::size_t>((count * blocks.bits + 7) / 8);
  std::vector<float> weights;
  for (std::int64_t n = 0; n < shape.columns; ++n)
    for (std::int64_t k = 0; k < shape.depth; ++k) {
      const auto row = static_cast<std::size_t>(n);
      const std::int64_t block = k / blocks.block;
      const auto code = static_cast<int>(packed_code(blocks.codes, row * row_bytes, k, blocks.bits));
      const int zero =
          blocks.zero_points.empty() ? 1 << (blocks.bits - 1) : static_cast<int>(packed_code(blocks.zero_points, row * zero_bytes, block, blocks.bits));
      weights.push_back(static_cast<float>(code - zero) * blocks.scales[static_cast<std::size_t>(n * count + block)]);
    }
  return weights;
}

std::vector<float> packed_product(const std::vector<float>& a, const std::vector<float>& weights, const std::vector<float>& bias, const PackedShape& shape,
                                  PackedSum sum) {
  std::vector<float> y;
  const std::int64_t along = panel(shape.columns, shape.depth);
  for (std::int64_t m = 0; m < shape.rows; ++m)
    for (std::int64_t n = 0; n < shape.columns; ++n) {
      const float *row = a.data() + m * shape.depth, *column = weights.data() + n * shape.depth;
      const float start = bias.empty() ? 0 : bias[static_cast<std::size_t>(n)];
      if (sum == PackedSum::fused_or_lanes && shape.rows == 1) {
        y.push_back(in_lanes(row, column, shape.depth, n, shape.columns) + start);
        continue;
      }
      float total = start;
      for (std::int64_t first = 0; first < shape.depth; first += along) {
        float part = 0;
        for (std::int64_t k = first; k < std::min(shape.depth, first + along); ++k) {
          const float product = row[k] * column[k];
          part = sum == PackedSum::in_order ? part + product : std::fma(row[k], column[k], part);
        }
        total += part;
      }
      y.push_back(total);
    }
  return y;
}

}  // namespace tiebreak::oracle
