// SPDX-License-Identifier: Apache-2.0
// transposed_convolution.onnx(x, w): each element of x adds the kernel, times itself, to the result at its place times the stride. Seen from the result:
// a cell is a place and an output feature, its items are the kernel's places and the input features (fastest) of its group; the element of x lies where
// place + padding - kernel place * dilation is a multiple of the stride, and elsewhere there is none.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/auto_pad.hpp"
#include "interpreter/structure/builders.hpp"

namespace tiebreak::structure {
namespace {

/// One spatial dimension.
struct TransposedExtent {
  std::int64_t input, kernel, stride, dilation, low, high, output_padding;
  std::int64_t reach() const { return stride * (input - 1) + (kernel - 1) * dilation + 1 + output_padding; }
  std::int64_t result() const { return std::max<std::int64_t>(0, reach() - low - high); }
};

struct Call {
  const StructureOperand *x, *w;
  std::int64_t groups = 1;
  std::vector<TransposedExtent> extents{};
  std::int64_t features_in() const { return w->type.shape[0] / groups; }
  std::int64_t features_out() const { return w->type.shape[1]; }  ///< of a group
};

/// The padding that gives a stated extent; the odd place goes to the end with SAME_UPPER, else to the front. More than there is becomes padding of the
/// result at its end.
void pad_to(TransposedExtent& extent, std::int64_t wanted, bool odd_behind) {
  const std::int64_t total = std::max<std::int64_t>(0, extent.reach() - wanted);
  const auto [low, high] = split_padding(total, odd_behind);
  extent.low = low;
  extent.high = high;
  extent.output_padding += std::max<std::int64_t>(0, wanted - extent.reach());
}

/// output_shape, which may name all dimensions or the spatial ones, and auto_pad, by which the result has the input's extent times the stride.
Status choose_padding(const StructureRequest& request, Call& call) {
  TIEBREAK_TRY(mode, auto_pad(request));
  const bool same = mode == AutoPad::same_upper || mode == AutoPad::same_lower, odd_behind = mode == AutoPad::same_upper;
  const std::size_t spatial = call.extents.size();
  TIEBREAK_TRY(wanted, integers(request, "output_shape", {}));
  if (!wanted.empty() && wanted.size() != spatial && wanted.size() != spatial + 2)
    return malformed(request, "", fmt::format("output_shape has {} entries for {} spatial dimensions", wanted.size(), spatial));
  const std::size_t ahead = wanted.size() == spatial ? 0 : 2;
  for (std::size_t s = 0; s < spatial; ++s) {
    TransposedExtent& extent = call.extents[s];
    if (mode == AutoPad::valid) extent.low = extent.high = 0;
    if (!wanted.empty() && (wanted[ahead + s] < 0 || wanted[ahead + s] > far))
      return malformed(request, "", fmt::format("output_shape has {}", wanted[ahead + s]));
    if (!wanted.empty()) pad_to(extent, wanted[ahead + s], odd_behind);
    else if (same) pad_to(extent, extent.input * extent.stride, odd_behind);
  }
  return {};
}

Result<Call> read(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  TIEBREAK_TRY(w, argument_operand(request, 1));
  const Shape &input = x->type.shape, &kernel = w->type.shape;
  if (input.size() < 3 || kernel.size() != input.size())
    return malformed(request, "",
                     fmt::format("{} and {} must have the same rank of at least 3, got {} and {}", x->name, w->name, to_text(input), to_text(kernel)));
  const std::size_t spatial = input.size() - 2;
  const Shape ones(spatial, 1), own(kernel.begin() + 2, kernel.end());
  TIEBREAK_TRY(strides, integers(request, "strides", ones));
  TIEBREAK_TRY(dilations, integers(request, "dilations", ones));
  TIEBREAK_TRY(pads, integers(request, "pads", Shape(2 * spatial, 0)));
  TIEBREAK_TRY(more, integers(request, "output_padding", Shape(spatial, 0)));
  TIEBREAK_TRY(stated, integers(request, "kernel_shape", own));
  TIEBREAK_TRY(groups, integer(request, "group", 1));
  if (strides.size() != spatial || dilations.size() != spatial || more.size() != spatial || pads.size() != 2 * spatial)
    return malformed(request, "", fmt::format("strides, dilations and output_padding need {} entries, pads {}", spatial, 2 * spatial));
  if (stated != own) return malformed(request, "", fmt::format("kernel_shape {} is not that of {}: {}", to_text(stated), w->name, to_text(kernel)));
  if (groups < 1 || kernel[0] % groups != 0 || kernel[0] != input[1])
    return malformed(request, "", fmt::format("{} input features and {} of {} in {} group(s)", input[1], kernel[0], w->name, groups));
  Call call{.x = x, .w = w, .groups = groups};
  for (std::size_t s = 0; s < spatial; ++s) {
    TransposedExtent extent{input[s + 2], own[s], strides[s], dilations[s], pads[s], pads[s + spatial], more[s]};
    if (extent.input < 1 || extent.kernel < 1 || extent.stride < 1 || extent.dilation < 1 || extent.low < 0 || extent.high < 0 || extent.output_padding < 0)
      return malformed(request, "", "extents, strides and dilations must be positive, pads not negative");
    if (std::max({extent.input, extent.kernel, extent.stride, extent.dilation, extent.low, extent.high, extent.output_padding}) > far)
      return fail(Errc::limit, fmt::format("{}: extent, stride, dilation or padding beyond 2^30", request.op), request.where);
    call.extents.push_back(extent);
  }
  TIEBREAK_CHECK(choose_padding(request, call));
  return call;
}

/// Cells: batch, group, feature within the group, places. Items: kernel places, input features.
Access input_access(const Call& call) {
  const int feature = static_cast<int>(call.extents.size());
  std::vector<Affine> positions{at_cell(0), Affine{.cell = {{1, call.features_in()}}, .item = {{feature, 1}}}};
  for (std::size_t s = 0; s < call.extents.size(); ++s) {
    const TransposedExtent& extent = call.extents[s];
    positions.push_back(Affine{.base = extent.low, .cell = {{static_cast<int>(s) + 3, 1}}, .item = {{static_cast<int>(s), -extent.dilation}}});
  }
  Access access = make_access(call.x->type.shape, std::move(positions));
  access.may_miss = true;
  for (std::size_t s = 0; s < call.extents.size(); ++s) {
    access.dimensions[s + 2].divisor = call.extents[s].stride;
    access.dimensions[s + 2].division = Division::hole;
  }
  return access;
}

}  // namespace

Result<Geometry> transposed_convolution_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(call, read(request));
  Geometry geometry;
  geometry.has_bag = true;
  const std::int64_t batch = call.x->type.shape[0], channels = call.groups * call.features_out();
  geometry.result_shape = {batch, channels};
  geometry.cell_extents = {batch, call.groups, call.features_out()};
  for (const TransposedExtent& extent : call.extents) {
    geometry.result_shape.push_back(extent.result());
    geometry.cell_extents.push_back(extent.result());
    geometry.item_extents.push_back(extent.kernel);
  }
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  const int feature = static_cast<int>(geometry.item_extents.size());
  geometry.item_extents.push_back(call.features_in());
  TIEBREAK_CHECK(element_count(geometry.item_extents).map([](std::int64_t) {}));
  geometry.fast_items = 1;
  geometry.operands[call.x->name] = input_access(call);
  std::vector<Affine> kernel{Affine{.cell = {{1, call.features_in()}}, .item = {{feature, 1}}}, at_cell(2)};
  for (std::size_t s = 0; s < call.extents.size(); ++s) kernel.push_back(at_item(static_cast<int>(s)));
  geometry.operands[call.w->name] = make_access(call.w->type.shape, std::move(kernel));
  const Affine channel{.cell = {{1, call.features_out()}, {2, 1}}};
  geometry.indices = {{"channel", channel}, {"batch", at_cell(0)}};
  geometry.extents = {{"channel", channels}, {"batch", batch}};
  std::vector<Affine> result{at_cell(0), channel};
  for (std::size_t s = 0; s < call.extents.size(); ++s) result.push_back(at_cell(static_cast<int>(s) + 3));
  geometry.result = make_access(geometry.result_shape, std::move(result));
  return geometry;
}

}  // namespace tiebreak::structure
