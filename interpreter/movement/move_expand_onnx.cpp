// SPDX-License-Identifier: Apache-2.0
// move.expand_onnx(x, shape): x repeated so that it has the shape that x and `shape` broadcast to; move.expand_tflite(x, shape) the shape itself. move.line(n):
// nothing moves; the result is a line of n elements, which formulas tell apart by `index`.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {

Result<Geometry> move_expand_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(given, steered(request, 1, "shape"));
  if (!given) return malformed(request, "", "the shape is neither an operand nor an attribute");
  const bool exact = request.path.ends_with("_tflite");  // 1 in the shape is 1 in the result
  const std::string label = exact ? "E1" : "";
  const Shape& shape = operand->type.shape;
  Shape wanted = *given;
  if (wanted.size() < shape.size() && exact) return malformed(request, label, fmt::format("{} has more dimensions than {}", to_text(shape), to_text(*given)));
  if (wanted.size() < shape.size()) wanted.insert(wanted.begin(), shape.size() - wanted.size(), 1);
  const std::size_t ahead = wanted.size() - shape.size();
  std::vector<Affine> places(shape.size());
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (wanted[d] < 0) return malformed(request, "", fmt::format("{} is no shape", to_text(*given)));
    if (d < ahead) continue;
    const std::int64_t own = shape[d - ahead];
    if (wanted[d] == 1 && !exact) wanted[d] = own;
    if (own != 1 && own != wanted[d])
      return malformed(request, label, fmt::format("shape {} of {} does not broadcast with {}", to_text(shape), operand->name, to_text(*given)));
    if (own != 1) places[d - ahead] = at_cell(static_cast<int>(d));
  }
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

Result<Geometry> move_line(const StructureRequest& request) {
  if (request.arguments.size() != 1 || request.arguments[0].values.size() != 1 || request.arguments[0].values[0] < 0)
    return malformed(request, "", "the length of the line must be one whole number from 0 up");
  const Shape shape{request.arguments[0].values[0]};
  TIEBREAK_CHECK(check_stated_shape(request, shape, ""));
  return cells_of_result(request, shape);
}

}  // namespace tiebreak::structure
