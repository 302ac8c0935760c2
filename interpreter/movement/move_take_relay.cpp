// SPDX-License-Identifier: Apache-2.0
// move.take_relay(x, indices, at = p): the slices of x along `axis` that the indices name, or, without an axis, elements of x as one line. Which slice an index
// names is a formula of the page, for `place` (the index) and `length` (the extent of the axis); outside of x there is no element. The first `batch_dims`
// dimensions are common to both operands.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// What is taken from: x, or all of it as one line.
struct Taken {
  Shape shape;
  std::size_t axis = 0, batch = 0;
};

Result<Taken> read(const StructureRequest& request, const Shape& x, const Shape& indices) {
  const auto given = request.attributes->find("axis");
  TIEBREAK_TRY(batch, integer(request, "batch_dims", 0));
  if (given == request.attributes->end() || given->second.is_none()) {
    TIEBREAK_TRY(count, element_count(x));
    if (batch != 0) return malformed(request, "", "batch_dims without an axis");
    return Taken{.shape = {count}};
  }
  TIEBREAK_TRY(axis, axis_from_front(request, 0, x.size()));
  Taken taken{.shape = x, .axis = axis};
  const std::int64_t common = batch < 0 ? batch + static_cast<std::int64_t>(indices.size()) : batch;
  if (common < 0 || common > static_cast<std::int64_t>(std::min(indices.size(), taken.axis)))
    return malformed(request, "", fmt::format("batch_dims is {} for axis {} and {} dimensions of indices", batch, taken.axis, indices.size()));
  taken.batch = static_cast<std::size_t>(common);
  for (std::size_t d = 0; d < taken.batch; ++d)
    if (x[d] != indices[d]) return malformed(request, "", fmt::format("dimension {} is {} and {}", d, x[d], indices[d]));
  return taken;
}

/// Each index as a place along the axis. What is outside becomes -1.
Result<std::shared_ptr<const std::vector<std::int64_t>>> listed_places(const StructureRequest& request, const StructureOperand& indices, std::int64_t length) {
  if (indices.tensor == nullptr || !indices.type.element.is_integer()) return malformed(request, "", fmt::format("{} must be whole numbers", indices.name));
  auto places = std::make_shared<std::vector<std::int64_t>>();
  std::map<std::int64_t, std::int64_t> known;
  for (std::int64_t i = 0; i < indices.tensor->size(); ++i) {
    const std::int64_t index = near_index(*indices.tensor, i);
    if (!known.contains(index)) {
      TIEBREAK_TRY(value, request.formula("at", {{"place", indices.tensor->value(i)}, {"length", Real(length)}}));
      const auto place = value.to_int64();
      known[index] = place && *place >= 0 && *place < length ? *place : -1;
    }
    places->push_back(known[index]);
  }
  return places;
}

}  // namespace

Result<Geometry> move_take_relay(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(indices, argument_operand(request, 1));
  const Shape& chosen = indices->type.shape;
  TIEBREAK_TRY(taken, read(request, x->type.shape, chosen));
  TIEBREAK_TRY(places, listed_places(request, *indices, taken.shape[taken.axis]));
  // The result: the dimensions before the axis, those of the indices behind the common ones, the dimensions behind the axis.
  Shape wanted(taken.shape.begin(), taken.shape.begin() + static_cast<std::ptrdiff_t>(taken.axis));
  wanted.insert(wanted.end(), chosen.begin() + static_cast<std::ptrdiff_t>(taken.batch), chosen.end());
  wanted.insert(wanted.end(), taken.shape.begin() + static_cast<std::ptrdiff_t>(taken.axis) + 1, taken.shape.end());
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  const std::size_t behind = taken.axis + chosen.size() - taken.batch;  // where the last dimensions begin
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < taken.shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d <= taken.axis ? d : behind + d - taken.axis - 1)));
  const std::vector<std::int64_t> strides = row_major_strides(chosen);
  positions[taken.axis] = Affine{};
  for (std::size_t i = 0; i < chosen.size(); ++i)
    positions[taken.axis].cell.push_back({static_cast<int>(i < taken.batch ? i : taken.axis + i - taken.batch), strides[i]});
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  Access access = make_access(taken.shape, std::move(positions));
  access.may_miss = std::ranges::find(*places, -1) != places->end();
  if (geometry.cells() > 0) access.dimensions[taken.axis].listed = places;
  geometry.operands[x->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
