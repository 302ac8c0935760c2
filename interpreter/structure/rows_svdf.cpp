// SPDX-License-Identifier: Apache-2.0
// rows.svdf(state, column, weights): SVDF. A cell is a unit of an image of the batch; its bag are the `rank` lines of memory that the unit sums, place by
// place. The state is read one place further on, since a step moves each line towards the front; the last place of a line, to which nothing moves, reads
// itself, and the page takes the column there. A result that varies over the bag has the state's shape.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// For each place of lines of this length the place that a step moves there.
std::shared_ptr<const std::vector<std::int64_t>> moved_places(std::int64_t lines, std::int64_t memory) {
  std::vector<std::int64_t> places;
  for (std::int64_t place = 0; place < lines * memory; ++place) places.push_back(place % memory == memory - 1 ? place : place + 1);
  return std::make_shared<const std::vector<std::int64_t>>(std::move(places));
}

}  // namespace

Result<Geometry> rows_svdf(const StructureRequest& request) {
  TIEBREAK_TRY(state, argument_operand(request, 0));
  TIEBREAK_TRY(column, argument_operand(request, 1));
  TIEBREAK_TRY(weights, argument_operand(request, 2));
  TIEBREAK_TRY(rank, integer(request, "rank", 1));
  const Shape& lines = weights->type.shape;
  if (lines.size() != 2 || lines[1] < 1) return malformed(request, "", fmt::format("{} must be lines of memory, got {}", weights->name, to_text(lines)));
  const std::int64_t filters = lines[0], memory = lines[1];
  if (rank < 1 || filters % rank != 0) return malformed(request, "", fmt::format("{} filters make no units of rank {}", filters, rank));
  if (column->type.shape.size() != 2 || column->type.shape[1] != filters)
    return malformed(request, "",
                     fmt::format("{} has shape {}, expected one number for each of {} filters", column->name, to_text(column->type.shape), filters));
  const std::int64_t batch = column->type.shape[0];
  if (state->type.shape != Shape{batch, filters * memory})
    return malformed(request, "", fmt::format("{} has shape {}, expected {}", state->name, to_text(state->type.shape), to_text({batch, filters * memory})));
  Geometry geometry;
  geometry.has_bag = true;
  geometry.cell_extents = geometry.result_shape = {batch, filters / rank};
  geometry.item_extents = {rank, memory};
  geometry.fast_items = 1;
  geometry.indices = {{"batch", at_cell(0)}, {"channel", at_cell(1)}, {"feature", at_item(1)}};
  geometry.extents = {{"batch", batch}, {"channel", filters / rank}, {"feature", memory}};
  const Affine filter{.cell = {{1, rank}}, .item = {{0, 1}}};
  const Affine place{.cell = {{1, rank * memory}}, .item = {{0, memory}, {1, 1}}};
  geometry.item_result_shape = state->type.shape;
  geometry.item_result = make_access(state->type.shape, {at_cell(0), place});
  geometry.operands[state->name] = geometry.item_result;
  geometry.operands[state->name].dimensions[1].listed = moved_places(filters, memory);
  geometry.operands[column->name] = make_access(column->type.shape, {at_cell(0), filter});
  geometry.operands[weights->name] = make_access(lines, {filter, at_item(1)});
  geometry.result = make_access(geometry.result_shape, {at_cell(0), at_cell(1)});
  return geometry;
}

}  // namespace tiebreak::structure
