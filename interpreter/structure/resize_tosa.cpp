// SPDX-License-Identifier: Apache-2.0
// resize.tosa(x, scale, offset, border, at = p, weight = w): images with channels last, their rows and columns resized by fractions. A place of the result sees
// one element along each of the two dimensions, with the mode BILINEAR two. Which ones, and what each counts, are formulas of the page; here is what they see:
// place (of the result), tap (0 or 1), length (of x), resized (the result's length), and the dimension's numerator, denominator and offset.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/resize_taps.hpp"

namespace tiebreak::structure {
namespace {

/// One of the two dimensions, in the numbers of the text.
struct Fraction {
  std::int64_t length, numerator, denominator, offset, border;
};

/// How many places the result has, or an error of the text that speaks of these numbers.
Result<std::int64_t> resized_length(const StructureRequest& request, const Fraction& one) {
  const std::int64_t n = one.numerator, d = one.denominator;
  if (one.length >= 16384) return malformed(request, "E1", fmt::format("a length of {}, at most 16383", one.length));
  if (n <= 0 || d <= 0) return malformed(request, "E2", fmt::format("the scale is {} / {}", n, d));
  if (n > 2048) return malformed(request, "E3", fmt::format("the scale is {} / {}, a numerator of at most 2048 is expected", n, d));
  if (d >= 16 * n) return malformed(request, "E4", fmt::format("the scale {} / {} is not above 1/16", n, d));
  if (one.offset < -n || one.offset >= 16 * n) return malformed(request, "E5", fmt::format("the offset {} is outside {} .. {}", one.offset, -n, 16 * n - 1));
  if (one.border < -16 * n || one.border >= n) return malformed(request, "E6", fmt::format("the border {} is outside {} .. {}", one.border, -16 * n, n - 1));
  const std::int64_t room = (one.length - 1) * n - one.offset + one.border;
  if (room % d != 0) return malformed(request, "E7", fmt::format("({} - 1) * {} - {} + {} is no multiple of {}", one.length, n, one.offset, one.border, d));
  const std::int64_t length = room / d + 1;
  if (room < 0) return malformed(request, "E7", fmt::format("a length of {}", length));
  if (length >= 16384) return malformed(request, "E1", fmt::format("a length of {}, at most 16383", length));
  return length;
}

}  // namespace

Result<Resize> read_resize_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(scale, steering_argument(request, 1, 4, ""));
  TIEBREAK_TRY(offset, steering_argument(request, 2, 2, ""));
  TIEBREAK_TRY(border, steering_argument(request, 3, 2, ""));
  const auto mode = request.attributes->find("mode");
  const bool nearest = mode == request.attributes->end() || mode->second.as_string().value_or("") != "BILINEAR";
  Resize resize{.x = x};
  for (std::size_t s = 0; s < 2; ++s) {
    const Fraction one{.length = shape[s + 1], .numerator = scale[2 * s], .denominator = scale[2 * s + 1], .offset = offset[s], .border = border[s]};
    TIEBREAK_TRY(resized, resized_length(request, one));
    resize.dimensions.push_back({.dimension = s + 1,
                                 .length = one.length,
                                 .resized = resized,
                                 .names = {{"numerator", Real(one.numerator)}, {"denominator", Real(one.denominator)}, {"offset", Real(one.offset)}},
                                 .taps = nearest ? 1 : 2});
  }
  return resize;
}

Result<Geometry> resize_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(resize, read_resize_tosa(request));
  return resized_image(request, resize);
}

}  // namespace tiebreak::structure
