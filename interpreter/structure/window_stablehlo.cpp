// SPDX-License-Identifier: Apache-2.0
// window.stablehlo: windows over all dimensions, as reduce_window and select_and_scatter have them. Strides, padding (negative too), and dilation of
// the operand and of the window. Cells are windows, items the places of one; what lies outside the operand or between its dilated elements is a hole.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// The constraint labels of the two ops, in the order size, positive.
struct Labels {
  const char* dimensions[2];
  const char* strides[2];
  const char* base[2];
  const char* dilations[2];
  const char* padding;
};
constexpr Labels reduce_labels{{"C4", "C5"}, {"C6", "C7"}, {"C8", "C9"}, {"C10", "C11"}, "C12"};
constexpr Labels select_labels{{"C4", "C5"}, {"C6", "C7"}, {"", ""}, {"", ""}, "C8"};

Result<Shape> positive(const StructureRequest& request, const std::string& name, const Shape& fallback, std::size_t rank, const char* const (&labels)[2]) {
  TIEBREAK_TRY(values, integers(request, name, fallback));
  if (values.size() != rank) return malformed(request, labels[0], fmt::format("{} needs {} entries, got {}", name, rank, values.size()));
  for (std::int64_t value : values) {
    if (value < 1) return malformed(request, labels[1], fmt::format("{} must be positive, got {}", name, value));
    if (value > far) return fail(Errc::limit, fmt::format("{}: {} beyond 2^30", request.op, name), request.where);
  }
  return values;
}

/// Rows of two: before and after each dimension.
Result<std::vector<std::pair<std::int64_t, std::int64_t>>> pads(const StructureRequest& request, std::size_t rank, const char* label) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result(rank, {0, 0});
  auto found = request.attributes->find("padding");
  if (found == request.attributes->end() || found->second.is_none()) return result;
  const AttributeList* list = std::get_if<AttributeList>(&found->second.value);
  if (list == nullptr || list->size() != rank) return malformed(request, label, fmt::format("padding must have {} pairs", rank));
  for (std::size_t d = 0; d < rank; ++d) {
    auto pair = (*list)[d].as_integers();
    if (!pair || pair->size() != 2) return malformed(request, label, "padding must be pairs of integers");
    if (std::abs((*pair)[0]) > far || std::abs((*pair)[1]) > far) return fail(Errc::limit, fmt::format("{}: padding beyond 2^30", request.op), request.where);
    result[d] = {(*pair)[0], (*pair)[1]};
  }
  return result;
}

}  // namespace

Result<Geometry> window_stablehlo(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  const std::size_t rank = shape.size();
  const Shape ones(rank, 1);
  const bool selects = request.op == "stablehlo.select_and_scatter";
  const Labels& labels = selects ? select_labels : reduce_labels;
  TIEBREAK_TRY(window, positive(request, "window_dimensions", {}, rank, labels.dimensions));
  TIEBREAK_TRY(strides, positive(request, "window_strides", ones, rank, labels.strides));
  TIEBREAK_TRY(base, positive(request, "base_dilations", ones, rank, labels.base));
  TIEBREAK_TRY(dilations, positive(request, "window_dilations", ones, rank, labels.dilations));
  TIEBREAK_TRY(padding, pads(request, rank, labels.padding));
  Geometry geometry;
  geometry.has_bag = true;
  std::vector<Affine> positions(rank), result_positions(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t dilated = shape[d] == 0 ? 0 : (shape[d] - 1) * base[d] + 1;
    const std::int64_t padded = padding[d].first + dilated + padding[d].second;
    const std::int64_t reach = (window[d] - 1) * dilations[d] + 1;
    const int coordinate = static_cast<int>(d);
    geometry.cell_extents.push_back(padded <= 0 || reach > padded ? 0 : (padded - reach) / strides[d] + 1);
    geometry.item_extents.push_back(window[d]);
    positions[d] = Affine{.base = -padding[d].first, .cell = {{coordinate, strides[d]}}, .item = {{coordinate, dilations[d]}}};
    result_positions[d] = at_cell(coordinate);
  }
  TIEBREAK_CHECK(element_count(geometry.cell_extents).map([](std::int64_t) {}));
  TIEBREAK_CHECK(element_count(geometry.item_extents).map([](std::int64_t) {}));
  geometry.taps = geometry.items();
  geometry.result_shape = geometry.cell_extents;
  Access access = make_access(shape, std::move(positions));
  for (std::size_t d = 0; d < rank; ++d) {
    access.dimensions[d].divisor = base[d];
    access.dimensions[d].division = Division::hole;
  }
  access.may_miss = true;
  geometry.operands[operand->name] = std::move(access);
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

}  // namespace tiebreak::structure
