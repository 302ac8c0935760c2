// SPDX-License-Identifier: Apache-2.0
// convolution.migraphx: ONNX's layout under the attributes padding, stride, dilation and group. A result has at least one place along every dimension, even
// where the kernel is larger than what it lies on.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

struct Places {
  Shape stride, dilation, low, high;
};

/// One number for each spatial dimension; of padding also the lower ends and then the upper ones.
Result<Places> read_places(const StructureRequest& request, std::size_t spatial) {
  const Shape ones(2, 1);
  TIEBREAK_TRY(stride, integers(request, "stride", ones));
  TIEBREAK_TRY(dilation, integers(request, "dilation", ones));
  TIEBREAK_TRY(padding, integers(request, "padding", Shape(2, 0)));
  const bool both_ends = padding.size() == 2 * spatial;
  if (stride.size() != spatial || dilation.size() != spatial || (padding.size() != spatial && !both_ends))
    return malformed(
        request, "K1",
        fmt::format("stride {}, dilation {} and padding {} for {} spatial dimensions", to_text(stride), to_text(dilation), to_text(padding), spatial));
  const auto middle = padding.begin() + static_cast<std::ptrdiff_t>(spatial);
  return Places{stride, dilation, Shape(padding.begin(), middle), both_ends ? Shape(middle, padding.end()) : padding};
}

}  // namespace

Result<Geometry> convolution_migraphx(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const std::size_t rank = x->type.shape.size();
  if (rank < 3 || w->type.shape.size() != rank) return malformed(request, "R1", fmt::format("{} and {} must have one rank of at least 3", x->name, w->name));
  TIEBREAK_TRY(places, read_places(request, rank - 2));
  for (std::size_t s = 0; s < rank - 2; ++s) {
    const std::int64_t taps = w->type.shape[s + 2];
    const std::int64_t window = taps == 0 ? 0 : (taps - 1) * places.dilation[s] + 1;
    const std::int64_t missing = window - (places.low[s] + x->type.shape[s + 2] + places.high[s]);
    if (missing > 0) places.high[s] += missing;
  }
  Shape pads = places.low;
  pads.insert(pads.end(), places.high.begin(), places.high.end());
  AttributeMap attributes{
      {"strides", Attribute::integers(places.stride)}, {"dilations", Attribute::integers(places.dilation)}, {"pads", Attribute::integers(pads)}};
  if (const auto group = request.attributes->find("group"); group != request.attributes->end()) attributes.insert(*group);
  StructureRequest translated = request;
  translated.attributes = &attributes;
  return convolution_onnx(translated);
}

}  // namespace tiebreak::structure
