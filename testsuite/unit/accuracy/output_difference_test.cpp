// SPDX-License-Identifier: Apache-2.0
// What differs between two results, counted by hand.
#include "testsuite/accuracy/output_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {
namespace {

ResultTensor codes(Shape shape, const std::vector<std::int64_t>& values, const std::string& type = "i8") {
  return {.name = "%y", .tensor = codes_tensor(type, std::move(shape), values)};
}
ResultTensor floats(const Floats& values) { return {.name = "%y", .tensor = floats_tensor({1, static_cast<std::int64_t>(values.size())}, values)}; }

OutputDifference difference_of(const ResultTensor& first, const ResultTensor& other, std::size_t input = 0, std::optional<std::int64_t> axis = {}) {
  const auto found = output_difference(first, other, input, axis);
  EXPECT_TRUE(found) << (found ? "" : to_text(found.error()));
  return found.value_or(OutputDifference{});
}

TEST(OutputDifference, CountsCodes) {
  const OutputDifference found = difference_of(codes({2, 3}, {1, 5, 3, -7, 0, 2}), codes({2, 3}, {1, 4, 3, -5, 0, 3}));
  EXPECT_EQ(found.output, "y");
  EXPECT_EQ(found.unit, "code");
  EXPECT_EQ(found.elements, 6);
  EXPECT_EQ(found.different, 3);
  EXPECT_EQ(found.inputs_different, 1);
  ASSERT_TRUE(found.farthest);
  EXPECT_EQ(found.farthest->difference, 2);
  EXPECT_EQ(found.farthest->index, "[1, 0]");
  EXPECT_EQ(found.farthest->first, "-7");
  EXPECT_EQ(found.farthest->other, "-5");
  EXPECT_EQ(found.signal, Real(1 + 25 + 9 + 49 + 4));
  EXPECT_EQ(found.noise, Real(1 + 4 + 1));
  EXPECT_EQ(found.sqnr(), "11.6633") << "10 log10(88 / 6)";
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(found.arg_max_changed, 0) << "5 and 4 are the greatest of the first row, 2 and 3 of the second";
  EXPECT_EQ(found.histogram, (std::map<std::string, std::int64_t>{{"-1", 1}, {"1", 1}, {"2", 1}}));
}

TEST(OutputDifference, ArgMaxChangesAndTies) {
  const OutputDifference found = difference_of(codes({3, 2}, {5, 5, 3, 4, 7, 1}), codes({3, 2}, {5, 6, 4, 3, 7, 7}), 9);
  EXPECT_EQ(found.arg_max_changed, 2) << "the tie of the first row ends; the second turns round; of the third the first of equals stays";
  EXPECT_EQ(found.arg_max_tied, 1);
  EXPECT_EQ(found.arg_max_inputs, (std::vector<std::size_t>{9}));
  EXPECT_EQ(difference_of(codes({3, 2}, {5, 5, 3, 4, 7, 1}), codes({3, 2}, {5, 6, 4, 3, 7, 7}), 0, 0).rows, 2);
  EXPECT_EQ(difference_of(codes({3, 1}, {5, 5, 3}), codes({3, 1}, {5, 6, 4})).rows, 0) << "one place decides nothing";
  EXPECT_EQ(difference_of(codes({}, {5}), codes({}, {6})).rows, 0);
}

TEST(OutputDifference, QuantizedTypesAreTheNumbersThatTheyStandFor) {
  ResultTensor first = codes({1, 2}, {3, 5}), other = codes({1, 2}, {3, 6});
  const ElementType i8 = *ElementType::parse("i8");
  const QuantizedType half{i8, Real(-128), Real(127), *ElementType::parse("f32"), {}, {}, {{*Real::parse("0.5")}}, {{Real(3)}}};
  for (ResultTensor* result : {&first, &other}) result->tensor.set_type({i8, {1, 2}, half});
  const OutputDifference found = difference_of(first, other);
  EXPECT_EQ(found.signal, Real(1)) << "(5 - 3) / 2, squared";
  EXPECT_EQ(found.noise, *Real::parse("0.25"));
  EXPECT_EQ(found.farthest->difference, 1) << "in codes all the same";
}

TEST(OutputDifference, FloatsAreUlpAndNanIsItself) {
  const float nan = std::nanf(""), inf = HUGE_VALF;
  OutputDifference found = difference_of(floats({1, nan, 2, 0.0F}), floats({std::nextafterf(1, 2), nan, 2, -0.0F}));
  EXPECT_EQ(found.unit, "ulp");
  EXPECT_EQ(found.different, 2) << "nan is nan, and a zero has a sign";
  EXPECT_EQ(found.farthest->difference, 1);
  EXPECT_EQ(found.no_number, 1) << "nan is in no ratio";
  EXPECT_EQ(found.signal, Real(5));
  found = difference_of(floats({1, 2}), floats({nan, 2}));
  EXPECT_TRUE(std::isnan(found.farthest->difference));
  EXPECT_EQ(found.arg_max_changed, 0) << "2 is the greatest on both sides: nan never is";
  found = difference_of(floats({1, 2}), floats({1, nan}));
  EXPECT_EQ(found.arg_max_changed, 1);
  found = difference_of(floats({nan, inf}), floats({nan, inf}));
  EXPECT_EQ(found.different, 0);
  EXPECT_EQ(found.sqnr(), "") << "no number on both sides";
}

TEST(OutputDifference, WhatOneSideLeavesUndefinedIsNotCompared) {
  ResultTensor first = codes({1, 3}, {1, 2, 9}), other = codes({1, 3}, {4, 2, 3});
  first.undefined = {0, 0, 1};
  other.undefined = {1, 0, 0};
  const OutputDifference found = difference_of(first, other);
  EXPECT_EQ(found.undefined, 2);
  EXPECT_EQ(found.elements, 1);
  EXPECT_EQ(found.different, 0);
  EXPECT_EQ(found.no_number, 0);
  EXPECT_EQ(found.arg_max_changed, 0) << "one element is left";
}

TEST(OutputDifference, NoElements) {
  const OutputDifference found = difference_of(codes({0, 4}, {}), codes({0, 4}, {}));
  EXPECT_EQ(found.elements, 0);
  EXPECT_EQ(found.rows, 0);
  EXPECT_EQ(found.sqnr(), "");
  EXPECT_EQ(found.inputs, 1);
}

TEST(OutputDifference, OtherShapesAndTypesAreErrors) {
  EXPECT_FALSE(output_difference(codes({1, 2}, {1, 2}), codes({2, 1}, {1, 2}), 0, {}));
  EXPECT_FALSE(output_difference(codes({1, 2}, {1, 2}), codes({1, 2}, {1, 2}, "u8"), 0, {}));
}

TEST(OutputDifference, SumsOfInputs) {
  OutputDifference all;
  all.add(difference_of(codes({1, 2}, {1, 2}), codes({1, 2}, {1, 2}), 0));
  all.add(difference_of(codes({1, 2}, {1, 2}), codes({1, 2}, {2, 1}), 1));
  all.add(difference_of(codes({1, 2}, {4, 2}), codes({1, 2}, {1, 2}), 2));
  all.add(difference_of(codes({1, 2}, {4, 2}), codes({1, 2}, {7, 2}), 3));
  EXPECT_EQ(all.inputs, 4);
  EXPECT_EQ(all.inputs_different, 3);
  EXPECT_EQ(all.elements, 8);
  EXPECT_EQ(all.different, 4);
  EXPECT_EQ(all.farthest->input, 2u) << "the first of equals";
  EXPECT_EQ(all.farthest->difference, -3);
  EXPECT_EQ(all.signal, Real(5 + 5 + 20 + 20));
  EXPECT_EQ(all.noise, Real(2 + 9 + 9));
  EXPECT_EQ(all.rows, 4);
  EXPECT_EQ(all.arg_max_changed, 2);
  EXPECT_EQ(all.arg_max_inputs, (std::vector<std::size_t>{1, 2}));
}

TEST(OutputDifference, TheOnlyArgMax) {
  EXPECT_EQ(only_arg_max(codes({1, 3}, {1, 7, 7}), {}), 1);
  EXPECT_EQ(only_arg_max(codes({2, 3}, {1, 7, 7, 1, 1, 1}), {}), std::nullopt);
  EXPECT_EQ(only_arg_max(codes({3, 1}, {1, 7, 9}), 0), 2);
  EXPECT_EQ(only_arg_max(codes({1, 1}, {1}), {}), std::nullopt);
}

}  // namespace
}  // namespace tiebreak
