// SPDX-License-Identifier: Apache-2.0
// Each constraint of the quantized type is broken once; texts of types.
#include <gtest/gtest.h>

#include <functional>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {
namespace {

QuantizedType per_tensor() {
  QuantizedType type;
  type.storage = *ElementType::parse("i8");
  type.storage_min = type.storage.min();
  type.storage_max = type.storage.max();
  type.expressed = *ElementType::parse("f32");
  type.scales = {Scale{Real::from_double(0.5)}};
  type.zero_points = {ZeroPoint{Real(3)}};
  return type;
}

QuantizedType per_axis() {
  QuantizedType type = per_tensor();
  type.dimensions = {{1, 1}};
  type.parameter_shape = {3};
  type.scales.assign(3, Scale{Real(1)});
  type.zero_points.assign(3, ZeroPoint{});
  return type;
}

QuantizedType sub_channel() {
  QuantizedType type = per_tensor();
  type.dimensions = {{0, 1}, {1, 2}};
  type.parameter_shape = {2, 2};
  type.scales.assign(4, Scale{Real(2)});
  type.zero_points.assign(4, ZeroPoint{Real(1)});
  return type;
}

TEST(QuantizedType, LegalOnes) {
  EXPECT_TRUE(check_quantized_type(per_tensor(), {2, 3}, "here"));
  EXPECT_TRUE(check_quantized_type(per_tensor(), {}, "here"));
  EXPECT_TRUE(check_quantized_type(per_axis(), {2, 3}, "here"));
  EXPECT_TRUE(check_quantized_type(sub_channel(), {2, 4}, "here"));
}

struct Broken {
  const char* name;
  const char* message;
  Shape shape;
  std::function<QuantizedType()> make;
};

template <class Change>
std::function<QuantizedType()> changed(QuantizedType (*base)(), Change change) {
  return [base, change] {
    QuantizedType type = base();
    change(type);
    return type;
  };
}

std::vector<Broken> broken() {
  const Shape shape{2, 3};
  return {
      {"FloatStorage", "C1: storage type", shape, changed(per_tensor, [](auto& t) { t.storage = *ElementType::parse("f32"); })},
      {"FractionalMinimum", "C1: storage minimum", shape, changed(per_tensor, [](auto& t) { t.storage_min = Real::from_double(-0.5); })},
      {"FractionalMaximum", "C2: storage maximum", shape, changed(per_tensor, [](auto& t) { t.storage_max = Real::from_double(0.5); })},
      {"EmptyRange", "C3: storage range 5:5", shape, changed(per_tensor, [](auto& t) { t.storage_min = t.storage_max = Real(5); })},
      {"WideRange", "C3: storage range -129:127", shape, changed(per_tensor, [](auto& t) { t.storage_min = Real(-129); })},
      {"IntegerExpressed", "C4: expressed type", shape, changed(per_tensor, [](auto& t) { t.expressed = *ElementType::parse("i8"); })},
      {"NegativeScale", "C5: scale must be positive and finite, got -1", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real(-1); })},
      {"ZeroScale", "C5: scale must be positive and finite, got 0", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real(0); })},
      {"VanishingScale", "C5: scale 1.0e-50 is zero as f32", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real::from_double(1e-50); })},
      {"InfiniteScale", "C6: scale must be positive and finite, got inf", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real::infinity(); })},
      {"NanScale", "C6: scale must be positive and finite, got nan", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real::nan(); })},
      {"OverflowingScale", "C6: scale 1.0e+40 is not finite as f32", shape, changed(per_tensor, [](auto& t) { t.scales[0].value = Real::from_double(1e40); })},
      {"ZeroPointOutside", "C7: zero point 128", shape, changed(per_tensor, [](auto& t) { t.zero_points[0].value = Real(128); })},
      {"ZeroPointOutsideNarrowRange", "C7: zero point -128", shape,
       changed(per_tensor,
               [](auto& t) {
                 t.storage_min = Real(-127);
                 t.zero_points[0].value = Real(-128);
               })},
      {"FractionalZeroPoint", "C8: zero point", shape, changed(per_tensor, [](auto& t) { t.zero_points[0].value = Real::from_double(0.5); })},
      {"MissingZeroPoint", "C9: 2 zero points for 3 scales", shape, changed(per_axis, [](auto& t) { t.zero_points.pop_back(); })},
      {"TwoScales", "C10:", shape,
       changed(per_axis,
               [](auto& t) {
                 t.dimensions.clear();
                 t.parameter_shape.clear();
               })},
      {"NegativeAxis", "C11:", shape, changed(per_axis, [](auto& t) { t.dimensions[0].axis = -1; })},
      {"AxisBeyondRank", "C12:", shape, changed(per_axis, [](auto& t) { t.dimensions[0].axis = 2; })},
      {"AxisTwice", "C12:", {2, 4}, changed(sub_channel, [](auto& t) { t.dimensions[1].axis = 0; })},
      {"WrongCount", "C13: 3 scales along quantization dimension 1, which has 4 slices", {2, 4}, changed(per_axis, [](auto&) {})},
      {"ScalesAndShapeDiffer", "C13: 2 scales for parameters of shape [3]", shape,
       changed(per_axis,
               [](auto& t) {
                 t.scales.pop_back();
                 t.zero_points.pop_back();
               })},
      {"BlockDoesNotDivide", "C13: block size 2 does not divide", {2, 5}, changed(sub_channel, [](auto&) {})},
      {"BlockZero", "C13: block size 0", {2, 4}, changed(sub_channel, [](auto& t) { t.dimensions[1].block = 0; })},
      {"BlockCount", "C13: 2 scales along quantization dimension 1, which has 4 blocks", {2, 8}, changed(sub_channel, [](auto&) {})},
  };
}

class BrokenType : public testing::TestWithParam<std::size_t> {};
TEST_P(BrokenType, NamesItsConstraint) {
  const Broken test = broken()[GetParam()];
  const auto status = check_quantized_type(test.make(), test.shape, "x.mlir:1:2");
  ASSERT_FALSE(status) << test.name;
  EXPECT_EQ(status.error().code, Errc::constraint);
  EXPECT_EQ(status.error().where, "x.mlir:1:2");
  EXPECT_TRUE(status.error().what.starts_with(test.message)) << status.error().what;
}
INSTANTIATE_TEST_SUITE_P(QuantizedType, BrokenType, testing::Range(std::size_t{0}, broken().size()),
                         [](const auto& test) { return std::string(broken()[test.param].name); });

TEST(QuantizedType, Text) {
  EXPECT_EQ(to_text(TensorType{*ElementType::parse("i8"), {2, 3}, per_tensor()}), "tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>");
  EXPECT_EQ(to_text(TensorType{*ElementType::parse("i8"), {2, 3}, per_axis()}), "tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>");
  EXPECT_EQ(to_text(TensorType{*ElementType::parse("i8"), {2, 4}, sub_channel()}),
            "tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:1, 2.0:1}, {2.0:1, 2.0:1}}>>");
  QuantizedType narrow = per_tensor();
  narrow.storage = *ElementType::parse("u8");
  narrow.storage_min = Real(1);
  narrow.storage_max = Real(255);
  EXPECT_EQ(to_text(TensorType{narrow.storage, {}, narrow}), "tensor<!quant.uniform<u8<1:255>:f32, 0.5:3>>");
  EXPECT_EQ(to_text(TensorType{*ElementType::parse("u8"), {4}}), "tensor<4xui8>");
}

TEST(QuantizedType, ScaleText) {
  EXPECT_EQ(scale_text(Real::from_double(0.1)), "0.1");
  EXPECT_EQ(scale_text(Real(1)), "1.0");
  EXPECT_EQ(scale_text(Real::from_double(1e-50)), "1.0e-50");
  EXPECT_EQ(scale_text(*Real::parse("0.1")), "1/10");
  const Real fine = Real(1) + Real::power_of_two(-60);
  EXPECT_TRUE(Real::parse(scale_text(fine))->identical(fine)) << scale_text(fine);
}

TEST(TensorType, SameType) {
  const TensorType a{*ElementType::parse("i8"), {2, 3}, per_tensor()};
  TensorType b = a;
  EXPECT_TRUE(same_type(a, b));
  b.quantized->zero_points[0].value = Real(4);
  EXPECT_FALSE(same_type(a, b));
  b = a;
  b.quantized->scales[0].value = Real(1);
  EXPECT_FALSE(same_type(a, b));
  b = a;
  b.quantized.reset();
  EXPECT_FALSE(same_type(a, b));
  b = a;
  b.shape = {3, 2};
  EXPECT_FALSE(same_type(a, b));
  b = a;
  b.quantized->storage_min = Real(-127);
  EXPECT_FALSE(same_type(a, b));
}

}  // namespace
}  // namespace tiebreak
