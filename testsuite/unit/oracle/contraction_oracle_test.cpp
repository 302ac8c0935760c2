// SPDX-License-Identifier: Apache-2.0
// Sanity of the plain-loop contractions against sums worked out by hand and against each other.
#include "testsuite/oracle/contraction_oracle.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tiebreak::oracle {
namespace {

using Codes = std::vector<std::int32_t>;

TEST(ContractionOracle, matmul_with_zero_points) {
  const Codes a{1, 2, 3, 4, 5, 6}, b{7, 8, 9, 10, 11, 12};
  EXPECT_EQ(matmul(a, b, {2, 3, 2}, {}, {}), (Codes{58, 64, 139, 154}));
  EXPECT_EQ(matmul(a, b, {2, 3, 2}, Codes{1}, Codes{}), (Codes{31, 34, 112, 124}));
  EXPECT_EQ(matmul(a, b, {2, 3, 2}, Codes{1, 4}, Codes{7, 8}), (Codes{10, 10, 10, 10}));
}

TEST(ContractionOracle, matmul_wraps_and_pairs_saturate) {
  const Codes a(66400, 255), b(66400, 127);
  EXPECT_EQ(matmul(a, b, {1, 66400, 1}, {}, {}), Codes{-2144603296});
  const Codes shorter_a(64, 255), shorter_b(64, 127);
  EXPECT_EQ(matmul(shorter_a, shorter_b, {1, 64, 1}, {}, {}), Codes{2072640});
  EXPECT_EQ(matmul(shorter_a, shorter_b, {1, 64, 1}, {}, {}, Accumulator::pairs), Codes{32 * 32767});
  const Codes small(64, 64);
  EXPECT_EQ(matmul(shorter_a, small, {1, 64, 1}, Codes{3}, Codes{-5}, Accumulator::pairs), matmul(shorter_a, small, {1, 64, 1}, Codes{3}, Codes{-5}));
}

TEST(ContractionOracle, empty_depth_is_zero) { EXPECT_EQ(matmul({}, {}, {2, 0, 2}, {}, {}), (Codes{0, 0, 0, 0})); }

ConvolutionShape plane(std::vector<std::int64_t> input, std::vector<std::int64_t> kernel) {
  ConvolutionShape shape;
  shape.input = std::move(input);
  shape.kernel = std::move(kernel);
  shape.strides = shape.dilations = std::vector<std::int64_t>(shape.input.size(), 1);
  shape.pads_begin = shape.pads_end = std::vector<std::int64_t>(shape.input.size(), 0);
  return shape;
}

TEST(ContractionOracle, convolution_by_hand) {
  ConvolutionShape shape = plane({4}, {2});
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 1}, shape, 0, {}), (Codes{12, 23, 34}));
  shape.pads_begin = {1};
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 1}, shape, 1, {}), (Codes{0, 1, 12, 23}));
  shape.dilations = {2};
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 1}, shape, 0, {}), (Codes{2, 13, 24}));
  shape.strides = {2};
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 1}, shape, 0, {}), (Codes{2, 24}));
  shape.pads_end = {1};
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 1}, shape, 0, Codes{1}), (Codes{0, 18}));
}

TEST(ContractionOracle, padding_does_not_read_the_next_channel) {
  ConvolutionShape shape = plane({2}, {2});
  shape.channels = 2;
  shape.pads_begin = shape.pads_end = {1};
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{1, 10, 100, 1000}, shape, 0, {}), (Codes{3010, 4321, 402}));
}

TEST(ContractionOracle, depthwise_keeps_channels_apart) {
  ConvolutionShape shape = plane({2}, {1});
  shape.channels = shape.features = shape.groups = 2;
  EXPECT_EQ(convolution(Codes{1, 2, 3, 4}, Codes{10, 100}, shape, 0, Codes{0, 1}), (Codes{10, 20, 297, 396}));
}

TEST(ContractionOracle, pointwise_convolution_is_a_matmul) {
  std::mt19937 random(1);
  ConvolutionShape shape = plane({3, 5}, {1, 1});
  shape.channels = 7;
  shape.features = 4;
  Codes x(7 * 15), w(4 * 7);
  for (auto& code : x) code = static_cast<std::int32_t>(random() % 256);
  for (auto& code : w) code = static_cast<std::int32_t>(random() % 256) - 128;
  EXPECT_EQ(convolution(x, w, shape, 9, Codes{-3}), matmul(w, x, {4, 7, 15}, Codes{-3}, Codes{9}));
}

TEST(ContractionOracle, no_room_gives_no_output) {
  EXPECT_EQ(output_extents(plane({2}, {3})), std::vector<std::int64_t>{0});
  EXPECT_TRUE(convolution(Codes{1, 2}, Codes{1, 1, 1}, plane({2}, {3}), 0, {}).empty());
}

TEST(ContractionOracle, wrapping_add_wraps) { EXPECT_EQ(wrapping_add(std::numeric_limits<std::int32_t>::max(), 1), std::numeric_limits<std::int32_t>::min()); }

}  // namespace
}  // namespace tiebreak::oracle
