// SPDX-License-Identifier: Apache-2.0
// dot.migraphx(a, b, c): matrices of one rank with equal leading dimensions, which do not broadcast; c, where it is given, has the shape of the result.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {

Result<Geometry> dot_migraphx(const StructureRequest& request) {
  TIEBREAK_TRY(left, argument_operand(request, 0));
  TIEBREAK_TRY(right, argument_operand(request, 1));
  const Shape& a = left->type.shape;
  const Shape& b = right->type.shape;
  if (a.size() < 2 || a.size() != b.size())
    return malformed(request, "R1", fmt::format("{} and {} must have one rank of at least 2, got {} and {}", left->name, right->name, to_text(a), to_text(b)));
  if (!std::equal(a.begin(), a.end() - 2, b.begin()))
    return malformed(request, "B1", fmt::format("the leading dimensions of {} and {} differ: {} and {}", left->name, right->name, to_text(a), to_text(b)));
  TIEBREAK_TRY(geometry, dot_onnx(request));
  const StructureOperand* addend = request.arguments.size() < 3 ? nullptr : find_operand(request, request.arguments[2].name);
  if (addend == nullptr) return std::move(geometry);
  if (addend->type.shape != geometry.result_shape)
    return malformed(request, "C2", fmt::format("{} has shape {}, the product {}", addend->name, to_text(addend->type.shape), to_text(geometry.result_shape)));
  geometry.operands[addend->name] = geometry.result;
  return std::move(geometry);
}

}  // namespace tiebreak::structure
