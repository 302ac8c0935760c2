// SPDX-License-Identifier: Apache-2.0
// Proves from the formula where a scalar function rises or falls. Where a value wraps, changes its sign, leaves a range or takes another branch, the
// domain is cut there; the cut is found by bisection on that value, which is itself monotone on the piece.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/scalar_parts.hpp"

namespace tiebreak {

struct MonotonePiece {
  std::int64_t first, last;  ///< ordinals of the input
  int direction;             ///< 1 rises, -1 falls, 0 constant
};

struct MonotonePieces {
  std::vector<MonotonePiece> pieces{};
  std::string obstacle{};  ///< the formula whose direction is not known; then there are no pieces
};

Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, std::size_t limit);

}  // namespace tiebreak
