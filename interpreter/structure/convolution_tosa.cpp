// SPDX-License-Identifier: Apache-2.0
// convolution.tosa, depthwise_convolution.tosa and transposed_convolution.tosa: channels last, two or three spatial dimensions. Kernels have the output
// features first and the input features last, in a depthwise convolution the places first, then the input features, then the results of each.
#include <fmt/format.h>

#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/convolution_layout.hpp"

namespace tiebreak::structure {
namespace {

/// An attribute that must be there, of `count` numbers none of which is less than `least`.
Result<Shape> stated_numbers(const StructureRequest& request, const std::string& name, std::size_t count, std::int64_t least) {
  TIEBREAK_TRY(values, integers(request, name, {}));
  if (values.size() != count) return malformed(request, "", fmt::format("{} has {} entries, expected {}", name, values.size(), count));
  for (std::int64_t value : values) {
    if (value < least) return malformed(request, "", fmt::format("{} = {}: at least {} is expected", name, to_text(values), least));
    if (value > far) return fail(Errc::limit, fmt::format("{}: {} beyond 2^30", request.op, name), request.where);
  }
  return values;
}

/// Pairs for each spatial dimension, before and behind.
Status read_pads(const StructureRequest& request, const std::string& name, std::int64_t least, ConvolutionLayout& layout) {
  const std::size_t spatial = layout.x_spatial.size();
  TIEBREAK_TRY(pads, stated_numbers(request, name, 2 * spatial, least));
  for (std::size_t s = 0; s < spatial; ++s) {
    layout.low_pads.push_back(pads[2 * s]);
    layout.high_pads.push_back(pads[2 * s + 1]);
  }
  return {};
}

Status read_windows(const StructureRequest& request, ConvolutionLayout& layout) {
  const std::size_t spatial = layout.x_spatial.size();
  TIEBREAK_TRY(strides, stated_numbers(request, "stride", spatial, 1));
  TIEBREAK_TRY(dilations, stated_numbers(request, "dilation", spatial, 1));
  layout.strides = strides;
  layout.w_dilation = dilations;
  return read_pads(request, "pad", 0, layout);
}

}  // namespace

Result<ConvolutionLayout> features_last(const StructureRequest& request) {
  ConvolutionLayout layout{};
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const std::size_t rank = x->type.shape.size();
  if ((rank != 4 && rank != 5) || w->type.shape.size() != rank)
    return malformed(request, "",
                     fmt::format("{} and {} must both have rank 4 or 5, got {} and {}", x->name, w->name, to_text(x->type.shape), to_text(w->type.shape)));
  layout.x = x;
  layout.w = w;
  layout.x_batch = layout.y_batch = layout.w_out = 0;
  layout.x_feature = layout.y_feature = layout.w_in = rank - 1;
  for (std::size_t s = 1; s + 1 < rank; ++s) layout.x_spatial.push_back(s);
  layout.w_spatial = layout.y_spatial = layout.x_spatial;
  layout.strides = layout.x_dilation = layout.w_dilation = Shape(rank - 2, 1);
  layout.reversed = Shape(rank - 2, 0);
  return layout;
}

Result<Geometry> convolution_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(layout, features_last(request));
  TIEBREAK_CHECK(read_windows(request, layout));
  return build_convolution(request, layout);
}

/// Output feature c * M + m is result m of input feature c: the same elements as a kernel of one input feature and C * M output features in C groups.
Result<Geometry> depthwise_convolution_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(layout, features_last(request));
  if (layout.x_spatial.size() != 2) return malformed(request, "", fmt::format("{} must have rank 4", layout.x->name));
  const Shape& kernel = layout.w->type.shape;
  StructureOperand grouped = *layout.w;
  grouped.type.shape = {kernel[0], kernel[1], 1, kernel[2] * kernel[3]};
  if (kernel[2] != layout.x->type.shape[3])
    return malformed(request, "", fmt::format("{} is for {} channels, {} has {}", layout.w->name, kernel[2], layout.x->name, layout.x->type.shape[3]));
  layout.w = &grouped;
  layout.w_spatial = {0, 1};
  layout.w_in = 2;
  layout.w_out = 3;
  layout.feature_groups = kernel[2];
  TIEBREAK_CHECK(read_windows(request, layout));
  return build_convolution(request, layout);
}

Result<Geometry> transposed_convolution_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(layout, features_last(request));
  TIEBREAK_TRY(strides, stated_numbers(request, "stride", layout.x_spatial.size(), 1));
  layout.x_dilation = strides;
  layout.backwards = true;
  TIEBREAK_CHECK(read_pads(request, "out_pad", -far, layout));
  return build_convolution(request, layout);
}

}  // namespace tiebreak::structure
