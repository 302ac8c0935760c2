// SPDX-License-Identifier: Apache-2.0
// What follows an accumulator is a function of it alone, or is refused: the number of items of a padded window differs from cell to cell.
#include "interpreter/stairs/scalar_function.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

Tensor image(const std::string& type, Shape shape) { return *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}}); }

Result<ScalarFunction> tail_of(const OpCall& call, const std::string& profile) {
  return ScalarFunction::compile_tail({*spec_pages(), **spec_pages()->find_profile(profile)}, call);
}

OpCall average() {
  return {.op = "microsoft.QLinearAveragePool",
          .operands = {image("u8", {1, 1, 5, 5}), scalar_tensor("f32", 0.5), scalar_tensor("u8", 3), scalar_tensor("f32", 0.25), scalar_tensor("u8", 7)}};
}

OpCall padded_average() {
  OpCall call = average();
  call.attributes["kernel_shape"] = Attribute::integers({3, 3});
  call.attributes["pads"] = Attribute::integers({1, 1, 1, 1});
  return call;
}

TEST(AccumulatorTail, ACountOfItemsIsRefused) {
  const auto tail = tail_of(padded_average(), "reference");  // sum(x) * x_scale / (y_scale * n)
  ASSERT_FALSE(tail);
  EXPECT_EQ(tail.error().code, Errc::unsupported) << to_text(tail.error());
}

/// Where the mean is rounded, it is the accumulator: what follows reads no count.
TEST(AccumulatorTail, AMeanIsOne) {
  auto tail = tail_of(padded_average(), "migraphx-ref");
  ASSERT_TRUE(tail) << to_text(tail.error());
  EXPECT_EQ(*tail->at(tail->input().ordinal_below(Real::from_double(1.5))), 13);  // 1.5 / 0.25 + 7
  EXPECT_TRUE(tail->at_nan());
}

TEST(AccumulatorTail, AProductIsAFunctionOfItsSum) {
  const OpCall call{.op = "onnx.QLinearMatMul",
                    .operands = {image("u8", {1, 1}), scalar_tensor("f32", 0.5), scalar_tensor("u8", 3), image("i8", {1, 1}), scalar_tensor("f32", 0.5),
                                 scalar_tensor("i8", 0), scalar_tensor("f32", 2), scalar_tensor("u8", 7)}};
  auto tail = tail_of(call, "onnxruntime-x64");
  ASSERT_TRUE(tail) << to_text(tail.error());
  EXPECT_EQ(*tail->at(16), 9);  // 16 * 0.25 / 2 + 7
}

}  // namespace
}  // namespace tiebreak
