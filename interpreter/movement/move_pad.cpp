// SPDX-License-Identifier: Apache-2.0
// move.pad(x, fill = v): x with places at both ends of each dimension and between its elements. Less than none at an end takes elements away.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_pad(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(low, steering(request, "edge_padding_low", shape.size(), "C2"));
  TIEBREAK_TRY(high, steering(request, "edge_padding_high", shape.size(), "C2"));
  TIEBREAK_TRY(interior, steering(request, "interior_padding", shape.size(), "C2"));
  if (const StructureOperand* value = find_operand(request, "padding_value"); value != nullptr && !value->type.shape.empty())
    return malformed(request, "I2", fmt::format("padding_value has shape {}, expected one value", to_text(value->type.shape)));
  Shape padded(shape.size());
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (interior[d] < 0) return malformed(request, "C3", fmt::format("interior_padding[{}] = {} is negative", d, interior[d]));
    // Both factors are far from overflow only once the interior is known to be reasonable.
    if (shape[d] > 1 && interior[d] > far_index / shape[d])
      return fail(Errc::limit, fmt::format("{}: interior_padding[{}] = {}", request.op, d, interior[d]), request.where);
    padded[d] = shape[d] + low[d] + std::max<std::int64_t>(shape[d] - 1, 0) * interior[d] + high[d];
    if (padded[d] < 0) return malformed(request, "C4", fmt::format("dimension {} of the result would have size {}", d, padded[d]));
    positions.push_back(at_cell(static_cast<int>(d)));
    positions[d].base = -low[d];
  }
  TIEBREAK_CHECK(check_stated_shape(request, padded, "C4"));
  TIEBREAK_TRY(geometry, cells_of_result(request, padded));
  Access access = make_access(shape, std::move(positions));
  access.may_miss = true;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    access.dimensions[d].divisor = interior[d] + 1;
    access.dimensions[d].division = Division::hole;
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
