// SPDX-License-Identifier: Apache-2.0
// resize.tosa(x, scale, offset, border, at = p, weight = w): images with channels last, their rows and columns resized by fractions. A place of the result sees
// one element along each of the two dimensions, with the mode BILINEAR two. Which ones, and what each counts, are formulas of the page; here is what they see:
// place (of the result), tap (0 or 1), length (of x), resized (the result's length), and the dimension's numerator, denominator and offset.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/tap_weight.hpp"

namespace tiebreak::structure {
namespace {

/// One of the two dimensions.
struct ResizedDimension {
  std::int64_t length, numerator, denominator, offset, border, resized = 0;
};

struct Resize {
  const StructureOperand* x;
  std::int64_t taps;
  std::vector<ResizedDimension> dimensions;
};

/// How many places the result has, or an error of the text that speaks of these numbers.
Result<std::int64_t> resized_length(const StructureRequest& request, const ResizedDimension& one) {
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

Result<Resize> read(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(scale, steering_argument(request, 1, 4, ""));
  TIEBREAK_TRY(offset, steering_argument(request, 2, 2, ""));
  TIEBREAK_TRY(border, steering_argument(request, 3, 2, ""));
  const auto mode = request.attributes->find("mode");
  const bool nearest = mode == request.attributes->end() || mode->second.as_string().value_or("") != "BILINEAR";
  Resize resize{.x = x, .taps = nearest ? 1 : 2, .dimensions = {}};
  for (std::size_t s = 0; s < 2; ++s) {
    ResizedDimension one{.length = shape[s + 1], .numerator = scale[2 * s], .denominator = scale[2 * s + 1], .offset = offset[s], .border = border[s]};
    TIEBREAK_TRY(resized, resized_length(request, one));
    one.resized = resized;
    resize.dimensions.push_back(one);
  }
  return resize;
}

/// The formula's values for each place and each of its taps.
Result<std::vector<Real>> for_each_tap(const StructureRequest& request, const ResizedDimension& one, std::int64_t taps, const char* key) {
  std::vector<Real> values;
  for (std::int64_t place = 0; place < one.resized; ++place)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      TIEBREAK_TRY(value, request.formula(key, {{"place", Real(place)},
                                                {"tap", Real(tap)},
                                                {"length", Real(one.length)},
                                                {"resized", Real(one.resized)},
                                                {"numerator", Real(one.numerator)},
                                                {"denominator", Real(one.denominator)},
                                                {"offset", Real(one.offset)}}));
      values.push_back(std::move(value));
    }
  return values;
}

/// Which element of x each tap is: a place inside it.
Result<std::shared_ptr<const std::vector<std::int64_t>>> sources(const StructureRequest& request, const ResizedDimension& one, std::int64_t taps) {
  TIEBREAK_TRY(values, for_each_tap(request, one, taps, "at"));
  auto listed = std::make_shared<std::vector<std::int64_t>>();
  for (const Real& value : values) {
    const auto number = value.to_int64();
    if (!number || *number < 0 || *number >= one.length)
      return malformed(request, "", fmt::format("'at' gives {}, which is no place of {}", value.to_decimal(9), one.length));
    listed->push_back(*number);
  }
  return listed;
}

}  // namespace

Result<std::vector<TapWeight>> tap_weights(const StructureRequest& request) {
  std::vector<TapWeight> weights;
  if (request.path != "resize.tosa") return weights;
  TIEBREAK_TRY(resize, read(request));
  for (std::size_t s = 0; s < 2; ++s) {
    const ResizedDimension& one = resize.dimensions[s];
    TIEBREAK_TRY(values, for_each_tap(request, one, resize.taps, "weight"));
    weights.push_back({static_cast<int>(s) + 1, static_cast<int>(s), one.resized, resize.taps, std::move(values)});
  }
  return weights;
}

Result<Geometry> resize_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(resize, read(request));
  const Shape& shape = resize.x->type.shape;
  TIEBREAK_TRY(geometry, cells_of_result(request, {shape[0], resize.dimensions[0].resized, resize.dimensions[1].resized, shape[3]}));
  geometry.has_bag = true;
  geometry.item_extents = {resize.taps, resize.taps};
  std::vector<Affine> positions;
  for (int d = 0; d < 4; ++d) positions.push_back(at_cell(d));
  for (int s = 0; s < 2; ++s) positions[static_cast<std::size_t>(s) + 1] = Affine{.cell = {{s + 1, resize.taps}}, .item = {{s, 1}}};
  Access access = make_access(shape, std::move(positions));
  for (std::size_t s = 0; s < 2; ++s) {
    TIEBREAK_TRY(listed, sources(request, resize.dimensions[s], resize.taps));
    access.dimensions[s + 1].listed = std::move(listed);
  }
  geometry.operands[resize.x->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
