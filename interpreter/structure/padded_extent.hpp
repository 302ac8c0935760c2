// SPDX-License-Identifier: Apache-2.0
// How much of a window lies in the operand and its padding: with ceil_mode the last windows may hang over the padding's end.
#pragma once
#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// One spatial dimension of a window: for each of its places, how many of the window's elements lie in the operand or its padding.
struct PaddedExtent {
  int coordinate;  ///< of the cell
  std::vector<std::int64_t> counts;
};

/// An entry for each spatial dimension of window.onnx and window.qnn; none for other structures. Errors are those of build_geometry.
Result<std::vector<PaddedExtent>> padded_extents(const StructureRequest& request);
/// Those of window.qnn.
Result<std::vector<PaddedExtent>> padded_extents_qnn(const StructureRequest& request);

}  // namespace tiebreak::structure
