// SPDX-License-Identifier: Apache-2.0
// Products of two rows of blocks of 32, as loops over accumulators that stand for a kernel's registers. Names are alternatives of the page's choices.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tiebreak::oracle {

/// Codes as the kernel multiplies them: zero points taken off, small floats doubled and their scales halved.
struct BlockRow {
  std::vector<std::int32_t> codes{};
  std::vector<float> scales{};  ///< one a block
  std::vector<float> beside{};  ///< minima of w, sums of x; empty where there are none
};

struct BlockProduct {
  std::string order;     ///< blocks lanes_8 lanes_2x8 lanes_2x4 lanes_4x4
  bool fused = false;    ///< products go into sums unrounded
  bool in_turn = false;  ///< one scale after the other
  bool wraps = false;    ///< -(-128) is -128
};
float block_product(const BlockRow& x, const BlockRow& w, const BlockProduct& how);
/// Rounded once, for scales of few binades.
float exact_block_product(const BlockRow& x, const BlockRow& w);

}  // namespace tiebreak::oracle
