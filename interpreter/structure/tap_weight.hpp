// SPDX-License-Identifier: Apache-2.0
// What a tap counts: the product of one number for each resized dimension, which belongs to a place of the result and one of its taps.
#pragma once
#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// One dimension. `weights` has an entry for each place and each of its taps, the taps fastest.
struct TapWeight {
  int cell, item;  ///< coordinates of the place and of the tap
  std::int64_t places, taps;
  std::vector<Real> weights;
};

/// An entry for each resized dimension of resize.tosa and resize.qnn; none for other structures. Errors are those of build_geometry.
Result<std::vector<TapWeight>> tap_weights(const StructureRequest& request);

}  // namespace tiebreak::structure
