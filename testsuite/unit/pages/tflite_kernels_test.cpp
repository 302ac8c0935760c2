// SPDX-License-Identifier: Apache-2.0
// The elementwise operators of family `tflite` for every code and every pair of codes, against the kernels in machine integers.
#include "testsuite/oracle/tflite/tflite_kernels.hpp"

#include <array>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::TfliteTensor;

TensorType type_of(const TfliteTensor& of, const Shape& shape) {
  TensorType type{*ElementType::parse(of.least < 0 ? "i8" : "u8"), shape, {}};
  QuantizedType quantized{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  quantized.scales = {{Real::from_double(of.scale)}};
  quantized.zero_points = {{Real(of.zero_point)}};
  type.quantized = quantized;
  return type;
}

TfliteTensor bytes(float scale, int zero_point) { return {scale, zero_point, 0, 255}; }

/// Parameters of two operands and a result: one scale, powers of two, any; zero points in the middle, odd and at the ends.
const std::vector<std::array<TfliteTensor, 3>>& parameters() {
  static const std::vector<std::array<TfliteTensor, 3>> all{{{{0.5f, 0}, {0.5f, 0}, {0.5f, 0}}},
                                                            {{{0.1f, 3}, {0.07f, -5}, {0.13f, 7}}},
                                                            {{{0.02f, -128}, {0.3f, 127}, {0.25f, -1}}},
                                                            {{bytes(0.0625f, 128), bytes(0.031f, 1), bytes(0.09f, 255)}}};
  return all;
}

Tensor coded(const TfliteTensor& of, const Shape& shape, const std::function<int(std::int64_t)>& code) {
  Tensor tensor = *Tensor::zeros(type_of(of, shape));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(code(i))));
  return tensor;
}

void expect_codes(const std::string& op, const AttributeMap& attributes, const std::function<int(int, const TfliteTensor&, const TfliteTensor&)>& kernel,
                  bool unsigned_too = true) {
  for (const auto& [x, unused, y] : parameters()) {
    if (x.least == 0 && !unsigned_too) continue;
    const Tensor codes = coded(x, {256}, [&](std::int64_t i) { return static_cast<int>(i) + x.least; });
    auto result = run_profile({.op = op, .operands = {codes}, .attributes = attributes, .result_types = {type_of(y, {256})}}, "reference");
    ASSERT_TRUE(result) << to_text(result.error());
    for (int i = 0; i < 256; ++i) ASSERT_EQ(integer_at((*result)[0], i), kernel(i + x.least, x, y)) << op << " of " << i + x.least << " at scale " << x.scale;
  }
}

using PairKernel = std::function<int(int, int, const TfliteTensor&, const TfliteTensor&, const TfliteTensor&)>;

void expect_pairs(const std::string& op, bool gives_truth, const PairKernel& kernel, bool unsigned_too = true) {
  for (const auto& [a, b, y] : parameters()) {
    if (a.least == 0 && !unsigned_too) continue;
    const int least = a.least;
    const Tensor left = coded(a, {65536}, [&](std::int64_t i) { return static_cast<int>(i / 256) + least; });
    const Tensor right = coded(b, {65536}, [&](std::int64_t i) { return static_cast<int>(i % 256) + least; });
    const TensorType result_type = gives_truth ? TensorType{ElementType::boolean(), {65536}, {}} : type_of(y, {65536});
    auto result = run_profile({.op = op, .operands = {left, right}, .result_types = {result_type}}, "reference");
    ASSERT_TRUE(result) << to_text(result.error());
    for (int i = 0; i < 65536; ++i)
      ASSERT_EQ(integer_at((*result)[0], i), kernel(i / 256 + least, i % 256 + least, a, b, y)) << op << " of " << i / 256 + least << ", " << i % 256 + least;
  }
}

TEST(TfliteKernels, FunctionsOfOneCode) {
  expect_codes("tflite.ABS", {}, oracle::tflite_abs, false);
  expect_codes("tflite.RELU", {}, [](int code, const auto& x, const auto& y) { return oracle::tflite_relu(code, x, y, 0, std::nullopt); });
  expect_codes("tflite.RELU6", {}, [](int code, const auto& x, const auto& y) { return oracle::tflite_relu(code, x, y, 0, 6.0f); });
  expect_codes("tflite.RELU_N1_TO_1", {}, [](int code, const auto& x, const auto& y) { return oracle::tflite_relu(code, x, y, -1, 1.0f); });
  for (const float alpha : {0.1f, 1.5f, -0.25f})
    expect_codes("tflite.LEAKY_RELU", {{"alpha", Attribute{Real::from_double(alpha)}}},
                 [&](int code, const auto& x, const auto& y) { return oracle::tflite_leaky_relu(code, x, y, alpha); });
  expect_codes("tflite.HARD_SWISH", {}, [](int code, const auto& x, const auto& y) { return oracle::tflite_hard_swish(code, x, y); });
}

TEST(TfliteKernels, EveryPairOfCodes) {
  expect_pairs("tflite.ADD", false, [](int a, int b, const auto& x, const auto& w, const auto& y) { return oracle::tflite_add(a, b, x, w, y, 1); });
  expect_pairs("tflite.SUB", false, [](int a, int b, const auto& x, const auto& w, const auto& y) { return oracle::tflite_add(a, b, x, w, y, -1); });
  expect_pairs("tflite.MUL", false, oracle::tflite_mul);
  expect_pairs("tflite.SQUARED_DIFFERENCE", false, oracle::tflite_squared_difference, false);
}

TEST(TfliteKernels, EveryPairCompared) {
  const auto compared = [](bool (*holds)(int)) -> PairKernel {
    return
        [holds](int a, int b, const TfliteTensor& x, const TfliteTensor& w, const TfliteTensor&) { return holds(oracle::tflite_compare(a, b, x, w)) ? 1 : 0; };
  };
  expect_pairs("tflite.EQUAL", true, compared([](int order) { return order == 0; }));
  expect_pairs("tflite.NOT_EQUAL", true, compared([](int order) { return order != 0; }));
  expect_pairs("tflite.LESS", true, compared([](int order) { return order < 0; }));
  expect_pairs("tflite.LESS_EQUAL", true, compared([](int order) { return order <= 0; }));
  expect_pairs("tflite.GREATER", true, compared([](int order) { return order > 0; }));
  expect_pairs("tflite.GREATER_EQUAL", true, compared([](int order) { return order >= 0; }));
}

TEST(TfliteKernels, MeansOfLines) {
  for (const auto& [x, unused, y] : parameters())
    for (const int count : {1, 3, 7, 49}) {
      const Tensor lines = coded(x, {200, count}, [&](std::int64_t i) { return static_cast<int>((i * 7919 + i / count * 31) % 256) + x.least; });
      Tensor axis = *Tensor::zeros({*ElementType::parse("i32"), {1}, {}});
      axis.set_code(0, 1);
      auto result = run_profile({.op = "tflite.MEAN", .operands = {lines, axis}, .result_types = {type_of(y, {200})}}, "reference");
      ASSERT_TRUE(result) << to_text(result.error());
      for (int row = 0; row < 200; ++row) {
        std::int64_t sum = 0;
        for (int i = 0; i < count; ++i) sum += *lines.value(row * count + i).to_int64();
        ASSERT_EQ(integer_at((*result)[0], row), oracle::tflite_mean(sum, count, x, y)) << "row " << row << " of " << count;
      }
    }
}

}  // namespace
}  // namespace tiebreak
