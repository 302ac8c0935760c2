// SPDX-License-Identifier: Apache-2.0
// convolution.torch(x, w), transposed_convolution.torch(x, w) and dot.torch(x, w): ONNX's layouts under the attributes stride, padding, dilation, groups and
// output_padding, with one padding for both ends of a dimension. A result without elements is refused. Of dot.torch w has a row for each column of the result.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

using Builder = Result<Geometry> (*)(const StructureRequest&);

/// A list with one number for each spatial dimension, none below `least`.
Result<Shape> for_each_place(const StructureRequest& request, const char* name, std::size_t spatial, std::int64_t least) {
  TIEBREAK_TRY(values, integers(request, name, Shape(spatial, least)));
  if (values.size() != spatial) return malformed(request, "", fmt::format("{} has {} entries for {} spatial dimensions", name, values.size(), spatial));
  if (std::ranges::any_of(values, [&](std::int64_t value) { return value < least; }))
    return malformed(request, "", fmt::format("{} {} has an entry below {}", name, to_text(values), least));
  return values;
}

/// One to three spatial dimensions, for x and w alike.
Result<std::size_t> spatial_dimensions(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const std::size_t rank = x->type.shape.size();
  if (rank < 3 || rank > 5 || w->type.shape.size() != rank)
    return malformed(request, "",
                     fmt::format("{} and {} must have one rank of 3 to 5, got {} and {}", x->name, w->name, to_text(x->type.shape), to_text(w->type.shape)));
  return rank - 2;
}

/// A convolution of ONNX with these attributes and `more`.
Result<Geometry> as_onnx(const StructureRequest& request, std::size_t spatial, AttributeMap more, Builder build) {
  TIEBREAK_TRY(stride, for_each_place(request, "stride", spatial, 1));
  TIEBREAK_TRY(dilation, for_each_place(request, "dilation", spatial, 1));
  TIEBREAK_TRY(padding, for_each_place(request, "padding", spatial, 0));
  TIEBREAK_TRY(groups, integer(request, "groups", 1));
  Shape both_ends = padding;
  both_ends.insert(both_ends.end(), padding.begin(), padding.end());
  more.insert({{"strides", Attribute::integers(stride)},
               {"dilations", Attribute::integers(dilation)},
               {"pads", Attribute::integers(both_ends)},
               {"group", Attribute{Real(groups)}}});
  StructureRequest translated = request;
  translated.attributes = &more;
  TIEBREAK_TRY(geometry, build(translated));
  if (geometry.cells() == 0) return malformed(request, "", fmt::format("the result would have the shape {}", to_text(geometry.result_shape)));
  return std::move(geometry);
}

}  // namespace

Result<Geometry> convolution_torch(const StructureRequest& request) {
  TIEBREAK_TRY(spatial, spatial_dimensions(request));
  return as_onnx(request, spatial, {}, convolution_onnx);
}

/// More places at the end than a step of the stride or of the dilation would have come from a longer operand.
Result<Geometry> transposed_convolution_torch(const StructureRequest& request) {
  TIEBREAK_TRY(spatial, spatial_dimensions(request));
  TIEBREAK_TRY(stride, for_each_place(request, "stride", spatial, 1));
  TIEBREAK_TRY(dilation, for_each_place(request, "dilation", spatial, 1));
  TIEBREAK_TRY(more, for_each_place(request, "output_padding", spatial, 0));
  for (std::size_t s = 0; s < spatial; ++s)
    if (more[s] >= std::max(stride[s], dilation[s]))
      return malformed(request, "", fmt::format("output_padding {} must be below stride {} or dilation {}", more[s], stride[s], dilation[s]));
  return as_onnx(request, spatial, {{"output_padding", Attribute::integers(more)}}, transposed_convolution_onnx);
}

Result<Geometry> dot_torch(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  if (x->type.shape.size() < 2 || w->type.shape.size() != 2)
    return malformed(request, "",
                     fmt::format("{} must have rows and {} rank 2, got {} and {}", x->name, w->name, to_text(x->type.shape), to_text(w->type.shape)));
  const AttributeMap turned{{"transB", Attribute{Real(1)}}};
  StructureRequest translated = request;
  translated.attributes = &turned;
  return dot_onnx(translated);
}

}  // namespace tiebreak::structure
