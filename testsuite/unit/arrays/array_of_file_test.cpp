// SPDX-License-Identifier: Apache-2.0
// From an array to a tensor: the same numbers, or an error that names the first element.
#include "testsuite/arrays/array_of_file.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/text_tensor.hpp"

namespace tiebreak {
namespace {

ArrayOfFile array_of(Tensor tensor) { return {.name = "x", .origin = "x.npy", .tensor = std::move(tensor)}; }

QuantizedType codes(const std::vector<const char*>& scales, std::vector<QuantizedDimension> dimensions) {
  QuantizedType type{*ElementType::parse("i8"), Real(-128), Real(127), *ElementType::parse("f32"), std::move(dimensions), {}, {}, {}};
  for (const char* scale : scales) {
    type.scales.push_back({*Real::parse(scale)});
    type.zero_points.push_back({Real(-3)});
  }
  if (!type.dimensions.empty()) type.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  return type;
}

std::vector<std::string> values(const Result<Tensor>& tensor) {
  std::vector<std::string> texts;
  if (!tensor) return {tensor.error().what};
  for (std::int64_t i = 0; i < tensor->size(); ++i) texts.push_back(tensor->value(i).to_string());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ArrayOfFile, AnotherTypeIsTakenWhereItsNumbersAre) {
  const ArrayOfFile wide = array_of(text_tensor("i64", {3}, {"-128", "0", "127"}));
  EXPECT_EQ(values(tensor_of(wide, TensorType{*ElementType::parse("i8"), {3}})), (Texts{"-128", "0", "127"}));
  EXPECT_EQ(values(tensor_of(wide, TensorType{*ElementType::parse("u8"), {3}})), (Texts{"element 0 is -128 (i64), which is no value of ui8"}));
  const ArrayOfFile floats = array_of(text_tensor("f32", {2}, {"0.5", "0.1000000014901161193847656250"}));
  EXPECT_EQ(values(tensor_of(floats, TensorType{*ElementType::parse("f16"), {2}})).front().substr(0, 12), "element 1 is");
}

TEST(ArrayOfFile, FloatsMayBeWhatCodesStandFor) {
  const TensorType type{*ElementType::parse("i8"), {2, 2}, codes({"0.5", "0.25"}, {{1, 1}})};
  EXPECT_EQ(values(tensor_of(array_of(text_tensor("f32", {2, 2}, {"1.5", "0.75", "-62.5", "32.5"})), type)), (Texts{"0", "0", "-128", "127"}));
  EXPECT_EQ(values(tensor_of(array_of(text_tensor("f32", {2, 2}, {"1.5", "0.8125", "0", "0"})), type)).front().substr(0, 12), "element 1 is")
      << "between two codes";
  EXPECT_EQ(values(tensor_of(array_of(text_tensor("f32", {2, 2}, {"1.5", "0.75", "-63", "0"})), type)).front().substr(0, 12), "element 2 is")
      << "below the least code";
}

TEST(ArrayOfFile, CodesStayCodes) {
  const TensorType type{*ElementType::parse("i8"), {2}, codes({"0.5"}, {})};
  const auto tensor = tensor_of(array_of(text_tensor("i8", {1, 2}, {"7", "-7"})), type);
  EXPECT_EQ(values(tensor), (Texts{"7", "-7"}));
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(same_type(tensor->type(), type)) << "extents of 1 are left out, and the parameters are the tensor's";
}

TEST(ArrayOfFile, OtherShapesAreErrors) {
  const auto turned = tensor_of(array_of(text_tensor("i8", {1, 2, 3}, {"1", "2", "3", "4", "5", "6"})), TensorType{*ElementType::parse("i8"), {1, 3, 2}});
  ASSERT_FALSE(turned);
  EXPECT_NE(turned.error().hint.find("transpose"), std::string::npos) << to_text(turned.error());
  const auto other = tensor_of(array_of(text_tensor("i8", {2}, {"1", "2"})), TensorType{*ElementType::parse("i8"), {3}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().hint, "");
}

TEST(ArrayOfFile, IsTransposed) {
  const auto turned = transposed(array_of(text_tensor("i16", {1, 2, 3}, {"1", "2", "3", "4", "5", "6"})), {2, 0, 1});
  ASSERT_TRUE(turned) << to_text(turned.error());
  EXPECT_EQ(values(*turned->tensor), (Texts{"1", "4", "2", "5", "3", "6"}));
  EXPECT_EQ(to_text(turned->tensor->shape()), "[3, 1, 2]");
  EXPECT_FALSE(transposed(array_of(text_tensor("i16", {2}, {"1", "2"})), {1}));
  EXPECT_FALSE(transposed(array_of(text_tensor("i16", {2, 1}, {"1", "2"})), {0, 0}));
}

TEST(ArrayOfFile, BytesMustBeAsMany) {
  const ArrayOfFile raw{.name = "x", .origin = "x.raw", .raw = std::vector<std::byte>(6, std::byte{1})};
  EXPECT_EQ(values(tensor_of(raw, TensorType{*ElementType::parse("i16"), {3}})), (Texts{"257", "257", "257"}));
  EXPECT_FALSE(tensor_of(raw, TensorType{*ElementType::parse("i16"), {4}}));
  EXPECT_FALSE(tensor_of(raw));
}

}  // namespace
}  // namespace tiebreak
