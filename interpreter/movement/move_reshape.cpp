// SPDX-License-Identifier: Apache-2.0
// move.reshape(x): the same elements in the same row-major order. Cells are therefore the places of x; where they lie in the result is affine for
// a dimension that x has too, between as many elements, and else read from a list.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// The result's shape: output_shape where the op has it, else as stated.
Result<Shape> wanted_shape(const StructureRequest& request) {
  if (find_operand(request, "output_shape") == nullptr) return stated_shape(request);
  TIEBREAK_TRY(shape, steering(request, "output_shape"));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C4"));
  return std::move(shape);
}

/// C3: what lies before, in and after the dimension of the parameters has the same sizes.
Status check_quantized_dimension(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted) {
  if (request.results.empty() || !request.results.front() || !request.results.front()->quantized || !operand.type.quantized) return {};
  const QuantizedType &from = *operand.type.quantized, &to = *request.results.front()->quantized;
  if (from.is_per_tensor() || to.is_per_tensor()) return {};
  const Shape& shape = operand.type.shape;
  const std::size_t a = static_cast<std::size_t>(from.dimensions.front().axis), b = static_cast<std::size_t>(to.dimensions.front().axis);
  if (b < wanted.size() && product(shape, 0, a) == product(wanted, 0, b) && shape[a] == wanted[b] &&
      product(shape, a + 1, shape.size()) == product(wanted, b + 1, wanted.size()))
    return {};
  return malformed(request, "C3",
                   fmt::format("parameters along dimension {} of {} cannot lie along dimension {} of {}", a, to_text(shape), b, to_text(wanted)));
}

/// Where a cell lies along dimension d of the result.
AccessDimension place_along(const Shape& shape, const Shape& wanted, std::size_t d) {
  AccessDimension place{.position = {}, .size = wanted[d], .stride = product(wanted, d + 1, wanted.size())};
  if (wanted[d] == 1) return place;
  for (std::size_t own = 0; own < shape.size(); ++own)
    if (shape[own] == wanted[d] && product(shape, own + 1, shape.size()) == place.stride) {
      place.position = at_cell(static_cast<int>(own));
      return place;
    }
  auto positions = std::make_shared<std::vector<std::int64_t>>();
  const std::int64_t count = product(shape, 0, shape.size());
  for (std::int64_t flat = 0; flat < count; ++flat) positions->push_back(flat / place.stride % wanted[d]);
  for (std::size_t own = 0; own < shape.size(); ++own) place.position.cell.push_back({static_cast<int>(own), product(shape, own + 1, shape.size())});
  place.listed = std::move(positions);
  return place;
}

}  // namespace

Result<Geometry> reshaped(const StructureRequest& request, const StructureOperand& operand, const Shape& wanted) {
  const Shape& shape = operand.type.shape;
  TIEBREAK_TRY(geometry, cells_of_result(request, shape));
  for (std::int64_t extent : wanted)
    if (extent < 0) return malformed(request, "", fmt::format("the shape {} of the result is not known", to_text(wanted)));
  TIEBREAK_TRY(count, element_count(wanted));
  if (count != geometry.cells()) return malformed(request, "C2", fmt::format("{} elements cannot have the shape {}", geometry.cells(), to_text(wanted)));
  TIEBREAK_CHECK(check_quantized_dimension(request, operand, wanted));
  geometry.operands[operand.name] = geometry.result;
  geometry.result_shape = wanted;
  geometry.result = Access{};
  for (std::size_t d = 0; d < wanted.size(); ++d) geometry.result.dimensions.push_back(place_along(shape, wanted, d));
  return std::move(geometry);
}

Result<Geometry> move_reshape(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(wanted, wanted_shape(request));
  return reshaped(request, *operand, wanted);
}

}  // namespace tiebreak::structure
