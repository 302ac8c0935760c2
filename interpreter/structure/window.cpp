// SPDX-License-Identifier: Apache-2.0
// window.onnx, window.tosa and window.torch: pooling. Batch, channel and places are cells, the places of the window are items; what lies outside the operand is
// in no bag. The attributes are those of ONNX's pools, and channels_last of com.microsoft. Without kernel_shape the window is the whole image. Those of TOSA
// are kernel, stride and pad, of images with channels last. Those of PyTorch are kernel_size, stride, padding, dilation and ceil_mode; a batch may be left out,
// and a result without elements is refused.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/structure/auto_pad.hpp"
#include "interpreter/structure/builders.hpp"
#include "interpreter/structure/padded_extent.hpp"

namespace tiebreak::structure {
namespace {

/// One spatial dimension of the window.
struct WindowExtent {
  std::int64_t size, kernel, stride, dilation, low, high;
  std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

/// How many windows fit. With ceil_mode one more may hang over the end, if it starts inside the operand or its padding in front; that may be the only one.
std::int64_t places(const WindowExtent& extent, bool ceil_mode) {
  const std::int64_t room = extent.low + extent.size + extent.high - extent.reach() + (ceil_mode ? extent.stride - 1 : 0);
  if (room < 0) return 0;
  std::int64_t count = room / extent.stride + 1;
  if (ceil_mode && (count - 1) * extent.stride >= extent.size + extent.low) --count;
  return count;
}

/// With SAME_UPPER and SAME_LOWER there are ceil(size / stride) windows.
void apply_auto_pad(AutoPad mode, WindowExtent& extent) {
  if (mode == AutoPad::not_set) return;
  const std::int64_t count = (extent.size + extent.stride - 1) / extent.stride;
  const std::int64_t total = mode == AutoPad::valid ? 0 : std::max<std::int64_t>(0, (count - 1) * extent.stride + extent.reach() - extent.size);
  const auto [low, high] = split_padding(total, mode == AutoPad::same_upper);
  extent.low = low;
  extent.high = high;
}

Status check_extent(const StructureRequest& request, const WindowExtent& extent) {
  if (extent.kernel < 1 || extent.stride < 1 || extent.dilation < 1 || extent.low < 0 || extent.high < 0)
    return malformed(request, "", "window, strides and dilations must be positive, pads not negative");
  if (std::max({extent.kernel, extent.stride, extent.dilation, extent.low, extent.high}) > far)
    return fail(Errc::limit, fmt::format("{}: kernel, stride, dilation or padding beyond 2^30", request.op), request.where);
  return {};
}

Result<std::vector<WindowExtent>> spatial_extents(const StructureRequest& request, const Shape& sizes) {
  const std::size_t rank = sizes.size();
  const Shape ones(rank, 1);
  TIEBREAK_TRY(kernel, integers(request, "kernel_shape", sizes));
  TIEBREAK_TRY(strides, integers(request, "strides", ones));
  TIEBREAK_TRY(dilations, integers(request, "dilations", ones));
  TIEBREAK_TRY(pads, integers(request, "pads", Shape(2 * rank, 0)));
  TIEBREAK_TRY(mode, auto_pad(request));
  if (kernel.size() != rank || strides.size() != rank || dilations.size() != rank || pads.size() != 2 * rank)
    return malformed(request, "", fmt::format("kernel_shape, strides, dilations need {} entries, pads {}", rank, 2 * rank));
  std::vector<WindowExtent> extents;
  for (std::size_t s = 0; s < rank; ++s) {
    WindowExtent extent{sizes[s], kernel[s], strides[s], dilations[s], pads[s], pads[s + rank]};
    TIEBREAK_CHECK(check_extent(request, extent));
    apply_auto_pad(mode, extent);
    extents.push_back(extent);
  }
  return extents;
}

/// The spatial dimensions of the operand, from `first` on.
struct Spatial {
  const StructureOperand* x;
  bool channels_last, ceil_mode;
  std::size_t first;
  std::vector<WindowExtent> extents;
};

Result<Spatial> spatial(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() < 3) return malformed(request, "", fmt::format("{} must have a rank of at least 3, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(channels_last, integer(request, "channels_last", 0));
  TIEBREAK_TRY(ceil_mode, integer(request, "ceil_mode", 0));
  const std::size_t first = channels_last != 0 ? 1 : 2;
  const auto start = shape.begin() + static_cast<std::ptrdiff_t>(first);
  TIEBREAK_TRY(extents, spatial_extents(request, Shape(start, start + static_cast<std::ptrdiff_t>(shape.size() - 2))));
  return Spatial{x, channels_last != 0, ceil_mode != 0, first, extents};
}

Result<Geometry> pooled(const Spatial& found) {
  const StructureOperand* x = found.x;
  const Shape& shape = x->type.shape;
  const std::size_t first = found.first, rank = found.extents.size();
  Geometry geometry;
  geometry.has_bag = true;
  geometry.taps = 1;
  geometry.result_shape = shape;
  std::vector<Affine> positions(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) positions[d] = at_cell(static_cast<int>(d));
  bool overhangs = false;
  for (std::size_t s = 0; s < rank; ++s) {
    const WindowExtent& extent = found.extents[s];
    const std::int64_t count = places(extent, found.ceil_mode);
    geometry.result_shape[first + s] = count;
    positions[first + s] =
        Affine{.base = -extent.low, .cell = {{static_cast<int>(first + s), extent.stride}}, .item = {{static_cast<int>(s), extent.dilation}}};
    geometry.item_extents.push_back(extent.kernel);
    geometry.taps *= extent.kernel;
    overhangs |= extent.low > 0 || (count - 1) * extent.stride + extent.reach() > extent.low + extent.size;
  }
  TIEBREAK_CHECK(element_count(geometry.result_shape).map([](std::int64_t) {}));
  TIEBREAK_CHECK(element_count(geometry.item_extents).map([](std::int64_t) {}));
  geometry.cell_extents = geometry.result_shape;
  Access access = make_access(shape, std::move(positions));
  access.may_miss = overhangs;
  geometry.operands[x->name] = std::move(access);
  const std::size_t channel = found.channels_last ? shape.size() - 1 : first - 1;
  geometry.indices["channel"] = at_cell(static_cast<int>(channel));
  geometry.extents["channel"] = shape[channel];
  if (channel > 0) {
    geometry.indices["batch"] = at_cell(0);
    geometry.extents["batch"] = shape[0];
  }
  std::vector<Affine> result_positions;
  for (std::size_t d = 0; d < shape.size(); ++d) result_positions.push_back(at_cell(static_cast<int>(d)));
  geometry.result = make_access(geometry.result_shape, std::move(result_positions));
  return geometry;
}

/// What TOSA calls kernel, stride and pad (before and behind each dimension).
Result<Spatial> spatial_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  if (shape.size() != 4) return malformed(request, "", fmt::format("{} must have rank 4, got {}", x->name, to_text(shape)));
  TIEBREAK_TRY(kernel, integers(request, "kernel", {}));
  TIEBREAK_TRY(strides, integers(request, "stride", {}));
  TIEBREAK_TRY(pads, integers(request, "pad", {}));
  if (kernel.size() != 2 || strides.size() != 2 || pads.size() != 4) return malformed(request, "", "kernel and stride need 2 entries, pad 4");
  Spatial found{.x = x, .channels_last = true, .ceil_mode = false, .first = 1, .extents = {}};
  for (std::size_t s = 0; s < 2; ++s) {
    const WindowExtent extent{shape[s + 1], kernel[s], strides[s], 1, pads[2 * s], pads[2 * s + 1]};
    TIEBREAK_CHECK(check_extent(request, extent));
    found.extents.push_back(extent);
  }
  return found;
}

/// PyTorch's lists, one number for each spatial dimension; without a stride windows lie side by side. The size of the kernel says how many there are.
Result<Spatial> spatial_torch(const StructureRequest& request) {
  TIEBREAK_TRY(x, argument_operand(request, 0));
  const Shape& shape = x->type.shape;
  TIEBREAK_TRY(kernel, integers(request, "kernel_size", {}));
  const std::size_t rank = kernel.size();
  if (rank == 0 || (shape.size() != rank + 1 && shape.size() != rank + 2))
    return malformed(request, "", fmt::format("{} has shape {}, expected {} spatial dimensions behind the channels", x->name, to_text(shape), rank));
  TIEBREAK_TRY(stated, integers(request, "stride", {}));
  const Shape strides = stated.empty() ? kernel : stated;
  TIEBREAK_TRY(padding, integers(request, "padding", Shape(rank, 0)));
  TIEBREAK_TRY(dilations, integers(request, "dilation", Shape(rank, 1)));
  TIEBREAK_TRY(ceil_mode, integer(request, "ceil_mode", 0));
  if (strides.size() != rank || padding.size() != rank || dilations.size() != rank)
    return malformed(request, "", fmt::format("kernel_size, stride, padding and dilation need {} entries", rank));
  Spatial found{.x = x, .channels_last = false, .ceil_mode = ceil_mode != 0, .first = shape.size() - rank, .extents = {}};
  for (std::size_t s = 0; s < rank; ++s) {
    const WindowExtent extent{shape[found.first + s], kernel[s], strides[s], dilations[s], padding[s], padding[s]};
    TIEBREAK_CHECK(check_extent(request, extent));
    if (places(extent, found.ceil_mode) == 0) return malformed(request, "", "the result would have no elements");
    found.extents.push_back(extent);
  }
  return found;
}

}  // namespace

Result<std::vector<PaddedExtent>> padded_extents(const StructureRequest& request) {
  std::vector<PaddedExtent> padded;
  if (request.path == "window.qnn") return padded_extents_qnn(request);
  if (request.path != "window.onnx") return padded;
  TIEBREAK_TRY(found, spatial(request));
  for (std::size_t s = 0; s < found.extents.size(); ++s) {
    const WindowExtent& extent = found.extents[s];
    const std::int64_t room = extent.low + extent.size + extent.high, count = places(extent, found.ceil_mode);
    PaddedExtent one{static_cast<int>(found.first + s), {}};
    for (std::int64_t place = 0; place < count; ++place)
      one.counts.push_back(std::min(extent.kernel, (room - place * extent.stride + extent.dilation - 1) / extent.dilation));
    padded.push_back(std::move(one));
  }
  return padded;
}

Result<Geometry> window_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(found, spatial(request));
  return pooled(found);
}

/// The same with channels last and no attribute that says so.
Result<Geometry> window_nhwc(const StructureRequest& request) {
  AttributeMap attributes = *request.attributes;
  attributes["channels_last"] = Attribute{Real(1)};
  StructureRequest last = request;
  last.attributes = &attributes;
  return window_onnx(last);
}

Result<Geometry> window_torch(const StructureRequest& request) {
  TIEBREAK_TRY(found, spatial_torch(request));
  return pooled(found);
}

Result<Geometry> window_tosa(const StructureRequest& request) {
  TIEBREAK_TRY(found, spatial_tosa(request));
  return pooled(found);
}

}  // namespace tiebreak::structure
