// SPDX-License-Identifier: Apache-2.0
// `results = fold[body](items, start)` as a page writes it: what is folded, and in which order.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/error.hpp"

namespace tiebreak::regions {

struct Context;

/// How the start value s and the items a b c d are combined; brackets are runs of the region.
enum class FoldKind : std::uint8_t {
  forward,     ///< (((s a) b) c) d
  backward,    ///< a (b (c (d s)))
  reversed,    ///< (((s d) c) b) a
  start_last,  ///< (((a b) c) d) s
  start_both,  ///< ((((s a) b) c) d) s
  pairwise,    ///< ((s a) b) (c d): halves, the first the larger
  blocks,      ///< of two: ((s a) b) ((s c) d)
  lanes,       ///< two: ((s a) c) ((s b) d)
  restarted,   ///< (s d) ((s c) ((s b) ((s a) s)))
};

/// What the text allows besides the order that is computed.
enum class FoldSet : std::uint8_t {
  one,           ///< nothing
  trees,         ///< every tree over the items in their order, with start values anywhere, any number of them
  permutations,  ///< every order of the items, one after another from the start value on
};

struct FoldOrder {
  FoldKind kind = FoldKind::forward;
  FoldSet set = FoldSet::one;
  std::int64_t size = 0;  ///< of blocks and lanes
  bool has_start = true;  ///< false: it begins with the first item
};

struct FoldLine {
  std::size_t region = 0;
  std::string source{}, start{};  ///< operands; start is empty where the line has none
  FoldOrder order{};
};

/// The line of the op's first result, through the choice that the profile takes.
Result<FoldLine> fold_line(const Context& context);

}  // namespace tiebreak::regions
