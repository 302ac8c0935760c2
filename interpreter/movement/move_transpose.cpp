// SPDX-License-Identifier: Apache-2.0
// move.transpose(x): dimension d of the result is dimension permutation[d] of x.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> transposed(const StructureRequest& request, const StructureOperand& operand, const Shape& permutation) {
  const Shape& shape = operand.type.shape;
  Shape moved;
  std::vector<Affine> positions(shape.size());
  Shape sorted = permutation;
  std::ranges::sort(sorted);
  bool whole = sorted.size() == shape.size();
  for (std::size_t d = 0; whole && d < sorted.size(); ++d) whole = sorted[d] == static_cast<std::int64_t>(d);
  if (!whole) return malformed(request, "C2", fmt::format("permutation = {} is no permutation of {} dimensions", to_text(permutation), shape.size()));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::size_t from = static_cast<std::size_t>(permutation[d]);
    moved.push_back(shape[from]);
    positions[from] = at_cell(static_cast<int>(d));
  }
  TIEBREAK_CHECK(check_stated_shape(request, moved, "C3"));
  TIEBREAK_TRY(geometry, cells_of_result(request, moved));
  geometry.operands[operand.name] = make_access(shape, std::move(positions));
  return std::move(geometry);
}

Result<Geometry> move_transpose(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(permutation, integers(request, "permutation", {}));
  return transposed(request, *operand, permutation);
}

}  // namespace tiebreak::structure
