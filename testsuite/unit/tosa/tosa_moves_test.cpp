// SPDX-License-Identifier: Apache-2.0
// TOSA's movement against the loops of its text: every element of the input is a number of its own, so that what lands where is seen.
#include "testsuite/oracle/tosa/tosa_moves.hpp"

#include <algorithm>
#include <numeric>

#include "testsuite/unit/helpers/tosa_calls.hpp"

namespace tiebreak::tosa_test {
namespace {

namespace twin = oracle::tosa;

constexpr double padding_value = -7;

std::int64_t count_of(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()); }

/// Elements first, first + 1, ...
Tensor counted(const std::string& type, const Shape& shape, std::int64_t first = 0) {
  std::vector<double> values(static_cast<std::size_t>(count_of(shape)));
  std::iota(values.begin(), values.end(), static_cast<double>(first));
  return tensor_of(type, shape, values);
}

Shape drawn_shape(Draws& draws, std::int64_t least_rank = 1) {
  Shape shape;
  for (std::int64_t d = draws.between(least_rank, 4); d > 0; --d) shape.push_back(draws.between(1, 5));
  return shape;
}

std::vector<double> elements_of(const twin::Moved& moved) {
  std::vector<double> values;
  for (std::int64_t from : moved.from) values.push_back(from < 0 ? padding_value : static_cast<double>(from));
  return values;
}

void expect_moved(const OpCall& call, const twin::Moved& expected, int round) {
  EXPECT_EQ(wrong(given_result(call), expected.shape, elements_of(expected), call.op + " round " + std::to_string(round)), 0);
}

constexpr const char* types[] = {"i16", "i32", "f32"};

TEST(TosaMoves, OfOneTensor) {
  Draws draws(seed + 30);
  for (int round = 0; round < 120 && !HasFailure(); ++round) {
    const std::string type = types[round % 3];
    const Shape shape = drawn_shape(draws);
    const std::size_t rank = shape.size();
    const Tensor input = counted(type, shape);
    const std::int64_t axis = draws.between(0, static_cast<std::int64_t>(rank) - 1);
    expect_moved({.op = "tosa.REVERSE", .operands = {input}, .attributes = {{"axis", Attribute{Real(axis)}}}}, twin::reverse(shape, axis), round);
    Shape start, size, multiples, perms(rank), padding;
    for (std::int64_t extent : shape) {
      start.push_back(draws.between(0, extent - 1));
      size.push_back(draws.between(1, extent - start.back()));
      multiples.push_back(draws.between(1, 3));
      padding.push_back(draws.between(0, 2));
      padding.push_back(draws.between(0, 2));
    }
    std::iota(perms.begin(), perms.end(), 0);
    for (std::size_t d = rank; d > 1; --d) std::swap(perms[d - 1], perms[static_cast<std::size_t>(draws.between(0, static_cast<std::int64_t>(d) - 1))]);
    expect_moved({.op = "tosa.SLICE", .operands = {input, numbers(start), numbers(size)}}, twin::slice(shape, start, size), round);
    expect_moved({.op = "tosa.TILE", .operands = {input, numbers(multiples)}}, twin::tile(shape, multiples), round);
    expect_moved({.op = "tosa.TRANSPOSE", .operands = {input}, .attributes = {{"perms", Attribute::integers(perms)}}}, twin::transpose(shape, perms), round);
    expect_moved({.op = "tosa.PAD", .operands = {input, numbers(padding), one(type, padding_value)}}, twin::pad(shape, padding), round);
    Shape reshaped = shape;
    std::ranges::reverse(reshaped);
    twin::Moved same{reshaped};
    for (std::int64_t i = 0; i < count_of(shape); ++i) same.from.push_back(i);
    expect_moved({.op = "tosa.RESHAPE", .operands = {input, numbers(reshaped)}}, same, round);
  }
}

TEST(TosaMoves, Concatenations) {
  Draws draws(seed + 31);
  for (int round = 0; round < 80 && !HasFailure(); ++round) {
    Shape shape = drawn_shape(draws);
    const std::int64_t axis = draws.between(0, static_cast<std::int64_t>(shape.size()) - 1);
    OpCall call{.op = "tosa.CONCAT", .attributes = {{"axis", Attribute{Real(axis)}}}};
    std::vector<Shape> shapes;
    std::int64_t first = 0;
    for (std::int64_t members = draws.between(1, 4); members > 0; --members) {
      shape[static_cast<std::size_t>(axis)] = draws.between(1, 3);
      shapes.push_back(shape);
      call.operands.push_back(counted(types[round % 3], shape, first));
      first += count_of(shape);
    }
    expect_moved(call, twin::concat(shapes, axis), round);
  }
}

std::vector<std::optional<double>> numbers_of(const std::vector<std::optional<std::int64_t>>& from) {
  std::vector<std::optional<double>> values;
  for (const auto& one_of : from) values.push_back(one_of ? std::optional(static_cast<double>(*one_of)) : std::nullopt);
  return values;
}

TEST(TosaMoves, RowsByTheirNumbers) {
  Draws draws(seed + 32);
  int lost = 0, elements = 0;
  for (int round = 0; round < 120 && !HasFailure(); ++round) {
    const std::string type = types[round % 3];
    const Shape values{draws.between(1, 3), draws.between(1, 6), draws.between(1, 3)}, indices{values[0], draws.between(1, 5)};
    std::vector<std::int64_t> chosen;
    const bool outside = draws.once_in(3);
    for (std::int64_t i = 0; i < count_of(indices); ++i)
      chosen.push_back(outside && draws.once_in(6) ? (draws.once_in(2) ? -1 : values[1]) : draws.between(0, values[1] - 1));
    const Tensor index = codes_tensor("i32", indices, chosen);
    const auto gathered = numbers_of(twin::gather(values, indices, chosen)), scattered = numbers_of(twin::scatter(values, indices, chosen));
    const Shape rows{values[0], indices[1], values[2]};
    const std::string what = " round " + std::to_string(round);
    EXPECT_EQ(wrong(given_result({.op = "tosa.GATHER", .operands = {counted(type, values), index}}), rows, gathered, "GATHER" + what), 0);
    EXPECT_EQ(wrong(given_result({.op = "tosa.SCATTER", .operands = {counted(type, values), index, counted(type, rows, count_of(values))}}), values, scattered,
                    "SCATTER" + what),
              0);
    for (const auto* all : {&gathered, &scattered})
      for (const auto& value : *all) ++elements, lost += value ? 0 : 1;
  }
  std::printf("  %d elements, %d undefined\n", elements, lost);
  EXPECT_GT(lost, elements / 50);
  EXPECT_LT(lost, elements * 2 / 3);
}

}  // namespace
}  // namespace tiebreak::tosa_test
