// SPDX-License-Identifier: Apache-2.0
// Proves from the formula where a scalar function rises or falls. Where a value wraps, changes its sign, leaves a range or takes another branch, the
// domain is cut there; the cut is found by bisection on that value, which is itself monotone on the piece.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stairs/scalar_parts.hpp"

namespace tiebreak {

/// Inputs one after another: the value at each place from first to last.
struct InputRun {
  std::function<Real(std::int64_t)> value;
  std::int64_t first, last;
  bool falls = false;  ///< the value does from place to place
};

struct MonotonePiece {
  std::int64_t first, last;  ///< ordinals of the input, or places of a run
  int direction;             ///< 1 rises, -1 falls, 0 constant
  bool periodic = false;     ///< wraps too often to be cut; of runs only
};

struct MonotonePieces {
  std::vector<MonotonePiece> pieces{};
  std::string obstacle{};  ///< the formula whose direction is not known; then there are no pieces
};

Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, std::size_t limit);
/// On a run of inputs; what wraps more than `limit` times is one piece, marked as periodic.
Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, const InputRun& run, std::size_t limit);

}  // namespace tiebreak
