// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_shapes.hpp"

#include <algorithm>
#include <map>

#include "testsuite/oracle/extents.hpp"

namespace tiebreak::oracle::onnx {
namespace {

Index from_front(const Index& axes, std::size_t rank) {
  Index positive;
  for (std::int64_t axis : axes) positive.push_back(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
  return positive;
}

}  // namespace

Index reshape(const Index& operand, const Index& shape) {
  Index result = shape;
  std::int64_t others = 1;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (result[d] == 0) result[d] = operand[d];
    if (result[d] != -1) others *= result[d];
  }
  for (std::int64_t& extent : result)
    if (extent == -1) extent = volume(operand) / others;
  return result;
}

Index flatten(const Index& operand, std::int64_t axis) {
  const std::int64_t split = axis < 0 ? axis + static_cast<std::int64_t>(operand.size()) : axis;
  return {volume(Index(operand.begin(), operand.begin() + split)), volume(Index(operand.begin() + split, operand.end()))};
}

Index squeeze(const Index& operand, const std::optional<Index>& axes) {
  Index result;
  const Index gone = from_front(axes.value_or(Index{}), operand.size());
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const bool goes = axes ? contains(gone, static_cast<std::int64_t>(d)) : operand[d] == 1;
    if (!goes) result.push_back(operand[d]);
  }
  return result;
}

Index unsqueeze(const Index& operand, const Index& axes) {
  Index result = operand, places = from_front(axes, operand.size() + axes.size());
  std::sort(places.begin(), places.end());
  for (std::int64_t place : places) result.insert(result.begin() + place, 1);
  return result;
}

Move slice(const Index& operand, const Index& starts, const Index& ends, const Index& axes, const Index& steps) {
  std::vector<Index> taken;  // along each dimension
  for (std::int64_t extent : operand) {
    taken.emplace_back();
    for (std::int64_t i = 0; i < extent; ++i) taken.back().push_back(i);
  }
  const Index places = from_front(axes, operand.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t extent = operand[static_cast<std::size_t>(places[i])], step = steps[i];
    const std::int64_t start = starts[i] < 0 ? starts[i] + extent : starts[i], end = ends[i] < 0 ? ends[i] + extent : ends[i];
    Index& list = taken[static_cast<std::size_t>(places[i])];
    list.clear();
    if (step > 0)
      for (std::int64_t at = std::max<std::int64_t>(start, 0); at < std::min(end, extent); at += step) list.push_back(at);
    else
      for (std::int64_t at = std::min(std::max<std::int64_t>(start, 0), extent - 1); at > std::max<std::int64_t>(end, -1) && at >= 0; at += step)
        list.push_back(at);
  }
  Move move;
  for (const Index& list : taken) move.shape.push_back(static_cast<std::int64_t>(list.size()));
  for (const Index& at : index_space(move.shape)) {
    Index from;
    for (std::size_t d = 0; d < at.size(); ++d) from.push_back(taken[d][static_cast<std::size_t>(at[d])]);
    move.from.push_back(flat(operand, from));
  }
  return move;
}

Reduction reduce(const Index& operand, const Index& axes, bool keep) {
  Index gone = from_front(axes, operand.size());
  if (axes.empty())
    for (std::size_t d = 0; d < operand.size(); ++d) gone.push_back(static_cast<std::int64_t>(d));
  Reduction result;
  std::map<Index, std::vector<std::int64_t>> lines;
  for (const Index& at : index_space(operand)) {
    Index line;
    for (std::size_t d = 0; d < at.size(); ++d)
      if (!contains(gone, static_cast<std::int64_t>(d))) line.push_back(at[d]);
    lines[line].push_back(flat(operand, at));
  }
  for (std::size_t d = 0; d < operand.size(); ++d) {
    if (!contains(gone, static_cast<std::int64_t>(d))) result.shape.push_back(operand[d]);
    else if (keep) result.shape.push_back(1);
  }
  for (auto& [line, elements] : lines) result.from.push_back(std::move(elements));
  return result;
}

Move depth_to_space(const Index& operand, std::int64_t block, bool channels_first) {
  const std::int64_t channels = operand[1] / (block * block);
  const Index split =
      channels_first ? Index{operand[0], channels, block, block, operand[2], operand[3]} : Index{operand[0], block, block, channels, operand[2], operand[3]};
  Move move = transpose(split, channels_first ? Index{0, 1, 4, 2, 5, 3} : Index{0, 3, 4, 1, 5, 2});
  move.shape = {operand[0], channels, operand[2] * block, operand[3] * block};
  return move;
}

Move space_to_depth(const Index& operand, std::int64_t block) {
  Move move = transpose({operand[0], operand[1], operand[2] / block, block, operand[3] / block, block}, {0, 3, 5, 1, 2, 4});
  move.shape = {operand[0], operand[1] * block * block, operand[2] / block, operand[3] / block};
  return move;
}

Move tile(const Index& operand, const Index& repeats) {
  Move move;
  for (std::size_t d = 0; d < operand.size(); ++d) move.shape.push_back(operand[d] * repeats[d]);
  for (Index place : index_space(move.shape)) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < operand.size(); ++d) flat = flat * operand[d] + place[d] % operand[d];
    move.from.push_back(flat);
  }
  return move;
}

Move top(const Index& operand, const std::vector<double>& values, std::int64_t axis, std::int64_t k, bool largest) {
  Move move{operand, {}};
  move.shape[static_cast<std::size_t>(axis)] = k;
  std::int64_t stride = 1;
  for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < operand.size(); ++d) stride *= operand[d];
  const std::int64_t length = operand[static_cast<std::size_t>(axis)];
  for (const Index& place : index_space(move.shape)) {
    std::int64_t first = 0;  // of the line
    for (std::size_t d = 0; d < operand.size(); ++d) first = first * operand[d] + (static_cast<std::int64_t>(d) == axis ? 0 : place[d]);
    std::vector<bool> taken(static_cast<std::size_t>(length));
    std::int64_t best = -1;
    for (std::int64_t rank = 0; rank <= place[static_cast<std::size_t>(axis)]; ++rank) {
      best = -1;
      for (std::int64_t i = 0; i < length; ++i) {
        if (taken[static_cast<std::size_t>(i)]) continue;
        const double value = values[static_cast<std::size_t>(first + i * stride)],
                     known = best < 0 ? 0 : values[static_cast<std::size_t>(first + best * stride)];
        if (best < 0 || (largest ? value > known : value < known)) best = i;
      }
      taken[static_cast<std::size_t>(best)] = true;
    }
    move.from.push_back(first + best * stride);
  }
  return move;
}

}  // namespace tiebreak::oracle::onnx
