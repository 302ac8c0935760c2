// SPDX-License-Identifier: Apache-2.0
// Parameters that no range decides, with scales that are powers of two or counted by hand.
#include "testsuite/calibrate/constrained_types.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Semantics page_semantics() { return {pages(), **pages().find_profile("reference")}; }

/// Codes of i8 with these scales, one for each place of dimension 0 where there are several.
QuantizedType scaled_by(const std::vector<double>& scales) {
  const ElementType i8 = *ElementType::parse("i8");
  QuantizedType type{i8, i8.min(), i8.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  if (scales.size() > 1) type.dimensions = {{0, 1}}, type.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  for (const double scale : scales) {
    type.scales.push_back({Real::from_double(scale)});
    type.zero_points.push_back({Real(0)});
  }
  return type;
}

std::vector<double> numbers_of(const std::vector<Scale>& scales) {
  std::vector<double> numbers;
  for (const Scale& scale : scales) numbers.push_back(scale.value.to_double());
  return numbers;
}

TEST(ConstrainedTypes, AccumulatorsHaveTheProductOfTheScales) {
  const auto one = product_type(page_semantics(), scaled_by({0.5}), scaled_by({0.25}), "y");
  ASSERT_TRUE(one.has_value()) << to_text(one.error());
  EXPECT_TRUE(one->is_per_tensor());
  EXPECT_EQ(numbers_of(one->scales), (std::vector<double>{0.125}));
  const auto channels = product_type(page_semantics(), scaled_by({0.5}), scaled_by({0.25, 4}), "y");
  ASSERT_TRUE(channels.has_value()) << to_text(channels.error());
  EXPECT_EQ(channels->parameter_shape, Shape{2});
  EXPECT_EQ(numbers_of(channels->scales), (std::vector<double>{0.125, 2}));
  EXPECT_EQ(product_type(page_semantics(), scaled_by({0.5, 1}), scaled_by({0.25}), "y").error().code, Errc::unsupported);
}

/// Limits of 100 codes: 1 is 4 codes of 0.5 * 0.5, -62.5 is 500 of 0.5 * 0.25. Only the second channel grows.
TEST(ConstrainedTypes, EachChannelHasItsOwnLimit) {
  auto bias = Tensor::zeros({*ElementType::parse("f32"), {2}, {}});
  bias->set_code(0, *bias->element().encode(Real(1)));
  bias->set_code(1, *bias->element().encode(Real::from_double(-62.5)));
  const auto limited = limited_bias(page_semantics(), *bias, scaled_by({0.5}), scaled_by({0.5, 0.25}), 100, "b");
  ASSERT_TRUE(limited.has_value()) << to_text(limited.error());
  EXPECT_TRUE(limited->grew);
  EXPECT_EQ(numbers_of(limited->bias.scales), (std::vector<double>{0.25, 0.625}));
  EXPECT_EQ(numbers_of(limited->weights.scales), (std::vector<double>{0.5, 1.25}));
  const auto small = limited_bias(page_semantics(), *bias, scaled_by({0.5}), scaled_by({0.5, 0.25}), 1000, "b");
  ASSERT_TRUE(small.has_value()) << to_text(small.error());
  EXPECT_FALSE(small->grew);
  EXPECT_EQ(numbers_of(small->weights.scales), (std::vector<double>{0.5, 0.25}));
}

/// The table of LiteRT's operators.
TEST(ConstrainedTypes, FixedRanges) {
  struct Row {
    const char *function, *storage;
    double scale;
    std::int64_t zero_point;
  };
  for (const Row& row : {Row{"softmax", "i8", 1.0 / 256, -128}, Row{"softmax", "i16", 1.0 / 32768, 0}, Row{"logistic", "u8", 1.0 / 256, 0},
                         Row{"tanh", "i8", 1.0 / 128, 0}, Row{"log_softmax", "i8", 16.0 / 256, 127}}) {
    const auto type = fixed_type(page_semantics(), row.function, *ElementType::parse(row.storage), *ElementType::parse("f32"), "y");
    ASSERT_TRUE(type.has_value()) << to_text(type.error());
    EXPECT_EQ(type->scales[0].value.to_double(), row.scale) << row.function;
    EXPECT_EQ(type->zero_points[0].value, Real(row.zero_point)) << row.function;
  }
  EXPECT_FALSE(fixed_type(page_semantics(), "softmax", *ElementType::parse("i4"), *ElementType::parse("f32"), "y").has_value());
}

}  // namespace
}  // namespace tiebreak
