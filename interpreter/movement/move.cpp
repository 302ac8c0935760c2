// SPDX-License-Identifier: Apache-2.0
#include "interpreter/movement/move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tiebreak::structure {

std::int64_t near_index(const Tensor& indices, std::int64_t element) {
  const Real value = indices.value(element);
  const auto whole = value.to_int64();
  if (!whole) return value.sign() < 0 ? -far_index : far_index;
  return std::clamp(*whole, -far_index, far_index);
}

Result<Shape> steering(const StructureRequest& request, const std::string& name) {
  const StructureOperand* operand = find_operand(request, name);
  if (operand == nullptr) {
    TIEBREAK_TRY(values, integers(request, name, {}));
    for (std::int64_t& value : values) value = std::clamp(value, -far_index, far_index);
    return std::move(values);
  }
  if (operand->tensor == nullptr || !operand->type.element.is_integer() || operand->type.quantized || operand->type.shape.size() != 1)
    return malformed(request, "", fmt::format("{} must be a list of whole numbers, got {}", name, to_text(operand->type)));
  Shape values;
  for (std::int64_t i = 0; i < operand->tensor->size(); ++i) values.push_back(near_index(*operand->tensor, i));
  return values;
}

Result<Shape> steering(const StructureRequest& request, const std::string& name, std::size_t count, const std::string& label) {
  TIEBREAK_TRY(values, steering(request, name));
  if (values.size() != count) return malformed(request, label, fmt::format("{} has {} entries, expected {}", name, values.size(), count));
  return std::move(values);
}

Result<Shape> steering_argument(const StructureRequest& request, std::size_t position, std::size_t count, const std::string& label) {
  TIEBREAK_TRY(operand, argument_operand(request, position));
  return steering(request, operand->name, count, label);
}

Result<std::optional<Shape>> steered(const StructureRequest& request, std::size_t position, const std::string& attribute) {
  if (position < request.arguments.size()) {
    const std::string& name = request.arguments[position].name;
    if (find_operand(request, name) != nullptr) {
      TIEBREAK_TRY(values, steering(request, name));
      return std::optional(values);
    }
  }
  const auto found = request.attributes->find(attribute);
  if (found == request.attributes->end() || found->second.is_none()) return std::optional<Shape>();
  TIEBREAK_TRY(values, integers(request, attribute, {}));
  return std::optional(values);
}

Result<std::set<std::size_t>> axes_from_front(const StructureRequest& request, const Shape& axes, std::size_t rank) {
  std::set<std::size_t> from_front;
  const std::int64_t count = static_cast<std::int64_t>(rank);
  for (std::int64_t axis : axes) {
    if (axis < -count || axis >= count) return malformed(request, "", fmt::format("axis {} is outside the rank {}", axis, rank));
    if (!from_front.insert(static_cast<std::size_t>(axis < 0 ? axis + count : axis)).second)
      return malformed(request, "", fmt::format("axis {} is named twice", axis));
  }
  return from_front;
}

Result<std::size_t> axis_from_front(const StructureRequest& request, std::int64_t fallback, std::size_t rank) {
  TIEBREAK_TRY(given, integer(request, "axis", fallback));
  TIEBREAK_TRY(axes, axes_from_front(request, {given}, rank));
  return *axes.begin();
}

Result<Shape> stated_shape(const StructureRequest& request) {
  if (request.results.empty() || !request.results.front()) return malformed(request, "", "the type of the result must be stated");
  return request.results.front()->shape;
}

Status check_stated_shape(const StructureRequest& request, const Shape& shape, const std::string& label) {
  if (request.results.empty() || !request.results.front()) return {};
  const Shape& stated = request.results.front()->shape;
  bool fits = stated.size() == shape.size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = stated[d] < 0 || stated[d] == shape[d];
  if (fits) return {};
  return malformed(request, label, fmt::format("the result has shape {}, the operands give {}", to_text(stated), to_text(shape)));
}

Result<Geometry> cells_of_result(const StructureRequest& request, const Shape& shape) {
  TIEBREAK_CHECK(element_count(shape).map([](std::int64_t) {}));
  Geometry geometry;
  geometry.cell_extents = geometry.result_shape = shape;
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(shape, std::move(positions));
  for (const StructureOperand& operand : request.operands) geometry.operands[operand.name] = Access{};
  return geometry;
}

Result<Geometry> part_along(const StructureRequest& request, const StructureOperand& operand, std::size_t axis, std::int64_t first, std::int64_t length) {
  const Shape& shape = operand.type.shape;
  Shape part = shape;
  part[axis] = length;
  TIEBREAK_CHECK(check_stated_shape(request, part, ""));
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  places[axis].base = first;
  TIEBREAK_TRY(geometry, cells_of_result(request, part));
  geometry.operands[operand.name] = make_access(shape, std::move(places));
  return std::move(geometry);
}

std::int64_t slice_bound(std::int64_t index, std::int64_t extent, std::int64_t stride) {
  const std::int64_t from_front = index < 0 ? index + extent : index;
  return stride > 0 ? std::clamp<std::int64_t>(from_front, 0, extent) : std::clamp<std::int64_t>(from_front, -1, extent - 1);
}

std::int64_t slice_length(std::int64_t first, std::int64_t last, std::int64_t stride) {
  const std::int64_t way = stride > 0 ? last - first : first - last;
  return way <= 0 ? 0 : (way - 1) / std::abs(stride) + 1;
}

std::int64_t clamped_start(std::int64_t start, std::int64_t size, std::int64_t slice) { return std::max<std::int64_t>(0, std::min(start, size - slice)); }

Result<Shape> scalar_starts(const StructureRequest& request, const Shape& operand, const Shape& slice, const std::string& count_label,
                            const std::string& type_label) {
  Shape starts;
  const StructureOperand* first = find_operand(request, member_name("start_indices", 0));
  for (std::size_t d = 0; const StructureOperand* start = find_operand(request, member_name("start_indices", d)); ++d) {
    if (start->tensor == nullptr || !start->type.element.is_integer() || start->type.quantized || !start->type.shape.empty())
      return malformed(request, "", fmt::format("{} must be one whole number, got {}", start->name, to_text(start->type)));
    if (!(start->type.element == first->type.element))
      return malformed(request, type_label, fmt::format("{} is {}, {} is {}", first->name, to_text(first->type), start->name, to_text(start->type)));
    starts.push_back(near_index(*start->tensor, 0));
  }
  if (starts.size() != operand.size()) return malformed(request, count_label, fmt::format("{} start indices for rank {}", starts.size(), operand.size()));
  for (std::size_t d = 0; d < starts.size(); ++d) starts[d] = clamped_start(starts[d], operand[d], slice[d]);
  return starts;
}

}  // namespace tiebreak::structure
