// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tflite/tflite_moves.hpp"

namespace tiebreak::oracle::tflite {

Places sliced(std::int64_t extent, std::optional<std::int64_t> begin, std::optional<std::int64_t> end, std::int64_t step) {
  const auto from_front = [&](std::int64_t place) { return place < 0 ? place + extent : place; };
  const auto reached = [&](std::int64_t place) { return end && (step > 0 ? place >= from_front(*end) : place <= from_front(*end)); };
  const std::int64_t first = step > 0 ? 0 : extent - 1;
  std::int64_t place = begin ? from_front(*begin) : first;
  if (step > 0 ? place < first : place > first) place = first;  // a beginning outside on the near side is the end of the line
  Places taken;
  for (; place >= 0 && place < extent && !reached(place); place += step) taken.push_back(place);
  return taken;
}

Places mirrored(std::int64_t extent, std::int64_t before, std::int64_t behind, bool twice) {
  const std::int64_t skipped = twice ? 0 : 1;
  Places places;
  for (std::int64_t i = before; i > 0; --i) places.push_back(i - 1 + skipped);
  for (std::int64_t i = 0; i < extent; ++i) places.push_back(i);
  for (std::int64_t i = 0; i < behind; ++i) places.push_back(extent - 1 - skipped - i);
  return places;
}

Move picked(const Index& shape, const std::vector<Places>& places, const Index& wanted) {
  std::vector<std::int64_t> from{0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::int64_t> next;
    for (std::int64_t before : from)
      for (std::int64_t place : places[d]) next.push_back(before * shape[d] + place);
    from = std::move(next);
  }
  Move move;
  move.shape = wanted;
  move.from = std::move(from);
  return move;
}

}  // namespace tiebreak::oracle::tflite
