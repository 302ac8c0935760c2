// SPDX-License-Identifier: Apache-2.0
// A sum of products has no value where a factor has none, however the products are added; and an operand that is one value is one.
#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

void expect_undefined(const OpCall& call, const std::vector<int>& expected) {
  for (const Engine engine : {Engine::exact, Engine::fast, Engine::both}) {
    const auto results = evaluate({pages(), Profile{}}, call, {.engine = engine});
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(results->front().is_undefined(static_cast<std::int64_t>(i)), expected[i] != 0) << i << " by engine " << static_cast<int>(engine);
  }
}

const float nan = std::nanf("");

/// A cast of a float that does not fit the code's type is not defined.
TEST(UndefinedFactors, LeaveTheirSumsUndefined) {
  expect_undefined({.op = "qnn.legacy_dense", .operands = {floats_tensor({3, 2}, {1, nan, 1, 2, 300, 0}), floats_tensor({1, 2}, {1, 1})}}, {1, 0, 1});
  expect_undefined({.op = "qnn.legacy_dense", .operands = {floats_tensor({2, 2}, {1, 2, 3, 4}), floats_tensor({2, 2}, {1, nan, 1, 1})}}, {1, 0, 1, 0});
  OpCall call{.op = "qnn.legacy_conv2d", .operands = {floats_tensor({1, 1, 1, 4}, {nan, 1, 2, 3}), floats_tensor({1, 1, 1, 2}, {1, 1})}};
  expect_undefined(call, {1, 0, 0});
  call.attributes["padding"] = Attribute::integers({0, 1});
  expect_undefined(call, {1, 1, 0, 0, 0});
}

/// What lies in the padding is no factor: where a weight meets nothing else it may be undefined.
TEST(UndefinedFactors, CountOnlyWhereTheyAreAdded) {
  OpCall call{.op = "qnn.legacy_conv2d", .operands = {floats_tensor({1, 1, 1, 2}, {1, 2}), floats_tensor({1, 1, 1, 2}, {nan, 1})}};
  call.attributes["padding"] = Attribute::integers({0, 1});
  for (const Engine engine : {Engine::exact, Engine::both}) EXPECT_TRUE(evaluate({pages(), Profile{}}, call, {.engine = engine}));
}

TEST(OneValueOperands, HaveOneElement) {
  const auto codes = [](const char* type, Shape shape) { return *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}}); };
  for (const std::int64_t count : {0, 2}) {
    const auto padded = evaluate({pages(), Profile{}}, {.op = "tosa.PAD", .operands = {codes("i8", {2}), codes("i64", {2}), codes("i8", {count})}});
    ASSERT_FALSE(padded);
    EXPECT_EQ(padded.error().what, "tosa.PAD: pad_const has shape [" + std::to_string(count) + "], expected one value");
  }
  EXPECT_TRUE(evaluate({pages(), Profile{}}, {.op = "tosa.PAD", .operands = {codes("i8", {2}), codes("i64", {2}), codes("i8", {1})}}));
}

}  // namespace
}  // namespace tiebreak
