// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx_shapes.hpp"

#include <algorithm>
#include <map>

namespace tiebreak::oracle::onnx {
namespace {

std::int64_t count(const Index& shape) {
  std::int64_t all = 1;
  for (std::int64_t extent : shape) all *= extent;
  return all;
}

bool contains(const Index& list, std::int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

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
    if (extent == -1) extent = count(operand) / others;
  return result;
}

Index flatten(const Index& operand, std::int64_t axis) {
  const std::int64_t split = axis < 0 ? axis + static_cast<std::int64_t>(operand.size()) : axis;
  return {count(Index(operand.begin(), operand.begin() + split)), count(Index(operand.begin() + split, operand.end()))};
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
      for (std::int64_t at = std::min(std::max<std::int64_t>(start, 0), extent - 1); at > std::max<std::int64_t>(end, -1) && at >= 0; at += step) list.push_back(at);
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

}  // namespace tiebreak::oracle::onnx
