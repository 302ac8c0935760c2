// SPDX-License-Identifier: Apache-2.0
// resize.tflite(x, size, at = p), resize.tflite(x, size, at = p, weight = w): images with channels last whose rows and columns become as many as the operand
// says. A place of the result sees one element along each of the two, with a weight two.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/resize_taps.hpp"

namespace tiebreak::structure {

Result<Resize> read_resize_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(size, steering_argument(request, 1, 2, "E1"));
  Resize resize{.x = x};
  for (std::size_t s = 0; s < 2; ++s) {
    if (size[s] < 1 || size[s] > far || shape[s + 1] < 1) return malformed(request, "E1", fmt::format("{} places of {}", to_text(size), to_text(shape)));
    resize.dimensions.push_back({.dimension = s + 1, .length = shape[s + 1], .resized = size[s], .taps = request.has_weight ? 2 : 1});
  }
  return resize;
}

Result<Geometry> resize_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(resize, read_resize_tflite(request));
  TIEBREAK_TRY(geometry, resized_image(request, resize));
  geometry.operands[request.arguments[1].name] = Access{};  // read above, not by formulas
  return std::move(geometry);
}

}  // namespace tiebreak::structure
