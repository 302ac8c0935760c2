// SPDX-License-Identifier: Apache-2.0
// move.broadcast_in_dim(x): dimension d of x lies along dimension broadcast_dimensions[d] of the result; one of size 1 is repeated.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// The result's shape: output_dimensions where the op has them, else as stated.
Result<Shape> broadcast_shape(const StructureRequest& request) {
  if (find_operand(request, "output_dimensions") == nullptr) return stated_shape(request);
  TIEBREAK_TRY(shape, steering(request, "output_dimensions"));
  TIEBREAK_CHECK(check_stated_shape(request, shape, "C7"));
  return std::move(shape);
}

/// What the op says of dimensions that surely expand or surely do not.
Status check_known(const StructureRequest& request, std::int64_t rank) {
  TIEBREAK_TRY(known, integers(request, "known_expanding_dimensions", {}));
  TIEBREAK_TRY(others, integers(request, "known_nonexpanding_dimensions", {}));
  const std::size_t expanding = known.size();
  known.insert(known.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (std::ranges::count(known, known[i]) > 1)
      return malformed(request, "C8", fmt::format("dimension {} is named twice as known to expand or not", known[i]));
    if (known[i] < 0 || known[i] >= rank)
      return malformed(request, i < expanding ? "C9" : "C10", fmt::format("dimension {} is outside the rank {}", known[i], rank));
  }
  return {};
}

}  // namespace

Result<Geometry> move_broadcast_in_dim(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(wanted, broadcast_shape(request));
  const std::int64_t rank = static_cast<std::int64_t>(wanted.size());
  TIEBREAK_TRY(along, integers(request, "broadcast_dimensions", {}));
  if (along.size() != shape.size()) return malformed(request, "C2", fmt::format("broadcast_dimensions has {} entries for rank {}", along.size(), shape.size()));
  std::vector<Affine> positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (along[d] < 0 || along[d] >= rank)
      return malformed(request, "C3", fmt::format("broadcast_dimensions[{}] = {} is outside the rank {} of the result", d, along[d], rank));
    if (std::ranges::count(along, along[d]) > 1) return malformed(request, "C4", fmt::format("broadcast_dimensions names {} twice", along[d]));
    const std::int64_t extent = wanted[static_cast<std::size_t>(along[d])];
    if (shape[d] != 1 && shape[d] != extent)
      return malformed(request, "C5", fmt::format("dimension {} has size {}, dimension {} of the result {}", d, shape[d], along[d], extent));
    if (shape[d] != 1) positions[d] = at_cell(static_cast<int>(along[d]));
  }
  TIEBREAK_CHECK(check_known(request, static_cast<std::int64_t>(shape.size())));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  geometry.operands[operand->name] = make_access(shape, std::move(positions));
  return std::move(geometry);
}

}  // namespace tiebreak::structure
