// SPDX-License-Identifier: Apache-2.0
// move.depth_to_space_onnx(x), move.space_to_depth_onnx(x): channels become places in a block of the image, and back. move.depth_to_space_relay(x),
// move.space_to_depth_relay(x): the same, steered by block_size, mode and layout; move.depth_to_space_tflite(x), move.space_to_depth_tflite(x): by block_size,
// channels last. move.tile_onnx(x, repeats): the tensor over again along each axis.
#include <fmt/format.h>

#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {
namespace {

/// An image's extents and the place of an element in it, channels before the rows or behind the columns.
struct Image {
  std::int64_t images, channels, rows, columns;
  bool channels_last;
  Shape shape() const { return channels_last ? Shape{images, rows, columns, channels} : Shape{images, channels, rows, columns}; }
  std::int64_t at(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) const {
    return channels_last ? ((n * rows + h) * columns + w) * channels + c : ((n * channels + c) * rows + h) * columns + w;
  }
};

struct Blocks {
  std::int64_t size;
  bool channels_first;  ///< mode CRD of depth_to_space: the channel of the result varies slowest, in DCR the place in the block does
  Image image;
  std::string label;  ///< of what is refused; TensorFlow Lite's pages number it
};

Result<Blocks> read_blocks(const StructureRequest& request, const Shape& shape) {
  const bool relay = request.path.ends_with("_relay"), tflite = request.path.ends_with("_tflite");
  TIEBREAK_TRY(size, integer(request, relay || tflite ? "block_size" : "blocksize", relay ? 1 : 0));
  if (shape.size() != 4) return malformed(request, "", fmt::format("the operand must have four dimensions, got {}", to_text(shape)));
  const std::string label = tflite ? "E1" : "";
  if (size < 1 || size > far) return malformed(request, label, fmt::format("the size of a block is {}", size));
  const std::string mode = word_of(request, "mode", "DCR"), layout = relay ? word_of(request, "layout", "NCHW") : tflite ? "NHWC" : "NCHW";
  if (mode != "DCR" && mode != "CRD" && !(relay && mode == "CDR")) return malformed(request, "", fmt::format("mode is '{}'", mode));
  if (layout != "NCHW" && layout != "NHWC") return malformed(request, "", fmt::format("layout is '{}', expected NCHW or NHWC", layout));
  if (layout == "NHWC") return Blocks{size, mode != "DCR", {shape[0], shape[3], shape[1], shape[2], true}, label};
  return Blocks{size, mode != "DCR", {shape[0], shape[1], shape[2], shape[3], false}, label};
}

/// The result's image: each element of it is the operand's at the place that f(image, channel, row, column) gives.
template <class F>
Result<Geometry> listed_image(const StructureRequest& request, const StructureOperand& operand, const Image& wanted, F f) {
  const Shape shape = wanted.shape();
  TIEBREAK_TRY(count, element_count(shape));
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  for (std::int64_t n = 0; n < wanted.images; ++n)
    for (std::int64_t c = 0; c < wanted.channels; ++c)
      for (std::int64_t h = 0; h < wanted.rows; ++h)
        for (std::int64_t w = 0; w < wanted.columns; ++w) places[static_cast<std::size_t>(wanted.at(n, c, h, w))] = f(n, c, h, w);
  return listed_elements(request, operand, shape, std::move(places));
}

}  // namespace

Result<Geometry> move_depth_to_space(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(blocks, read_blocks(request, operand->type.shape));
  const std::int64_t b = blocks.size;
  const Image& image = blocks.image;
  if (image.channels % (b * b) != 0) return malformed(request, blocks.label, fmt::format("{} channels are not divisible by {}", image.channels, b * b));
  const Image wanted{image.images, image.channels / (b * b), image.rows * b, image.columns * b, image.channels_last};
  return listed_image(request, *operand, wanted, [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    const std::int64_t inside = (h % b) * b + w % b;
    return image.at(n, blocks.channels_first ? c * b * b + inside : inside * wanted.channels + c, h / b, w / b);
  });
}

Result<Geometry> move_space_to_depth(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(blocks, read_blocks(request, operand->type.shape));
  const std::int64_t b = blocks.size;
  const Image& image = blocks.image;
  if (image.rows % b != 0 || image.columns % b != 0)
    return malformed(request, blocks.label, fmt::format("{} is not divisible into blocks of {}", to_text(operand->type.shape), b));
  const Image wanted{image.images, image.channels * b * b, image.rows / b, image.columns / b, image.channels_last};
  return listed_image(request, *operand, wanted, [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    const std::int64_t inside = c / image.channels;
    return image.at(n, c % image.channels, h * b + inside / b, w * b + inside % b);
  });
}

Result<Geometry> move_tile_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(repeats, steered(request, 1, "repeats"));
  if (!repeats || repeats->size() != shape.size()) return malformed(request, "", fmt::format("repeats must have {} entries", shape.size()));
  Shape wanted = shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if ((*repeats)[d] < 0) return malformed(request, "", fmt::format("repeats has {}", (*repeats)[d]));
    if (shape[d] > 0 && (*repeats)[d] > far_index / shape[d]) return fail(Errc::limit, fmt::format("{}: {} repeats", request.op, (*repeats)[d]), request.where);
    wanted[d] *= (*repeats)[d];
  }
  return listed_along(request, *operand, wanted, "", [&](std::size_t d, std::int64_t i) { return i % shape[d]; });
}

}  // namespace tiebreak::structure
