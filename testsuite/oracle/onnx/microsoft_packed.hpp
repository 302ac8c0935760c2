// SPDX-License-Identifier: Apache-2.0
// Products with packed weights as ONNX Runtime computes them, in plain loops over machine floats. Compiled without contraction: what is fused is written so.
#pragma once
#include <cstdint>
#include <vector>

namespace tiebreak::oracle {

/// How the products of a row and a column are added up.
enum class PackedSum : std::uint8_t { fused_or_lanes, in_order };

struct PackedShape {
  std::int64_t rows, columns, depth;
};

/// Codes of `bits` bits, lowest first, in rows of whole blocks; one zero point for each block, packed likewise, or the middle of the codes where there is none.
struct PackedBlocks {
  int bits;
  std::int64_t block;
  std::vector<std::uint8_t> codes;
  std::vector<float> scales;
  std::vector<std::uint8_t> zero_points;
};
/// The weights of one column after the other.
std::vector<float> unpacked_blocks(const PackedBlocks& blocks, const PackedShape& shape);

/// a is [rows, depth], weights [columns, depth]; bias may be empty.
std::vector<float> packed_product(const std::vector<float>& a, const std::vector<float>& weights, const std::vector<float>& bias, const PackedShape& shape,
                                  PackedSum sum);

}  // namespace tiebreak::oracle
