// SPDX-License-Identifier: Apache-2.0
// What formulas see of the taps of a resized tensor beside the elements: numbers that belong to a place of the result along one dimension.
#pragma once
#include <optional>

#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// One dimension. `values` has an entry for each place and each of its taps, the taps fastest.
struct AlongDimension {
  int cell, item;  ///< coordinates of the place and of the tap; item -1: one number for all taps
  std::int64_t places, taps;
  std::vector<Real> values;
};

struct TapFacts {
  std::vector<AlongDimension> weights{};  ///< what a tap counts is the product of them: an entry for each dimension with several taps
  std::vector<AlongDimension> doubts{};   ///< by how much a place may lie elsewhere is the sum of them: an entry where that is not 0
  std::vector<AlongDimension> inside{};   ///< 1 where the place lies in x, else 0: an entry for each dimension that leaves x somewhere
};

/// Of resize.tosa, resize.qnn, resize.tflite and resize.onnx; nothing for other structures. Errors are those of build_geometry.
Result<std::optional<TapFacts>> tap_facts(const StructureRequest& request);

}  // namespace tiebreak::structure
