// SPDX-License-Identifier: Apache-2.0
// The float forms of family `tflite` against machine floats: every f16, drawn_floats and special numbers in pairs, rows, windows and images.
#include "testsuite/oracle/tflite/tflite_floats.hpp"

#include <functional>
#include <random>

#include "testsuite/oracle/quantize_oracle.hpp"
#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::is_same_float;

constexpr const char* fused_words[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6"};

TensorType f32_type(const Shape& shape) { return {*ElementType::parse("f32"), shape, {}}; }

Tensor whole_numbers(const std::vector<int>& values) { return vector_tensor("i32", values); }

/// Codes of every kind, numbers that meet bounds, and what is no number.
std::vector<float> drawn_floats(std::size_t count, std::uint32_t seed, bool plain = false) {
  std::mt19937 random(seed);
  std::vector<float> values;
  if (!plain)
    for (float value : {0.0f, -0.0f, 1.0f, -1.0f, 6.0f, -3.0f, 3.0f, INFINITY, -INFINITY, NAN, 1e-45f, -1e-45f, 3.4028235e38f, -3.4028235e38f})
      values.push_back(value);
  while (values.size() < count)
    values.push_back(!plain && random() % 2 != 0 ? std::bit_cast<float>(static_cast<std::uint32_t>(random()))
                                                 : (static_cast<float>(random() % 65536) - 32768.0f) / 4096.0f);
  values.resize(count);
  return values;
}

const std::map<std::string, std::string> tflite_order{{"arithmetic.float_sum/order", "in_order"}};

/// What the page gives with these choices, as machine floats.
std::vector<float> run_floats(const std::string& op, std::vector<std::optional<Tensor>> operands, const AttributeMap& attributes, const Shape& shape,
                              const std::map<std::string, std::string>& choices = {}) {
  const ResultTensor result = given_result({.op = op, .operands = std::move(operands), .attributes = attributes, .result_types = {f32_type(shape)}}, choices);
  std::vector<float> values;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i) values.push_back(f32_at(result.tensor, i));
  return values;
}

void expect_float_elements(const std::string& op, const std::function<float(float)>& kernel, const AttributeMap& attributes = {}) {
  const std::vector<float> x = drawn_floats(4000, 3);
  const auto y = run_floats(op, {floats_tensor({4000}, x)}, attributes, {4000});
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_TRUE(is_same_float(y[i], kernel(x[i]))) << op << " of " << x[i] << ": " << y[i] << ", " << kernel(x[i]);
}

void expect_float_pairs(const std::string& op, const std::function<float(float, float)>& kernel, const AttributeMap& attributes = {}) {
  constexpr std::int64_t side = 60;
  const std::vector<float> a = drawn_floats(side, 5), b = drawn_floats(side, 7);
  const auto y = run_floats(op, {floats_tensor({side, 1}, a), floats_tensor({side}, b)}, attributes, {side, side});
  for (std::size_t i = 0; i < y.size(); ++i) {
    const float left = a[i / side], right = b[i % side];
    ASSERT_TRUE(is_same_float(y[i], kernel(left, right))) << op << " of " << left << " and " << right << ": " << y[i] << ", " << kernel(left, right);
  }
}

TEST(TfliteFloats, EveryHalfIsWhatItIs) {
  Tensor halves = *Tensor::zeros({*ElementType::parse("f16"), {65536}, {}});
  for (std::int64_t i = 0; i < 65536; ++i) halves.set_code(i, static_cast<std::uint64_t>(i));
  const auto y = run_floats("tflite.DEQUANTIZE", {halves}, {}, {65536});
  ASSERT_EQ(y.size(), 65536U);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_TRUE(is_same_float(y[i], oracle::decode(static_cast<std::uint16_t>(i), oracle::f16))) << i;
}

TEST(TfliteFloats, PairsOfNumbersUnderEveryActivation) {
  const std::pair<const char*, std::function<float(float, float)>> sums[] = {{"tflite.ADD", [](float a, float b) { return a + b; }},
                                                                             {"tflite.SUB", [](float a, float b) { return a - b; }},
                                                                             {"tflite.MUL", [](float a, float b) { return a * b; }},
                                                                             {"tflite.DIV", [](float a, float b) { return a / b; }}};
  for (const auto& sum : sums)
    for (const std::string activation : fused_words)
      expect_float_pairs(sum.first, [&](float a, float b) { return oracle::tflite_held(sum.second(a, b), activation); },
                         {{"fused_activation_function", {activation}}});
  expect_float_pairs("tflite.MAXIMUM", [](float a, float b) { return a > b ? a : b; });
  expect_float_pairs("tflite.MINIMUM", [](float a, float b) { return a < b ? a : b; });
  expect_float_pairs("tflite.SQUARED_DIFFERENCE", [](float a, float b) { return (a - b) * (a - b); });
}

TEST(TfliteFloats, NumbersByThemselves) {
  expect_float_elements("tflite.RELU", [](float x) { return x < 0 ? 0 : x; });
  expect_float_elements("tflite.RELU6", [](float x) { return x > 6 ? 6 : x < 0 ? 0 : x; });
  expect_float_elements("tflite.RELU_N1_TO_1", [](float x) { return x > 1 ? 1 : x < -1 ? -1 : x; });
  expect_float_elements("tflite.HARD_SWISH", oracle::tflite_hard_swish);
  expect_float_elements("tflite.SQRT", [](float x) { return std::sqrt(x); });
  expect_float_elements("tflite.RSQRT", [](float x) { return 1.0f / std::sqrt(x); });
  expect_float_elements("tflite.LEAKY_RELU", [](float x) { return x > 0 ? x : x * 0.3f; }, {{"alpha", {Real::from_double(0.3f)}}});
}

/// Sums in the order of the kernels' loops.
TEST(TfliteFloats, RowsAndWindowsFromLeftToRight) {
  const std::vector<float> x = drawn_floats(1200, 11, true);
  const Tensor rows = floats_tensor({100, 12}, x);
  const auto sums = run_floats("tflite.SUM", {rows, whole_numbers({1})}, {{"keep_dims", {false}}}, {100}, tflite_order);
  const auto means = run_floats("tflite.MEAN", {rows, whole_numbers({1})}, {{"keep_dims", {false}}}, {100}, tflite_order);
  ASSERT_EQ(sums.size(), 100U);
  ASSERT_EQ(means.size(), 100U);
  for (std::size_t row = 0; row < 100; ++row) {
    float sum = 0;
    for (std::size_t i = 0; i < 12; ++i) sum += x[row * 12 + i];
    EXPECT_EQ(sums[row], sum) << row;
    EXPECT_EQ(means[row], sum / 12.0f) << row;
  }
  const AttributeMap window{{"padding", {std::string("VALID")}}, {"stride_w", {Real(1)}},      {"stride_h", {Real(1)}},
                            {"filter_width", {Real(3)}},         {"filter_height", {Real(2)}}, {"fused_activation_function", {std::string("RELU6")}}};
  const Tensor image = floats_tensor({1, 30, 40, 1}, x);
  const auto pooled = run_floats("tflite.AVERAGE_POOL_2D", {image}, window, {1, 29, 38, 1}, tflite_order);
  const auto greatest = run_floats("tflite.MAX_POOL_2D", {image}, window, {1, 29, 38, 1}, tflite_order);
  ASSERT_EQ(pooled.size(), 29U * 38U);
  for (std::size_t at = 0; at < pooled.size(); ++at) {
    float sum = 0, most = -std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < 6; ++i) {
      const float value = x[(at / 38 + i / 3) * 40 + at % 38 + i % 3];
      sum += value;
      most = std::max(most, value);
    }
    EXPECT_EQ(pooled[at], oracle::tflite_held(sum / 6.0f, "RELU6")) << at;
    EXPECT_EQ(greatest[at], oracle::tflite_held(most, "RELU6")) << at;
  }
}

TEST(TfliteFloats, ProductsAndABias) {
  const std::vector<float> x = drawn_floats(5 * 7, 13, true), w = drawn_floats(3 * 7, 17, true), b = drawn_floats(3, 19, true);
  const auto y = run_floats("tflite.FULLY_CONNECTED", {floats_tensor({5, 7}, x), floats_tensor({3, 7}, w), floats_tensor({3}, b)},
                            {{"fused_activation_function", {std::string("RELU")}}, {"keep_num_dims", {false}}}, {5, 3}, tflite_order);
  ASSERT_EQ(y.size(), 15U);
  for (std::size_t at = 0; at < 15; ++at) {
    float sum = 0;
    for (std::size_t i = 0; i < 7; ++i) sum += x[at / 3 * 7 + i] * w[at % 3 * 7 + i];
    EXPECT_EQ(y[at], oracle::tflite_held(sum + b[at % 3], "RELU")) << at;
  }
}

TEST(TfliteFloats, ImagesOfAnotherSize) {
  const std::vector<float> x = drawn_floats(5 * 6, 23, true);
  for (const auto& [rows, columns] : {std::pair{7, 13}, {10, 12}, {3, 4}, {1, 1}}) {
    const auto y = run_floats("tflite.RESIZE_BILINEAR", {floats_tensor({1, 5, 6, 1}, x), whole_numbers({rows, columns})}, {}, {1, rows, columns, 1});
    ASSERT_EQ(y.size(), static_cast<std::size_t>(rows * columns));
    for (int at = 0; at < rows * columns; ++at)
      EXPECT_EQ(y[static_cast<std::size_t>(at)], oracle::tflite_bilinear(x, 5, 6, rows, columns, at / columns, at % columns)) << rows << " " << at;
  }
}

TEST(TfliteFloats, CodesAndFloatsAreNotMixed) {
  Tensor codes = vector_tensor("i8", std::vector<int>{1, 2});
  TensorType type = codes.type();
  type.quantized = QuantizedType{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  type.quantized->scales = {{Real::from_double(0.5)}};
  type.quantized->zero_points = {{Real(0)}};
  codes.set_type(type);
  const auto mixed = run_profile({.op = "tflite.ADD", .operands = {floats_tensor({2}, {1, 2}), codes}, .result_types = {f32_type({2})}}, "reference");
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, Errc::constraint) << to_text(mixed.error());
}

}  // namespace
}  // namespace tiebreak
