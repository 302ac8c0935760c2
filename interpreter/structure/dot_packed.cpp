// SPDX-License-Identifier: Apache-2.0
// dot.packed(x, w by n): rows of x against a matrix whose elements lie n in an entry of w: [N, K], transposed unless transB is 0. N and K are attributes;
// without them they are the first dimension of w and the length of x's rows. Where w is a line, the matrix's rows follow each other without a gap; else each
// has its own entries, w's dimensions behind the first, of which the last may hold more than the row needs.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// The stored matrix: how many rows and columns, and how far its rows are apart, in elements.
struct PackedMatrix {
  std::int64_t rows, columns, stride;
};

Result<PackedMatrix> packed_matrix(const StructureRequest& request, const Shape& x, const StructureOperand& w, std::int64_t pieces) {
  TIEBREAK_TRY(rows, integer(request, "N", w.type.shape.size() < 2 ? 0 : w.type.shape[0]));
  TIEBREAK_TRY(columns, integer(request, "K", x.empty() ? 0 : x.back()));
  if (rows < 1 || columns < 1 || rows > far || columns > far) return malformed(request, "", "N and K must be positive and at most 2^30");
  const Shape& shape = w.type.shape;
  TIEBREAK_TRY(entries, element_count(shape));
  const bool line = shape.size() == 1;
  const std::int64_t stride = line ? columns : product(shape, 1, shape.size()) * pieces;
  const bool holds = line ? entries * pieces >= rows * columns : !shape.empty() && shape[0] == rows && stride >= columns;
  if (!holds) return malformed(request, "", fmt::format("{} with shape {} does not hold {} rows of {} elements", w.name, to_text(shape), rows, columns));
  return PackedMatrix{rows, columns, stride};
}

}  // namespace

Result<Geometry> dot_packed(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const std::int64_t pieces = std::max<std::int64_t>(1, request.arguments[1].block);
  TIEBREAK_TRY(matrix, packed_matrix(request, x->type.shape, *w, pieces));
  TIEBREAK_TRY(transposed, integer(request, "transB", 1));
  const std::int64_t depth = transposed != 0 ? matrix.columns : matrix.rows, units = transposed != 0 ? matrix.rows : matrix.columns;
  const Shape& shape = x->type.shape;
  if (shape.empty() || shape.back() != depth) return malformed(request, "", fmt::format("{} with shape {} has no rows of {}", x->name, to_text(shape), depth));
  const std::int64_t rows = product(shape, 0, shape.size() - 1);
  Geometry geometry = rows_by_units(rows, depth, units);
  geometry.result_shape = shape;
  geometry.result_shape.back() = units;
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  geometry.operands[x->name] = make_access({rows, depth}, {at_cell(0), at_item(0)});
  const Affine down = transposed != 0 ? at_cell(1) : at_item(0), across = transposed != 0 ? at_item(0) : at_cell(1);
  if (w->type.shape.size() == 1) {
    Affine place = across;
    for (Affine::Part part : down.cell) place.cell.push_back({part.coordinate, matrix.stride});
    for (Affine::Part part : down.item) place.item.push_back({part.coordinate, matrix.stride});
    geometry.operands[w->name] = make_access(w->type.shape, {std::move(place)});
  } else {
    geometry.operands[w->name] = make_access({matrix.rows, matrix.stride / pieces}, {down, across});
  }
  geometry.operands[w->name].dimensions.back().divisor = pieces;
  return geometry;
}

}  // namespace tiebreak::structure
