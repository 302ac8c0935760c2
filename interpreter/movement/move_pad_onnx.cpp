// SPDX-License-Identifier: Apache-2.0
// move.pad_onnx(x, amounts, axes, fill = v): x with places before and behind its elements. `mode` says what stands there: v, the nearest element, the elements
// mirrored at the ends, or x over again. Amounts below zero take elements away first. The amounts are an operand or, in older opsets, the attribute `pads`.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

/// One dimension: what is left of it after elements are taken away, and what is added.
struct PaddedDimension {
  std::int64_t first = 0, size = 0;  ///< of what is left
  std::int64_t before = 0, behind = 0;
};

/// Which of `size` elements stands at `place`, counted from the first of them.
std::int64_t repeated(const std::string& mode, std::int64_t place, std::int64_t size) {
  if (mode == "edge") return std::clamp<std::int64_t>(place, 0, size - 1);
  const std::int64_t period = mode == "wrap" ? size : std::max<std::int64_t>(1, 2 * (size - 1));
  const std::int64_t within = (place % period + period) % period;
  return mode == "reflect" && within >= size ? period - within : within;
}

/// The amounts of each dimension: all before first, then all behind, of the axes named or of all.
Result<std::vector<PaddedDimension>> read_amounts(const StructureRequest& request, const Shape& shape) {
  TIEBREAK_TRY(amounts, steered(request, 1, "pads"));
  if (!amounts) return malformed(request, "", "the amounts are neither an operand nor an attribute");
  TIEBREAK_TRY(named, steered(request, 2, "axes"));
  Shape axes = named.value_or(Shape{});
  for (std::size_t d = 0; !named && d < shape.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  TIEBREAK_CHECK(axes_from_front(request, axes, shape.size()).map([](const auto&) {}));
  if (amounts->size() != 2 * axes.size())
    return malformed(request, "", fmt::format("{} amounts for {} dimensions, two of each expected", amounts->size(), axes.size()));
  std::vector<PaddedDimension> all(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) all[d].size = shape[d];
  for (std::size_t i = 0; i < axes.size(); ++i) {
    PaddedDimension& one = all[static_cast<std::size_t>(axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(shape.size()) : axes[i])];
    const std::int64_t before = (*amounts)[i], behind = (*amounts)[i + axes.size()];
    one.first = std::max<std::int64_t>(0, -before);
    one.size -= one.first + std::max<std::int64_t>(0, -behind);
    one.before = std::max<std::int64_t>(0, before);
    one.behind = std::max<std::int64_t>(0, behind);
    if (one.size < 0) return malformed(request, "", fmt::format("more elements are taken away than there are along axis {}", axes[i]));
  }
  return all;
}

}  // namespace

Result<Geometry> move_pad_onnx(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const Shape& shape = operand->type.shape;
  TIEBREAK_TRY(paddings, read_amounts(request, shape));
  const auto found = request.attributes->find("mode");
  const std::string mode = found == request.attributes->end() ? "constant" : found->second.as_string().value_or("constant");
  Shape padded;
  for (const PaddedDimension& one : paddings) padded.push_back(one.before + one.size + one.behind);
  TIEBREAK_CHECK(check_stated_shape(request, padded, ""));
  TIEBREAK_TRY(geometry, cells_of_result(request, padded));
  std::vector<Affine> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(at_cell(static_cast<int>(d)));
  if (mode == "constant")
    for (std::size_t d = 0; d < shape.size(); ++d) places[d].base = paddings[d].first - paddings[d].before;
  Access access = make_access(shape, std::move(places));
  access.may_miss = mode == "constant";
  const bool lists = mode != "constant" && geometry.cells() > 0;  // an empty result may have one dimension beyond any list
  for (std::size_t d = 0; d < shape.size() && lists; ++d) {
    const PaddedDimension& one = paddings[d];
    if (one.size == 0) return malformed(request, "", fmt::format("there is nothing to repeat along axis {}", d));
    auto listed = std::make_shared<std::vector<std::int64_t>>();
    for (std::int64_t i = 0; i < padded[d]; ++i) listed->push_back(one.first + repeated(mode, i - one.before, one.size));
    access.dimensions[d].listed = std::move(listed);
  }
  geometry.operands[operand->name] = std::move(access);
  return std::move(geometry);
}

}  // namespace tiebreak::structure
