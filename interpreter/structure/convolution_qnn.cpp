// SPDX-License-Identifier: Apache-2.0
// convolution.qnn and transposed_convolution.qnn: TVM's two-dimensional convolutions, with layouts as words (NCHW, HWIO ...). A transposed convolution is the
// same walk with the strides on the other side: result place y and tap k meet the input at (y + padding - k * dilation) / stride, where that is whole.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/layout_words.hpp"

namespace tiebreak::structure {
namespace {

struct Windows {
  const StructureOperand* x;
  const StructureOperand* w;
  Roles x_at, w_at, y_at;
  Shape strides, dilation, output_padding;
  Padding padding;
  std::int64_t groups = 1;
  bool transposed = false;
  bool depthwise = false;     ///< O counts input channels, I results for each
  std::int64_t within = 1;    ///< result channels of a group
  std::int64_t features = 1;  ///< input channels of a group
};

/// Result and input channels of a group, and what the kernel's shape must be for them.
Status read_groups(const StructureRequest& request, Windows& windows) {
  const Shape& w = windows.w->type.shape;
  const std::int64_t inputs = windows.x->type.shape[windows.x_at.feature];
  const std::int64_t o = w[windows.w_at.batch], i = w[windows.w_at.feature], groups = windows.groups;
  windows.depthwise = !windows.transposed && groups > 1 && groups == inputs && o == groups;
  const bool fits = groups >= 1 && inputs % groups == 0 && (windows.transposed ? i == inputs : windows.depthwise || (i == inputs / groups && o % groups == 0));
  if (!fits) return malformed(request, "", fmt::format("a kernel of shape {} does not fit {} input channels in {} group(s)", to_text(w), inputs, groups));
  windows.features = inputs / groups;
  windows.within = windows.transposed ? o : windows.depthwise ? i : o / groups;
  TIEBREAK_TRY(channels, integer(request, "channels", groups * windows.within));
  if (channels != groups * windows.within) return malformed(request, "", fmt::format("channels is {}, the kernel gives {}", channels, groups * windows.within));
  const Shape kernel{w[windows.w_at.spatial[0]], w[windows.w_at.spatial[1]]};
  TIEBREAK_TRY(stated, integers(request, "kernel_size", kernel));
  if (stated != kernel) return malformed(request, "", fmt::format("kernel_size is {}, the kernel has {}", to_text(stated), to_text(kernel)));
  return {};
}

Result<Windows> read(const StructureRequest& request, bool transposed) {
  Windows windows{};
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  if (x->type.shape.size() != 4 || w->type.shape.size() != 4) return malformed(request, "", fmt::format("{} and {} must have rank 4", x->name, w->name));
  windows.x = x;
  windows.w = w;
  windows.transposed = transposed;
  TIEBREAK_TRY(x_at, layout_roles(request, "data_layout", "NCHW", "NCHW"));
  TIEBREAK_TRY(w_at, layout_roles(request, "kernel_layout", transposed ? "IOHW" : "OIHW", "OIHW"));
  windows.x_at = windows.y_at = x_at;
  windows.w_at = w_at;
  if (auto out = request.attributes->find("out_layout"); out != request.attributes->end() && !out->second.as_string().value_or("").empty()) {
    TIEBREAK_TRY(y_at, layout_roles(request, "out_layout", "NCHW", "NCHW"));
    windows.y_at = y_at;
  }
  TIEBREAK_TRY(strides, for_each_axis(request, "strides", 2, 1, 1));
  TIEBREAK_TRY(dilation, for_each_axis(request, "dilation", 2, 1, 1));
  TIEBREAK_TRY(output_padding, for_each_axis(request, "output_padding", 2, 0, 0));
  TIEBREAK_TRY(groups, integer(request, "groups", 1));
  windows.strides = strides;
  windows.dilation = dilation;
  windows.output_padding = output_padding;
  windows.groups = groups;
  TIEBREAK_TRY(padding, padding_of(request, 2));
  windows.padding = padding;
  TIEBREAK_CHECK(read_groups(request, windows));
  return windows;
}

Result<Shape> result_shape(const Windows& windows) {
  Shape shape(4);
  shape[windows.y_at.batch] = windows.x->type.shape[windows.x_at.batch];
  shape[windows.y_at.feature] = windows.groups * windows.within;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::int64_t input = windows.x->type.shape[windows.x_at.spatial[s]], kernel = windows.w->type.shape[windows.w_at.spatial[s]];
    const std::int64_t window = kernel == 0 ? 0 : (kernel - 1) * windows.dilation[s] + 1, pads = windows.padding.low[s] + windows.padding.high[s];
    const std::int64_t room = windows.transposed ? (input - 1) * windows.strides[s] + window - pads + windows.output_padding[s] : input + pads - window;
    shape[windows.y_at.spatial[s]] = windows.transposed ? std::max<std::int64_t>(room, 0) : room < 0 ? 0 : room / windows.strides[s] + 1;
  }
  TIEBREAK_CHECK(element_count(shape).map([](std::int64_t) {}));
  return shape;
}

/// Cells are the result's dimensions, the channel as group and place in the group; `cell_of` is the first cell coordinate of each dimension.
std::vector<int> add_cells(Geometry& geometry, const Windows& windows) {
  std::vector<int> cell_of(4);
  for (std::size_t d = 0; d < 4; ++d) {
    cell_of[d] = static_cast<int>(geometry.cell_extents.size());
    if (d == windows.y_at.feature) geometry.cell_extents.push_back(windows.groups);
    geometry.cell_extents.push_back(d == windows.y_at.feature ? windows.within : geometry.result_shape[d]);
  }
  return cell_of;
}

Access input_access(const Windows& windows, const std::vector<int>& cell_of, int group, int feature) {
  std::vector<Affine> positions(4);
  positions[windows.x_at.batch] = at_cell(cell_of[windows.y_at.batch]);
  positions[windows.x_at.feature] = Affine{.cell = {{group, windows.features}}, .item = {{feature, 1}}};
  for (std::size_t s = 0; s < 2; ++s) {
    const int cell = cell_of[windows.y_at.spatial[s]], item = static_cast<int>(s);
    positions[windows.x_at.spatial[s]] =
        windows.transposed ? Affine{.base = windows.padding.low[s], .cell = {{cell, 1}}, .item = {{item, -windows.dilation[s]}}}
                           : Affine{.base = -windows.padding.low[s], .cell = {{cell, windows.strides[s]}}, .item = {{item, windows.dilation[s]}}};
  }
  Access access = make_access(windows.x->type.shape, std::move(positions));
  for (std::size_t s = 0; s < 2; ++s) {
    AccessDimension& dimension = access.dimensions[windows.x_at.spatial[s]];
    if (windows.transposed) dimension.divisor = windows.strides[s];
    dimension.division = Division::hole;
    access.may_miss |= windows.transposed || windows.padding.low[s] > 0 || windows.padding.high[s] > 0;
  }
  return access;
}

Result<Geometry> build(const StructureRequest& request, bool transposed) {
  TIEBREAK_TRY(windows, read(request, transposed));
  Geometry geometry;
  geometry.has_bag = true;
  TIEBREAK_TRY(shape, result_shape(windows));
  geometry.result_shape = shape;
  const std::vector<int> cell_of = add_cells(geometry, windows);
  const int group = cell_of[windows.y_at.feature], feature = 2;
  const Affine channel{.cell = {{group, windows.within}, {group + 1, 1}}};
  const Shape& w = windows.w->type.shape;
  geometry.item_extents = {w[windows.w_at.spatial[0]], w[windows.w_at.spatial[1]], windows.features};
  geometry.fast_items = 1;
  geometry.operands[windows.x->name] = input_access(windows, cell_of, group, feature);
  std::vector<Affine> positions(4);
  positions[windows.w_at.batch] = transposed ? at_cell(group + 1) : windows.depthwise ? at_cell(group) : channel;
  positions[windows.w_at.feature] = transposed          ? Affine{.cell = {{group, windows.features}}, .item = {{feature, 1}}}
                                    : windows.depthwise ? at_cell(group + 1)
                                                        : at_item(feature);
  for (std::size_t s = 0; s < 2; ++s) positions[windows.w_at.spatial[s]] = at_item(static_cast<int>(s));
  // What varies along the kernel's O is `feature`, what varies along the result's channels `channel`: only with a depth multiplier do they differ.
  geometry.indices = {{"channel", channel}, {"feature", positions[windows.w_at.batch]}, {"batch", at_cell(cell_of[windows.y_at.batch])}};
  geometry.extents = {{"channel", windows.groups * windows.within}, {"feature", w[windows.w_at.batch]}, {"batch", shape[windows.y_at.batch]}};
  geometry.operands[windows.w->name] = make_access(w, std::move(positions));
  std::vector<Affine> result(4);
  for (std::size_t d = 0; d < 4; ++d) result[d] = d == windows.y_at.feature ? channel : at_cell(cell_of[d]);
  geometry.result = make_access(shape, std::move(result));
  return geometry;
}

}  // namespace

Result<Geometry> convolution_qnn(const StructureRequest& request) { return build(request, false); }
Result<Geometry> transposed_convolution_qnn(const StructureRequest& request) { return build(request, true); }

}  // namespace tiebreak::structure
