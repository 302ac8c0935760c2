// SPDX-License-Identifier: Apache-2.0
// dot.onnx: numpy's matmul, vectors and broadcast batches included; transA and transB exchange the last two dimensions, as Gemm has them, and so do adj_x and
// adj_y of TensorFlow. dot.stablehlo:
// dot_general by its dimension lists.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

void name_index(Geometry& geometry, const std::string& name, Affine position, std::int64_t extent) {
  geometry.indices[name] = std::move(position);
  geometry.extents[name] = extent;
}

/// Whether a matrix is transposed: by the attribute of ONNX, or by that of TensorFlow.
Result<std::int64_t> turned(const StructureRequest& request, const char* name, const char* of_tensorflow) {
  TIEBREAK_TRY(value, integer(request, of_tensorflow, 0));
  return integer(request, name, value);
}

}  // namespace

Geometry rows_by_units(std::int64_t rows, std::int64_t depth, std::int64_t units) {
  Geometry geometry;
  geometry.has_bag = true;
  geometry.item_extents = {depth};
  geometry.fast_items = 1;
  geometry.cell_extents = {rows, units};
  name_index(geometry, "feature", at_item(0), depth);
  name_index(geometry, "row", at_cell(0), rows);
  name_index(geometry, "channel", at_cell(1), units);
  geometry.result = make_access({rows, units}, {at_cell(0), at_cell(1)});
  return geometry;
}

Result<Geometry> dot_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(left, argument_operand(request, 0));
  TIEBREAK_TRY(right, argument_operand(request, 1));
  const Shape& a = left->type.shape;
  const Shape& b = right->type.shape;
  if (a.empty() || b.empty()) return malformed(request, "", fmt::format("{} and {} must have at least one dimension", left->name, right->name));
  TIEBREAK_TRY(a_turned, turned(request, "transA", "adj_x"));
  TIEBREAK_TRY(b_turned, turned(request, "transB", "adj_y"));
  if ((a_turned != 0 && a.size() < 2) || (b_turned != 0 && b.size() < 2)) return malformed(request, "", "a vector cannot be transposed");
  // Where rows, columns and the contracted positions of both lie.
  const std::size_t a_row = a.size() - (a_turned != 0 ? 1 : 2), a_depth = a.size() - (a_turned != 0 ? 2 : 1);
  const std::size_t b_column = b.size() - (b_turned != 0 ? 2 : 1), b_depth = b.size() == 1 ? 0 : b.size() - (b_turned != 0 ? 1 : 2);
  const std::int64_t depth = a[a_depth];
  if (depth != b[b_depth])
    return malformed(request, "", fmt::format("the inner dimensions of {} and {} differ: {} and {}", left->name, right->name, to_text(a), to_text(b)));
  const std::size_t a_batch = a.size() < 2 ? 0 : a.size() - 2;
  const std::size_t b_batch = b.size() < 2 ? 0 : b.size() - 2;
  const std::size_t batch = std::max(a_batch, b_batch);
  Geometry geometry;
  geometry.has_bag = true;
  geometry.item_extents = {depth};
  geometry.fast_items = 1;
  std::vector<Affine> a_positions(a.size());
  std::vector<Affine> b_positions(b.size());
  for (std::size_t d = 0; d < batch; ++d) {
    auto extent_of = [&](const Shape& shape, std::size_t rank) { return d + rank < batch ? std::int64_t{1} : shape[d + rank - batch]; };
    const std::int64_t x = extent_of(a, a_batch);
    const std::int64_t y = extent_of(b, b_batch);
    if (x != y && x != 1 && y != 1) return malformed(request, "", fmt::format("batch dimensions of {} and {} do not broadcast", to_text(a), to_text(b)));
    if (x != 1) a_positions[d + a_batch - batch] = at_cell(static_cast<int>(d));
    if (y != 1) b_positions[d + b_batch - batch] = at_cell(static_cast<int>(d));
    geometry.cell_extents.push_back(x == 1 ? y : x);
  }
  geometry.extents["batch rank"] = static_cast<std::int64_t>(batch);
  a_positions[a_depth] = at_item(0);
  b_positions[b_depth] = at_item(0);
  name_index(geometry, "feature", at_item(0), depth);
  name_index(geometry, "row", {}, 1);
  name_index(geometry, "channel", {}, 1);
  if (a.size() > 1) {
    const int cell = static_cast<int>(geometry.cell_extents.size());
    geometry.cell_extents.push_back(a[a_row]);
    a_positions[a_row] = at_cell(cell);
    name_index(geometry, "row", at_cell(cell), a[a_row]);
  }
  if (b.size() > 1) {
    const int cell = static_cast<int>(geometry.cell_extents.size());
    geometry.cell_extents.push_back(b[b_column]);
    b_positions[b_column] = at_cell(cell);
    name_index(geometry, "channel", at_cell(cell), b[b_column]);
  }
  geometry.result_shape = geometry.cell_extents;
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.operands[left->name] = make_access(a, std::move(a_positions));
  geometry.operands[right->name] = make_access(b, std::move(b_positions));
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < geometry.result_shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

Result<Geometry> dot_stablehlo(const StructureRequest& request) {
  TIEBREAK_TRY(left, argument_operand(request, 0));
  TIEBREAK_TRY(right, argument_operand(request, 1));
  struct Side {
    const Shape* shape;
    Shape batching, contracting;
    std::vector<Affine> positions;
    std::vector<bool> used;
  };
  auto side = [&](const StructureOperand& operand, const std::string& prefix) -> Result<Side> {
    TIEBREAK_TRY(batching, integers(request, prefix + "_batching_dimensions", {}));
    TIEBREAK_TRY(contracting, integers(request, prefix + "_contracting_dimensions", {}));
    Side result{&operand.type.shape, batching, contracting, std::vector<Affine>(operand.type.shape.size()),
                std::vector<bool>(operand.type.shape.size(), false)};
    const char* range = prefix == "lhs" ? "C5" : "C7";
    for (const Shape* list : {&result.batching, &result.contracting})
      for (std::int64_t axis : *list) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(operand.type.shape.size()))
          return malformed(request, range, fmt::format("dimension {} of {} does not exist", axis, operand.name));
        if (result.used[static_cast<std::size_t>(axis)])
          return malformed(request, prefix == "lhs" ? "C3" : "C4", fmt::format("dimension {} of {} is listed twice", axis, operand.name));
        result.used[static_cast<std::size_t>(axis)] = true;
      }
    return result;
  };
  TIEBREAK_TRY(lhs, side(*left, "lhs"));
  TIEBREAK_TRY(rhs, side(*right, "rhs"));
  if (lhs.batching.size() != rhs.batching.size()) return malformed(request, "C1", "lhs and rhs have different numbers of batching dimensions");
  if (lhs.contracting.size() != rhs.contracting.size()) return malformed(request, "C2", "lhs and rhs have different numbers of contracting dimensions");
  Geometry geometry;
  geometry.has_bag = true;
  auto size = [](const Side& s, std::int64_t axis) { return (*s.shape)[static_cast<std::size_t>(axis)]; };
  for (std::size_t i = 0; i < lhs.batching.size(); ++i) {
    if (size(lhs, lhs.batching[i]) != size(rhs, rhs.batching[i]))
      return malformed(request, "C9", fmt::format("batching dimensions {} and {} differ", lhs.batching[i], rhs.batching[i]));
    const int cell = static_cast<int>(geometry.cell_extents.size());
    lhs.positions[static_cast<std::size_t>(lhs.batching[i])] = at_cell(cell);
    rhs.positions[static_cast<std::size_t>(rhs.batching[i])] = at_cell(cell);
    geometry.cell_extents.push_back(size(lhs, lhs.batching[i]));
  }
  for (std::size_t i = 0; i < lhs.contracting.size(); ++i) {
    if (size(lhs, lhs.contracting[i]) != size(rhs, rhs.contracting[i]))
      return malformed(request, "C10", fmt::format("contracting dimensions {} and {} differ", lhs.contracting[i], rhs.contracting[i]));
    const int item = static_cast<int>(geometry.item_extents.size());
    lhs.positions[static_cast<std::size_t>(lhs.contracting[i])] = at_item(item);
    rhs.positions[static_cast<std::size_t>(rhs.contracting[i])] = at_item(item);
    geometry.item_extents.push_back(size(lhs, lhs.contracting[i]));
  }
  geometry.fast_items = geometry.item_extents.empty() ? 0 : 1;
  for (Side* s : {&lhs, &rhs})
    for (std::size_t d = 0; d < s->shape->size(); ++d) {
      if (s->used[d]) continue;
      s->positions[d] = at_cell(static_cast<int>(geometry.cell_extents.size()));
      geometry.cell_extents.push_back((*s->shape)[d]);
    }
  geometry.result_shape = geometry.cell_extents;
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.operands[left->name] = make_access(*lhs.shape, std::move(lhs.positions));
  geometry.operands[right->name] = make_access(*rhs.shape, std::move(rhs.positions));
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < geometry.result_shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

}  // namespace tiebreak::structure
