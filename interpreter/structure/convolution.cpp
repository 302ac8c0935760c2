// SPDX-License-Identifier: Apache-2.0
// Convolution, once, for any layout: batch, places and output features are cells; kernel places and input features (fastest) are items.
// Groups split the output feature coordinate in two, so that every access stays affine. The conventions differ in how they name all this.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/structure/auto_pad.hpp"
#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/convolution_layout.hpp"

namespace tiebreak::structure {
namespace {

std::int64_t dilated(std::int64_t size, std::int64_t dilation) { return size == 0 ? 0 : (size - 1) * dilation + 1; }

/// Groups divide what they must; the input features of x are those of w times the groups.
Status check_groups(const StructureRequest& request, const ConvolutionLayout& layout) {
  const Shape& x = layout.x->type.shape;
  const Shape& w = layout.w->type.shape;
  const std::int64_t outputs = w[layout.w_out];
  if (layout.feature_groups < 1 || layout.batch_groups < 1 || outputs % (layout.feature_groups * layout.batch_groups) != 0)
    return malformed(request, layout.groups_label,
                     fmt::format("{} output features cannot be divided into {} groups", outputs, layout.feature_groups * layout.batch_groups));
  if (x[layout.x_batch] % layout.batch_groups != 0)
    return malformed(request, layout.groups_label, fmt::format("batch {} cannot be divided into {} groups", x[layout.x_batch], layout.batch_groups));
  if (x[layout.x_feature] != w[layout.w_in] * layout.feature_groups)
    return malformed(request, layout.feature_label,
                     fmt::format("{} has {} input features, {} needs {} in {} group(s)", layout.x->name, x[layout.x_feature], layout.w->name, w[layout.w_in],
                                 layout.feature_groups));
  return {};
}

Result<Shape> output_shape(const StructureRequest& request, const ConvolutionLayout& layout) {
  const Shape& x = layout.x->type.shape;
  const Shape& w = layout.w->type.shape;
  Shape shape(x.size());
  shape[layout.y_batch] = x[layout.x_batch] / layout.batch_groups;
  shape[layout.y_feature] = w[layout.w_out];
  for (std::size_t s = 0; s < layout.x_spatial.size(); ++s) {
    const std::int64_t stride = layout.strides[s];
    if (stride < 1 || layout.x_dilation[s] < 1 || layout.w_dilation[s] < 1) return malformed(request, "", "strides and dilations must be positive");
    if (std::max({stride, layout.x_dilation[s], layout.w_dilation[s], std::abs(layout.low_pads[s]), std::abs(layout.high_pads[s])}) > far)
      return fail(Errc::limit, fmt::format("{}: stride, dilation or padding beyond 2^30", request.op), request.where);
    const std::int64_t padded = layout.low_pads[s] + dilated(x[layout.x_spatial[s]], layout.x_dilation[s]) + layout.high_pads[s];
    const std::int64_t window = dilated(w[layout.w_spatial[s]], layout.w_dilation[s]);
    shape[layout.y_spatial[s]] = layout.backwards                 ? std::max<std::int64_t>(0, padded + window - 1)
                                 : padded == 0 || window > padded ? 0
                                                                  : (padded - window) / stride + 1;
  }
  TIEBREAK_CHECK(element_count(shape).map([](std::int64_t) {}));
  return shape;
}

}  // namespace

Result<Geometry> build_convolution(const StructureRequest& request, const ConvolutionLayout& layout) {
  TIEBREAK_CHECK(check_groups(request, layout));
  const Shape& x = layout.x->type.shape;
  const Shape& w = layout.w->type.shape;
  Geometry geometry;
  geometry.has_bag = true;
  TIEBREAK_TRY(shape, output_shape(request, layout));
  geometry.result_shape = shape;
  // Cells in result order; the output feature is (group, feature within the group).
  const std::int64_t groups = layout.feature_groups * layout.batch_groups;
  const std::int64_t within = w[layout.w_out] / groups;
  std::vector<int> cell_of(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    cell_of[d] = static_cast<int>(geometry.cell_extents.size());
    if (d == layout.y_feature) geometry.cell_extents.push_back(groups);
    geometry.cell_extents.push_back(d == layout.y_feature ? within : shape[d]);
  }
  const int group = cell_of[layout.y_feature];
  const Affine channel{.cell = {{group, within}, {group + 1, 1}}};
  for (std::size_t s : layout.w_spatial) geometry.item_extents.push_back(w[s]);
  const int feature = static_cast<int>(geometry.item_extents.size());
  geometry.item_extents.push_back(w[layout.w_in]);
  geometry.fast_items = 1;

  std::vector<Affine> x_positions(x.size());
  std::vector<Affine> w_positions(w.size());
  x_positions[layout.x_batch] = at_cell(cell_of[layout.y_batch]);
  if (layout.batch_groups > 1) x_positions[layout.x_batch].cell.push_back({group, x[layout.x_batch] / layout.batch_groups});
  x_positions[layout.x_feature] = at_item(feature);
  if (layout.feature_groups > 1) x_positions[layout.x_feature].cell.push_back({group, w[layout.w_in]});
  w_positions[layout.w_in] = at_item(feature);
  w_positions[layout.w_out] = channel;
  for (std::size_t s = 0; s < layout.x_spatial.size(); ++s) {
    const int item = static_cast<int>(s);
    // A reversed window is walked from its last place: the bag keeps the kernel's order.
    const bool reversed = layout.reversed[s] != 0;
    const std::int64_t last = (w[layout.w_spatial[s]] - 1) * layout.w_dilation[s];
    x_positions[layout.x_spatial[s]] = Affine{.base = (reversed ? last : 0) - layout.low_pads[s],
                                              .cell = {{cell_of[layout.y_spatial[s]], layout.strides[s]}},
                                              .item = {{item, layout.backwards != reversed ? -layout.w_dilation[s] : layout.w_dilation[s]}}};
    w_positions[layout.w_spatial[s]] = at_item(item);
  }
  Access x_access = make_access(x, std::move(x_positions));
  for (std::size_t s = 0; s < layout.x_spatial.size(); ++s) {
    x_access.dimensions[layout.x_spatial[s]].divisor = layout.x_dilation[s];
    x_access.dimensions[layout.x_spatial[s]].division = Division::hole;
    x_access.may_miss |= layout.backwards || layout.low_pads[s] > 0 || layout.high_pads[s] > 0 || (layout.x_dilation[s] > 1 && x[layout.x_spatial[s]] > 1);
  }
  geometry.operands[layout.x->name] = std::move(x_access);
  geometry.operands[layout.w->name] = make_access(w, std::move(w_positions));
  geometry.indices["channel"] = channel;
  geometry.extents["channel"] = w[layout.w_out];
  geometry.indices["batch"] = at_cell(cell_of[layout.y_batch]);
  geometry.extents["batch"] = shape[layout.y_batch];
  std::vector<Affine> result_positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) result_positions[d] = d == layout.y_feature ? channel : at_cell(cell_of[d]);
  geometry.result = make_access(shape, std::move(result_positions));
  return geometry;
}

namespace {

/// With SAME_UPPER and SAME_LOWER the output has ceil(input / stride) places.
Status apply_auto_pad(const StructureRequest& request, ConvolutionLayout& layout) {
  TIEBREAK_TRY(mode, auto_pad(request));
  if (mode == AutoPad::valid) std::ranges::fill(layout.low_pads, 0), std::ranges::fill(layout.high_pads, 0);
  if (mode == AutoPad::not_set || mode == AutoPad::valid) return {};
  for (std::size_t s = 0; s < layout.x_spatial.size(); ++s) {
    if (layout.strides[s] < 1) return malformed(request, "", "strides must be positive");
    const std::int64_t size = layout.x->type.shape[layout.x_spatial[s]];
    const std::int64_t places = (size + layout.strides[s] - 1) / layout.strides[s];
    const std::int64_t window = dilated(layout.w->type.shape[layout.w_spatial[s]], layout.w_dilation[s]);
    const std::int64_t total = std::max<std::int64_t>(0, (places - 1) * layout.strides[s] + window - size);
    const auto [low, high] = split_padding(total, mode == AutoPad::same_upper);
    layout.low_pads[s] = low;
    layout.high_pads[s] = high;
  }
  return {};
}

Status check_spatial_count(const StructureRequest& request, const std::string& name, const Shape& values, std::size_t spatial) {
  if (values.size() == spatial) return {};
  return malformed(request, "", fmt::format("{} has {} entries for {} spatial dimensions", name, values.size(), spatial));
}

/// `padding`: pairs of an attribute, or of the operand of this name (dynamic_conv).
Status read_stablehlo_padding(const StructureRequest& request, ConvolutionLayout& layout, std::size_t spatial) {
  layout.low_pads = layout.high_pads = Shape(spatial, 0);
  if (const StructureOperand* operand = find_operand(request, "padding")) {
    if (operand->tensor == nullptr || !operand->type.element.is_integer() || operand->type.quantized ||
        operand->type.shape != Shape{static_cast<std::int64_t>(spatial), 2})
      return malformed(request, "C4", fmt::format("padding must be {} pairs of whole numbers, got {}", spatial, to_text(operand->type)));
    for (std::size_t s = 0; s < spatial; ++s) {
      layout.low_pads[s] = near_index(*operand->tensor, static_cast<std::int64_t>(2 * s));
      layout.high_pads[s] = near_index(*operand->tensor, static_cast<std::int64_t>(2 * s + 1));
    }
    return {};
  }
  auto found = request.attributes->find("padding");
  if (found == request.attributes->end() || found->second.is_none()) return {};
  const AttributeList* list = std::get_if<AttributeList>(&found->second.value);
  if (list == nullptr || list->size() != spatial) return malformed(request, "", fmt::format("padding must have {} pairs", spatial));
  for (std::size_t s = 0; s < spatial; ++s) {
    auto pair = (*list)[s].as_integers();
    if (!pair || pair->size() != 2) return malformed(request, "", "padding must be pairs of integers");
    layout.low_pads[s] = (*pair)[0];
    layout.high_pads[s] = (*pair)[1];
  }
  return {};
}

}  // namespace

Result<Geometry> convolution_onnx(const StructureRequest& request) {
  ConvolutionLayout layout{};
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  layout.x = x;
  layout.w = w;
  const std::size_t rank = x->type.shape.size();
  if (rank < 3 || w->type.shape.size() != rank)
    return malformed(
        request, "",
        fmt::format("{} and {} must have the same rank of at least 3, got {} and {}", x->name, w->name, to_text(x->type.shape), to_text(w->type.shape)));
  const std::size_t spatial = rank - 2;
  TIEBREAK_TRY(channels_last, integer(request, "channels_last", 0));  // of com.microsoft: x and y have them last, w does not
  layout.x_batch = layout.y_batch = layout.w_out = 0;
  layout.w_in = 1;
  layout.x_feature = layout.y_feature = channels_last != 0 ? rank - 1 : 1;
  for (std::size_t s = 0; s < spatial; ++s) layout.w_spatial.push_back(s + 2);
  for (std::size_t s = 0; s < spatial; ++s) layout.x_spatial.push_back(channels_last != 0 ? s + 1 : s + 2);
  layout.y_spatial = layout.x_spatial;
  const Shape ones(spatial, 1);
  TIEBREAK_TRY(strides, integers(request, "strides", ones));
  TIEBREAK_TRY(dilations, integers(request, "dilations", ones));
  TIEBREAK_TRY(pads, integers(request, "pads", Shape(2 * spatial, 0)));
  TIEBREAK_TRY(kernel, integers(request, "kernel_shape", Shape(w->type.shape.begin() + 2, w->type.shape.end())));
  TIEBREAK_TRY(group, integer(request, "group", 1));
  TIEBREAK_CHECK(check_spatial_count(request, "strides", strides, spatial));
  TIEBREAK_CHECK(check_spatial_count(request, "dilations", dilations, spatial));
  TIEBREAK_CHECK(check_spatial_count(request, "pads", pads, 2 * spatial));
  if (kernel != Shape(w->type.shape.begin() + 2, w->type.shape.end()))
    return malformed(request, "", fmt::format("kernel_shape {} is not that of {}: {}", to_text(kernel), w->name, to_text(w->type.shape)));
  layout.strides = strides;
  layout.w_dilation = dilations;
  layout.low_pads = Shape(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial));
  layout.high_pads = Shape(pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end());
  layout.x_dilation = ones;
  layout.reversed = Shape(spatial, 0);
  layout.feature_groups = group;
  TIEBREAK_CHECK(apply_auto_pad(request, layout));
  return build_convolution(request, layout);
}

Result<Geometry> convolution_stablehlo(const StructureRequest& request) {
  ConvolutionLayout layout{};
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  layout.x = x;
  layout.w = w;
  const std::size_t rank = x->type.shape.size();
  if (rank < 2 || w->type.shape.size() != rank)
    return malformed(request, "C1", fmt::format("{} and {} must have the same rank of at least 2", x->name, w->name));
  const std::size_t spatial = rank - 2;
  std::vector<bool> used;
  auto dimension = [&](const char* name, std::size_t& target) -> Status {
    TIEBREAK_TRY(axis, integer(request, name, -1));
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || used[static_cast<std::size_t>(axis)])
      return malformed(request, "", fmt::format("{} = {} is missing, outside the rank {} or named twice", name, axis, rank));
    used[static_cast<std::size_t>(axis)] = true;
    target = static_cast<std::size_t>(axis);
    return {};
  };
  auto dimensions = [&](const char* name, std::vector<std::size_t>& target) -> Status {
    TIEBREAK_TRY(axes, integers(request, name, {}));
    TIEBREAK_CHECK(check_spatial_count(request, name, axes, spatial));
    for (std::int64_t axis : axes) {
      if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || used[static_cast<std::size_t>(axis)])
        return malformed(request, "", fmt::format("{} names dimension {} outside the rank {} or twice", name, axis, rank));
      used[static_cast<std::size_t>(axis)] = true;
      target.push_back(static_cast<std::size_t>(axis));
    }
    return {};
  };
  used.assign(rank, false);
  TIEBREAK_CHECK(dimension("input_batch_dimension", layout.x_batch));
  TIEBREAK_CHECK(dimension("input_feature_dimension", layout.x_feature));
  TIEBREAK_CHECK(dimensions("input_spatial_dimensions", layout.x_spatial));
  used.assign(rank, false);
  TIEBREAK_CHECK(dimension("kernel_input_feature_dimension", layout.w_in));
  TIEBREAK_CHECK(dimension("kernel_output_feature_dimension", layout.w_out));
  TIEBREAK_CHECK(dimensions("kernel_spatial_dimensions", layout.w_spatial));
  used.assign(rank, false);
  TIEBREAK_CHECK(dimension("output_batch_dimension", layout.y_batch));
  TIEBREAK_CHECK(dimension("output_feature_dimension", layout.y_feature));
  TIEBREAK_CHECK(dimensions("output_spatial_dimensions", layout.y_spatial));
  const Shape ones(spatial, 1);
  struct Window {
    const char* name;
    Shape* target;
    Shape fallback;
  };
  for (Window window : {Window{"window_strides", &layout.strides, ones}, Window{"lhs_dilation", &layout.x_dilation, ones},
                        Window{"rhs_dilation", &layout.w_dilation, ones}, Window{"window_reversal", &layout.reversed, Shape(spatial, 0)}}) {
    TIEBREAK_TRY(values, integers(request, window.name, window.fallback));
    TIEBREAK_CHECK(check_spatial_count(request, window.name, values, spatial));
    *window.target = values;
  }
  TIEBREAK_CHECK(read_stablehlo_padding(request, layout, spatial));
  TIEBREAK_TRY(feature_groups, integer(request, "feature_group_count", 1));
  TIEBREAK_TRY(batch_groups, integer(request, "batch_group_count", 1));
  if (feature_groups > 1 && batch_groups > 1) return malformed(request, "C23", "feature_group_count and batch_group_count cannot both be above 1");
  layout.feature_groups = feature_groups;
  layout.batch_groups = batch_groups;
  layout.groups_label = feature_groups > 1 ? "C16" : "C15";
  layout.feature_label = "C14";
  TIEBREAK_TRY(geometry, build_convolution(request, layout));
  if (find_operand(request, "padding") != nullptr) geometry.operands["padding"] = Access{};  // read above, not by formulas
  return std::move(geometry);
}

}  // namespace tiebreak::structure
