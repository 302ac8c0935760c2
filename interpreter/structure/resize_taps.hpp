// SPDX-License-Identifier: Apache-2.0
// Tensors of which some dimensions are resized: a place of the result sees one element along each of them, or several. Which ones, and what each counts, are
// formulas of the page (`at`, `weight`); what the dimensions are goes by the structure.
#pragma once
#include <map>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

/// One of the resized dimensions.
struct ResizedDimension {
  std::size_t dimension;  ///< of the operand and of the result
  std::int64_t length, resized;
  std::map<std::string, Real> names{};  ///< what formulas see beside place, tap, length and resized
  std::int64_t taps = 1;                ///< elements that a place sees along it
};

struct Resize {
  const StructureOperand* x;
  std::vector<ResizedDimension> dimensions{};
  bool may_leave = false;  ///< `at` may give a place outside of x: then it is read at its nearest end, and `inside` is false there
};

/// Of resize.tosa, resize.qnn, resize.tflite and resize.onnx.
Result<Resize> read_resize_tosa(const StructureRequest& request);
Result<Resize> read_resize_qnn(const StructureRequest& request);
Result<Resize> read_resize_tflite(const StructureRequest& request);

/// Cells are the elements of the result, items the taps along the dimensions that have several, those of the last one fastest. Without such a dimension there
/// is no bag.
Result<Geometry> resized_image(const StructureRequest& request, const Resize& resize);

}  // namespace tiebreak::structure
