// SPDX-License-Identifier: Apache-2.0
// convolution.tflite(x, w), depthwise_convolution.tflite(x, w), transposed_convolution.tflite(x, w, shape): images with channels last. Filters are
// [O, H, W, I], of a depthwise convolution [1, H, W, C * M]. A transposed convolution has the shape of its result as an operand.
#include <fmt/format.h>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/convolution_layout.hpp"
#include "interpreter/structure/padding_tflite.hpp"

namespace tiebreak::structure {
namespace {

Result<ConvolutionLayout> images(const StructureRequest& request) {
  TIEBREAK_TRY(layout, features_last(request));
  if (layout.x_spatial.size() != 2) return malformed(request, "", fmt::format("{} must have rank 4", layout.x->name));
  return layout;
}

Status read_windows_by_word(const StructureRequest& request, ConvolutionLayout& layout) {
  const Shape &x = layout.x->type.shape, &w = layout.w->type.shape;
  TIEBREAK_TRY(extents, tflite_extents(request, {x[1], x[2]}, {w[layout.w_spatial[0]], w[layout.w_spatial[1]]}));
  layout.strides = {extents[0].stride, extents[1].stride};
  layout.w_dilation = {extents[0].dilation, extents[1].dilation};
  layout.low_pads = {extents[0].low, extents[1].low};
  layout.high_pads = {extents[0].high, extents[1].high};
  return {};
}

}  // namespace

/// Groups follow from the filter: it may have a part of the input's channels.
Result<Geometry> convolution_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(layout, images(request));
  TIEBREAK_CHECK(read_windows_by_word(request, layout));
  const std::int64_t channels = layout.x->type.shape[3], own = layout.w->type.shape[3];
  if (own > 0 && channels % own == 0) layout.feature_groups = channels / own;
  return build_convolution(request, layout);
}

/// Output feature c * M + m is result m of input feature c: the same elements as a kernel of one input feature and C * M output features in C groups.
Result<Geometry> depthwise_convolution_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(layout, images(request));
  const Shape kernel = layout.w->type.shape;
  if (kernel[0] != 1) return malformed(request, "", fmt::format("{} must begin with one dimension of 1, got {}", layout.w->name, to_text(kernel)));
  StructureOperand grouped = *layout.w;
  grouped.type.shape = {kernel[1], kernel[2], 1, kernel[3]};
  layout.w = &grouped;
  layout.w_spatial = {0, 1};
  layout.w_in = 2;
  layout.w_out = 3;
  layout.feature_groups = layout.x->type.shape[3];
  TIEBREAK_CHECK(read_windows_by_word(request, layout));
  return build_convolution(request, layout);
}

/// The padding is that of the convolution whose operand has the stated shape.
Result<Geometry> transposed_convolution_tflite(const StructureRequest& request) {
  TIEBREAK_TRY(layout, images(request));
  TIEBREAK_TRY(wanted, steering_argument(request, 2, 4, "E1"));
  const Shape &x = layout.x->type.shape, &w = layout.w->type.shape;
  for (std::int64_t extent : wanted)
    if (extent < 1 || extent > far) return malformed(request, "E1", fmt::format("the result's shape is {}", to_text(wanted)));
  if (wanted[0] != x[0] || wanted[3] != w[0])
    return malformed(request, "E1", fmt::format("the result's shape is {}, of {} images and {} features", to_text(wanted), x[0], w[0]));
  TIEBREAK_TRY(extents, tflite_extents(request, {wanted[1], wanted[2]}, {w[1], w[2]}));
  layout.backwards = true;
  for (std::size_t s = 0; s < 2; ++s) {
    const TfliteExtent& extent = extents[s];
    if (extent.places != x[s + 1])
      return malformed(request, "E2", fmt::format("{} places would come from {}, {} has {}", extent.places, extent.size, layout.x->name, x[s + 1]));
    layout.x_dilation[s] = extent.stride;
    layout.low_pads.push_back(-extent.low);
    layout.high_pads.push_back(wanted[s + 1] + extent.low - ((x[s + 1] - 1) * extent.stride + extent.kernel));
  }
  TIEBREAK_TRY(geometry, build_convolution(request, layout));
  geometry.operands[request.arguments[2].name] = Access{};  // read above, not by formulas
  return std::move(geometry);
}

}  // namespace tiebreak::structure
