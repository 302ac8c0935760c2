// SPDX-License-Identifier: Apache-2.0
// move.depth_to_space_onnx(x), move.space_to_depth_onnx(x): channels become places in a block of the image, and back. move.tile_onnx(x,
// repeats): the tensor over again along each axis.
#include <fmt/format.h>

#include "interpreter/movement/listed_elements.hpp"

namespace tiebreak::structure {
namespace {

struct Blocks {
  std::int64_t size;
  bool channels_first;  ///< mode CRD of depth_to_space: the channel of the result varies slowest, in DCR the place in the block does
};

Result<Blocks> read_blocks(const StructureRequest& request, const Shape& shape) {
  TIEBREAK_TRY(size, integer(request, "blocksize", 0));
  if (shape.size() != 4) return malformed(request, "", fmt::format("the operand must have four dimensions, got {}", to_text(shape)));
  if (size < 1 || size > far) return malformed(request, "", fmt::format("blocksize is {}", size));
  const auto mode = request.attributes->find("mode");
  const std::string word = mode == request.attributes->end() ? "DCR" : mode->second.as_string().value_or("?");
  if (word != "DCR" && word != "CRD") return malformed(request, "", fmt::format("mode is '{}'", word));
  return Blocks{size, word == "CRD"};
}

/// Calls f(image, channel, row, column) for each element of the shape in row-major order and collects what it gives.
template <class F>
std::vector<std::int64_t> listed_places(const Shape& shape, F f) {
  std::vector<std::int64_t> places;
  for (std::int64_t n = 0; n < shape[0]; ++n)
    for (std::int64_t c = 0; c < shape[1]; ++c)
      for (std::int64_t h = 0; h < shape[2]; ++h)
        for (std::int64_t w = 0; w < shape[3]; ++w) places.push_back(f(n, c, h, w));
  return places;
}

}  // namespace

Result<Geometry> move_depth_to_space_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(blocks, read_blocks(request, shape));
  const std::int64_t b = blocks.size;
  if (shape[1] % (b * b) != 0) return malformed(request, "", fmt::format("{} channels are not divisible by {}", shape[1], b * b));
  const Shape wanted{shape[0], shape[1] / (b * b), shape[2] * b, shape[3] * b};
  TIEBREAK_CHECK(element_count(wanted).map([](std::int64_t) {}));
  auto places = listed_places(wanted, [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    const std::int64_t inside = (h % b) * b + w % b;
    const std::int64_t channel = blocks.channels_first ? c * b * b + inside : inside * wanted[1] + c;
    return ((n * shape[1] + channel) * shape[2] + h / b) * shape[3] + w / b;
  });
  return listed_elements(request, *operand, wanted, std::move(places));
}

Result<Geometry> move_space_to_depth_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(blocks, read_blocks(request, shape));
  const std::int64_t b = blocks.size;
  if (shape[2] % b != 0 || shape[3] % b != 0) return malformed(request, "", fmt::format("{} is not divisible into blocks of {}", to_text(shape), b));
  const Shape wanted{shape[0], shape[1] * b * b, shape[2] / b, shape[3] / b};
  TIEBREAK_CHECK(element_count(wanted).map([](std::int64_t) {}));
  auto places = listed_places(wanted, [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    const std::int64_t channel = c % shape[1], inside = c / shape[1];
    return ((n * shape[1] + channel) * shape[2] + h * b + inside / b) * shape[3] + w * b + inside % b;
  });
  return listed_elements(request, *operand, wanted, std::move(places));
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
  TIEBREAK_CHECK(check_stated_shape(request, wanted, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, wanted));
  std::vector<Affine> positions;
  for (std::size_t d = 0; d < shape.size(); ++d) positions.push_back(at_cell(static_cast<int>(d)));
  Access access = make_access(shape, std::move(positions));
  for (std::size_t d = 0; d < shape.size() && geometry.cells() > 0; ++d) {
    auto list = std::make_shared<std::vector<std::int64_t>>();
    for (std::int64_t i = 0; i < wanted[d]; ++i) list->push_back(i % shape[d]);
    access.dimensions[d].listed = std::move(list);
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
