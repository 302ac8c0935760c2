// SPDX-License-Identifier: Apache-2.0
// resize.qnn(x, at = p, weight = w): images whose rows and columns become as many as TVM's attribute `size` says; `layout` says which dimensions these are. A
// place of the result sees one element along each of the two, with the method "linear" two. Formulas see place (of the result), tap (0 or 1), length (of x) and
// resized (the result's length).
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/layout_words.hpp"
#include "interpreter/structure/resize_taps.hpp"

namespace tiebreak::structure {

Result<Resize> read_resize_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(roles, layout_roles(request, "layout", "NCHW", "NCHW"));
  TIEBREAK_TRY(size, integers(request, "size", {}));
  if (size.size() != 2) return malformed(request, "", fmt::format("size is {}, expected rows and columns", to_text(size)));
  const auto method = request.attributes->find("method");
  const bool linear = method == request.attributes->end() || method->second.as_string().value_or("") == "linear";
  Resize resize{.x = x};
  for (std::size_t s = 0; s < 2; ++s) {
    const std::int64_t length = shape[roles.spatial[s]];
    if (size[s] < 0 || size[s] > far) return malformed(request, "", fmt::format("size is {}", to_text(size)));
    if (length == 0 && size[s] > 0) return malformed(request, "", fmt::format("{} places of an image without any", size[s]));
    resize.dimensions.push_back({.dimension = roles.spatial[s], .length = length, .resized = size[s], .taps = linear ? 2 : 1});
  }
  return resize;
}

Result<Geometry> resize_qnn(const StructureRequest& request) {
  TIEBREAK_TRY(resize, read_resize_qnn(request));
  return resized_image(request, resize);
}

}  // namespace tiebreak::structure
