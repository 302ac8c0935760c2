// SPDX-License-Identifier: Apache-2.0
// Images of which two dimensions are resized: a place of the result sees one element along each of them, or two. Which ones, and what each counts, are formulas
// of the page (`at`, `weight`); what the dimensions are goes by the structure.
#pragma once
#include <map>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

/// One of the two dimensions.
struct ResizedDimension {
  std::size_t dimension;  ///< of the operand and of the result
  std::int64_t length, resized;
  std::map<std::string, Real> names{};  ///< what formulas see beside place, tap, length and resized
};

struct Resize {
  const StructureOperand* x;
  std::int64_t taps;  ///< along each of the two
  std::vector<ResizedDimension> dimensions{};
};

/// Of resize.tosa, resize.qnn and resize.tflite.
Result<Resize> read_resize_tosa(const StructureRequest& request);
Result<Resize> read_resize_qnn(const StructureRequest& request);
Result<Resize> read_resize_tflite(const StructureRequest& request);

/// Cells are the elements of the result, items the taps along rows and, fastest, along columns.
Result<Geometry> resized_image(const StructureRequest& request, const Resize& resize);

}  // namespace tiebreak::structure
