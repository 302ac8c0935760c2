// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's movement against lists of places, over random small shapes.
#include <gtest/gtest.h>

#include "testsuite/oracle/tflite/tflite_moves.hpp"
#include "testsuite/unit/structure/move_request.hpp"

namespace tiebreak::moves {
namespace {

namespace twin = oracle::tflite;

/// One call a round, each with its seed in the trace.
template <class Body>
void each_tflite_round(Body body) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(round);
    SCOPED_TRACE("seed " + std::to_string(own));
    Random random(own);
    body(random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// A slice as it is written, entry by entry, and what it takes.
struct Written {
  Shape begin{}, end{}, strides{}, wanted{};
  std::vector<twin::Places> places{};
  std::int64_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0;

  void entry(std::int64_t b, std::int64_t e, std::int64_t s) { begin.push_back(b), end.push_back(e), strides.push_back(s); }
  std::int64_t bit() const { return std::int64_t{1} << begin.size(); }
  void whole(std::int64_t extent) {
    places.push_back(twin::sliced(extent, std::nullopt, std::nullopt, 1));
    wanted.push_back(extent);
  }
  void dimension(Random& random, std::int64_t extent) {
    if (extent > 0 && random.between(0, 3) == 0) {  // one element, without its dimension
      const std::int64_t place = random.between(-extent, extent - 1);
      shrink_axis_mask |= bit();
      entry(place, random.between(-3, 3), random.between(1, 2));
      places.push_back({place < 0 ? place + extent : place});
      return;
    }
    std::optional<std::int64_t> first = random.between(-extent - 2, extent + 2), last = random.between(-extent - 2, extent + 2);
    const std::int64_t step = random.between(0, 1) == 0 ? random.between(1, 3) : -random.between(1, 3);
    const std::int64_t from = *first, to = *last;
    if (random.between(0, 2) == 0) begin_mask |= bit(), first.reset();
    if (random.between(0, 2) == 0) end_mask |= bit(), last.reset();
    entry(from, to, step);
    places.push_back(twin::sliced(extent, first, last, step));
    wanted.push_back(static_cast<std::int64_t>(places.back().size()));
  }
};

Call strided_call(const Shape& shape, const Written& one, const Tensor& begin, const Tensor& end, const Tensor& strides) {
  const auto number = [](std::int64_t value) { return Attribute{Real(value)}; };
  return {.path = "move.strided_slice_tflite",
          .operands = {{"x", i8(shape)}, {"begin", begin.type(), &begin}, {"end", end.type(), &end}, {"strides", strides.type(), &strides}},
          .attributes = {{"begin_mask", number(one.begin_mask)},
                         {"end_mask", number(one.end_mask)},
                         {"ellipsis_mask", number(one.ellipsis_mask)},
                         {"new_axis_mask", number(one.new_axis_mask)},
                         {"shrink_axis_mask", number(one.shrink_axis_mask)}},
          .arguments = 4};
}

TEST(TfliteMoves, StridedSlicesWithEveryMask) {
  each_tflite_round([](Random& random) {
    const Shape shape = random.shape();
    const std::int64_t rank = static_cast<std::int64_t>(shape.size()), named = random.between(0, rank);
    const std::int64_t hole = named < rank ? random.between(0, named) : rank;  // the dimension at which an ellipsis stands, where it does
    const bool shows = named < rank && random.between(0, 1) == 1;
    Written one;
    std::size_t d = 0;
    for (std::int64_t i = 0; i <= named; ++i) {
      if (random.between(0, 4) == 0) {
        one.new_axis_mask |= one.bit();
        one.entry(random.between(-3, 3), random.between(-3, 3), 1);
        one.wanted.push_back(1);
      }
      if (shows && i == hole) {
        one.ellipsis_mask |= one.bit();
        if (random.between(0, 1) == 0) one.new_axis_mask |= one.bit();  // has no effect there
        one.entry(random.between(-3, 3), random.between(-3, 3), 1);
        for (std::int64_t k = named; k < rank; ++k) one.whole(shape[d++]);
      }
      if (i < named) one.dimension(random, shape[d++]);
    }
    while (d < shape.size()) one.whole(shape[d++]);
    const Shape count{static_cast<std::int64_t>(one.begin.size())};
    const Tensor begin = index_tensor("i32", count, one.begin), end = index_tensor("i32", count, one.end), strides = index_tensor("i32", count, one.strides);
    expect_move(strided_call(shape, one, begin, end, strides).build(), "x", twin::picked(shape, one.places, one.wanted));
  });
}

TEST(TfliteMoves, WhatAStridedSliceRefuses) {
  const auto refuses = [](const Shape& shape, const Written& one, const std::string& what) {
    const Shape count{static_cast<std::int64_t>(one.begin.size())};
    const Tensor begin = index_tensor("i32", count, one.begin), end = index_tensor("i32", count, one.end), strides = index_tensor("i32", count, one.strides);
    const auto geometry = strided_call(shape, one, begin, end, strides).build();
    ASSERT_FALSE(geometry) << what;
    EXPECT_NE(geometry.error().what.find(what), std::string::npos) << to_text(geometry.error());
  };
  refuses({3}, {.begin = {0}, .end = {1}, .strides = {0}}, "a stride is 0");
  refuses({3}, {.begin = {0, 0}, .end = {1, 1}, .strides = {1, 1}}, "2 entries and 0 ellipses for 1 dimensions");
  refuses({3}, {.begin = {0, 0}, .end = {1, 1}, .strides = {1, 1}, .ellipsis_mask = 2}, "1 entries and 1 ellipses for 1 dimensions");
  refuses({3, 3}, {.begin = {0, 0}, .end = {1, 1}, .strides = {1, 1}, .ellipsis_mask = 3}, "ellipsis_mask is 3");
  refuses({3}, {.begin = {3}, .end = {1}, .strides = {1}, .shrink_axis_mask = 1}, "has no one element at 3");
  refuses({3}, {.begin = {1}, .end = {1}, .strides = {-1}, .shrink_axis_mask = 1}, "with stride -1");
}

TEST(TfliteMoves, MirroredPlaces) {
  each_tflite_round([](Random& random) {
    const Shape shape = random.shape(1, 1);
    const bool twice = random.between(0, 1) == 1;
    Shape wanted;
    std::vector<std::int64_t> amounts;
    std::vector<twin::Places> places;
    for (std::int64_t extent : shape) {
      const std::int64_t most = extent - (twice ? 0 : 1);
      amounts.push_back(random.between(0, most)), amounts.push_back(random.between(0, most));
      places.push_back(twin::mirrored(extent, amounts[amounts.size() - 2], amounts.back(), twice));
      wanted.push_back(static_cast<std::int64_t>(places.back().size()));
    }
    const Tensor paddings = index_tensor("i32", {static_cast<std::int64_t>(shape.size()), 2}, amounts);
    const Call call{.path = "move.mirror_pad_tflite",
                    .operands = {{"x", i8(shape)}, {"paddings", paddings.type(), &paddings}},
                    .attributes = {{"mode", Attribute{std::string(twice ? "SYMMETRIC" : "REFLECT")}}},
                    .arguments = 2};
    expect_move(call.build(), "x", twin::picked(shape, places, wanted));
  });
}

}  // namespace
}  // namespace tiebreak::moves
