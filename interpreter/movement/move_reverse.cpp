// SPDX-License-Identifier: Apache-2.0
// move.reverse(x): the named dimensions of x run backwards. move.reverse_tflite(x, axes): those that an operand names, which follow each other.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

void run_backwards(Access& access, std::size_t d, const Shape& shape) {
  access.dimensions[d].position = at_cell(static_cast<int>(d), -1);
  access.dimensions[d].position.base = shape[d] - 1;
}

}  // namespace

Result<Geometry> move_reverse(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  TIEBREAK_TRY(reversed, integers(request, "dimensions", {}));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C1"));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  Access access = geometry.result;
  for (std::int64_t d : reversed) {
    if (std::ranges::count(reversed, d) > 1) return malformed(request, "C2", fmt::format("dimensions names {} twice", d));
    if (d < 0 || d >= rank) return malformed(request, "C3", fmt::format("dimension {} is outside the rank {}", d, rank));
    run_backwards(access, static_cast<std::size_t>(d), shape);
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

Result<Geometry> move_reverse_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(numbers, argument_operand(request, 1));
  TIEBREAK_TRY(given, steering(request, numbers->name));
  TIEBREAK_TRY(axes, axes_from_front(request, given, shape.size()));
  if (!axes.empty() && *axes.rbegin() - *axes.begin() + 1 != axes.size())
    return malformed(request, "E1", fmt::format("{} do not follow each other", to_text(given)));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "E2"));
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  Access access = geometry.result;
  for (std::size_t d : axes) run_backwards(access, d, shape);
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
