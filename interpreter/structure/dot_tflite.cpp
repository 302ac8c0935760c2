// SPDX-License-Identifier: Apache-2.0
// dot.tflite(x, w): FULLY_CONNECTED. w is [units, depth]; the elements of x are taken as rows of `depth`, which with keep_num_dims are its last dimension.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
Result<Geometry> dot_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const Shape &shape = x->type.shape, &weights = w->type.shape;
  TIEBREAK_TRY(keep, integer(request, "keep_num_dims", 0));
  if (weights.size() != 2) return malformed(request, "", fmt::format("{} must have rank 2, got {}", w->name, to_text(weights)));
  const std::int64_t units = weights[0], depth = weights[1];
  TIEBREAK_TRY(count, element_count(shape));
  const bool fits = keep != 0 ? !shape.empty() && shape.back() == depth : depth > 0 && count % depth == 0;
  if (!fits) return malformed(request, "", fmt::format("{} with shape {} has no rows of {}", x->name, to_text(shape), depth));
  const std::int64_t rows = depth == 0 ? 0 : count / depth;
  Geometry geometry = rows_by_units(rows, depth, units);
  geometry.result_shape = {rows, units};
  if (keep != 0) {
    geometry.result_shape = shape;
    geometry.result_shape.back() = units;
  }
  geometry.operands[x->name] = make_access({rows, depth}, {at_cell(0), at_item(0)});
  geometry.operands[w->name] = make_access(weights, {at_cell(1), at_item(0)});
  return geometry;
}

}  // namespace tiebreak::structure
