// SPDX-License-Identifier: Apache-2.0
// QLinearAdd and QLinearMul on every pair of codes, the table ops on every code, against the oracle, for each profile of ONNX Runtime. Scales are
// natural ones and such that many sums and products fall on a tie.
#include "testsuite/oracle/onnx/microsoft_elementwise.hpp"

#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

using oracle::AddKernel;
using oracle::MultiplyKernel;

struct Named {
  std::string type;
  oracle::QLinearBinaryParameters p;
  oracle::CodeRange range;
};

/// Twelve sets a type: ties of sums (or products), thirds, and natural scales; zero points of both parities.
std::vector<Named> qlinear_parameter_sets(bool product) {
  std::vector<Named> sets;
  Draw draw(20);
  for (int i = 0; i < 24; ++i) {
    const std::string type = i % 2 == 0 ? "u8" : "i8";
    const oracle::CodeRange range = oracle::integer_range(type == "i8", 8);
    const float a = draw.number(0.002f, 0.1f);
    const float factors[] = {0.25f, 0.5f, 1.0f, 2.0f, 4.0f};
    const float b = i % 6 < 4 && !product ? a * factors[draw.below(5)] : draw.number(0.002f, 0.1f);
    const float unit = product ? a * b : a;
    const float c = i % 6 < 2   ? unit * (product ? 128.0f : 2.0f)
                    : i % 6 < 4 ? unit * (product ? 96.0f : 3.0f)
                                : unit * draw.number(product ? 30.0f : 1.0f, product ? 200.0f : 4.0f);
    sets.push_back({type, {a, draw.code(range), b, draw.code(range), c, draw.code(range)}, range});
  }
  return sets;
}

OpCall qlinear_call(const std::string& op, const Named& set, const Tensor& a, const Tensor& b) {
  const oracle::QLinearBinaryParameters& p = set.p;
  return {.op = op,
          .operands = {a, scale_tensor(p.a_scale), code_tensor(set.type, p.a_zero_point), b, scale_tensor(p.b_scale), code_tensor(set.type, p.b_zero_point),
                       scale_tensor(p.c_scale), code_tensor(set.type, p.c_zero_point)},
          .version = 1,
          .where = set.type};
}

/// Every pair of codes, as two tensors of 65,536 elements.
std::pair<Tensor, Tensor> tensors_of_every_pair(const Named& set) {
  std::vector<std::int64_t> a, b;
  for (std::int64_t x = set.range.min; x <= set.range.max; ++x)
    for (std::int64_t y = set.range.min; y <= set.range.max; ++y) {
      a.push_back(x);
      b.push_back(y);
    }
  return {codes_tensor(set.type, {65536}, a), codes_tensor(set.type, {65536}, b)};
}

template <class Expected>
int wrong_qlinear_pairs(const std::string& op, const std::string& profile, const Named& set, const Tensor& a, const Tensor& b, Expected expected) {
  auto result = result_of(qlinear_call(op, set, a, b), profile);
  EXPECT_TRUE(result) << to_text(result.error());
  if (!result) return -1;
  std::vector<std::int64_t> codes;
  for (std::int64_t x = set.range.min; x <= set.range.max; ++x)
    for (std::int64_t y = set.range.min; y <= set.range.max; ++y) codes.push_back(expected(x, y));
  return mismatches(*result, codes);
}

const std::vector<std::pair<std::string, AddKernel>> add_kernels{{"onnxruntime-x64", AddKernel::avx2},     {"onnxruntime-x64-avx2", AddKernel::avx2},
                                                                 {"onnxruntime-x64-sse", AddKernel::sse},  {"onnxruntime-arm64", AddKernel::neon},
                                                                 {"onnxruntime-wasm", AddKernel::scalar},  {"migraphx-ref", AddKernel::unfused},
                                                                 {"xnnpack-x64", AddKernel::twenty_digits}};

TEST(MicrosoftOracle, QLinearAddOfEveryPairOfCodes) {
  for (const Named& set : qlinear_parameter_sets(false)) {
    const auto [a, b] = tensors_of_every_pair(set);
    for (const auto& [profile, kernel] : add_kernels)
      EXPECT_EQ(wrong_qlinear_pairs("microsoft.QLinearAdd", profile, set, a, b,
                                    [&, kernel = kernel](auto x, auto y) { return oracle::add_codes(x, y, set.p, set.range, kernel); }),
                0)
          << profile << " " << set.type << " " << set.p.a_scale << " " << set.p.b_scale << " " << set.p.c_scale;
  }
}

TEST(MicrosoftOracle, QLinearAddOfAColumnAndARow) {
  for (const Named& set : qlinear_parameter_sets(false)) {
    std::vector<std::int64_t> codes;
    for (std::int64_t x = set.range.min; x <= set.range.max; ++x) codes.push_back(x);
    const Tensor column = codes_tensor(set.type, {256, 1}, codes), row = codes_tensor(set.type, {1, 256}, codes);
    for (const auto& [profile, kernel] : add_kernels) {
      EXPECT_EQ(wrong_qlinear_pairs("microsoft.QLinearAdd", profile, set, column, row,
                                    [&, kernel = kernel](auto x, auto y) { return oracle::add_codes(x, y, set.p, set.range, kernel, oracle::Lone::a); }),
                0)
          << profile << " a column";
      auto turned = result_of(qlinear_call("microsoft.QLinearAdd", set, row, column), profile);
      ASSERT_TRUE(turned) << to_text(turned.error());
      std::vector<std::int64_t> expected;
      for (std::int64_t y : codes)
        for (std::int64_t x : codes) expected.push_back(oracle::add_codes(x, y, set.p, set.range, kernel, oracle::Lone::b));
      EXPECT_EQ(mismatches(*turned, expected), 0) << profile << " a row";
    }
  }
}

TEST(MicrosoftOracle, QLinearMulOfEveryPairOfCodes) {
  const std::vector<std::pair<std::string, MultiplyKernel>> kernels{{"onnxruntime-x64", MultiplyKernel::two_roundings},
                                                                    {"onnxruntime-arm64", MultiplyKernel::one_rounding},
                                                                    {"onnxruntime-wasm", MultiplyKernel::scalar},
                                                                    {"migraphx-ref", MultiplyKernel::unfused_steps},
                                                                    {"xnnpack-x64", MultiplyKernel::after_rounding}};
  for (const Named& set : qlinear_parameter_sets(true)) {
    const auto [a, b] = tensors_of_every_pair(set);
    for (const auto& [profile, kernel] : kernels)
      EXPECT_EQ(wrong_qlinear_pairs("microsoft.QLinearMul", profile, set, a, b,
                                    [&, kernel = kernel](auto x, auto y) { return oracle::multiply_codes(x, y, set.p, set.range, kernel); }),
                0)
          << profile << " " << set.type << " " << set.p.a_scale << " " << set.p.b_scale << " " << set.p.c_scale;
  }
}

/// Wrong codes of a table op over all 256 codes.
template <class Expected>
int wrong_table(OpCall call, const std::string& type, Expected expected) {
  const oracle::CodeRange range = oracle::integer_range(type == "i8", 8);
  auto result = result_of(call, "onnxruntime-x64");
  EXPECT_TRUE(result) << to_text(result.error());
  if (!result) return -1;
  std::vector<std::int64_t> codes;
  for (std::int64_t x = range.min; x <= range.max; ++x) codes.push_back(expected(x, range));
  return mismatches(*result, codes);
}

TEST(MicrosoftOracle, TableOpsOnEveryCode) {
  Draw draw(21);
  for (int i = 0; i < 40; ++i) {
    const std::string type = i % 2 == 0 ? "u8" : "i8";
    const oracle::CodeRange range = oracle::integer_range(type == "i8", 8);
    const float x_scale = draw.number(0.005f, 0.2f), y_scale = i % 4 < 2 ? x_scale * static_cast<float>(2 + i % 3) : draw.number(0.004f, 0.2f);
    const oracle::UnaryParameters p{x_scale, draw.code(range), y_scale, draw.code(range)};
    const oracle::UnaryParameters s{x_scale, p.x_zero_point, i % 4 < 2 ? 0x1p-8f : draw.number(0.003f, 0.01f), p.y_zero_point};
    std::vector<std::int64_t> codes;
    for (std::int64_t x = range.min; x <= range.max; ++x) codes.push_back(x);
    const Tensor x = codes_tensor(type, {256}, codes), x_zero = code_tensor(type, p.x_zero_point), y_zero = code_tensor(type, p.y_zero_point);
    const float alpha = draw.number(0.01f, 1.5f);
    OpCall sigmoid{.op = "microsoft.QLinearSigmoid", .operands = {x, scale_tensor(s.x_scale), x_zero, scale_tensor(s.y_scale), y_zero}};
    OpCall leaky{.op = "microsoft.QLinearLeakyRelu", .operands = {x, scale_tensor(p.x_scale), x_zero, scale_tensor(p.y_scale), y_zero}};
    leaky.attributes["alpha"] = Attribute{Real::from_double(static_cast<double>(alpha))};
    OpCall concat{.op = "microsoft.QLinearConcat", .operands = {scale_tensor(p.y_scale), y_zero, x, scale_tensor(p.x_scale), x_zero}};
    concat.attributes["axis"] = Attribute{Real(0)};
    EXPECT_EQ(wrong_table(sigmoid, type, [&](auto code, auto limits) { return oracle::sigmoid_code(code, s, limits); }), 0) << s.x_scale << " " << s.y_scale;
    EXPECT_EQ(wrong_table(leaky, type, [&](auto code, auto limits) { return oracle::leaky_relu_code(code, alpha, p, limits); }), 0)
        << p.x_scale << " " << p.y_scale;
    EXPECT_EQ(wrong_table(concat, type, [&](auto code, auto limits) { return oracle::rescaled_code(code, p, limits); }), 0) << p.x_scale << " " << p.y_scale;
    const oracle::UnaryParameters other{draw.number(0.005f, 0.2f), draw.code(range), p.y_scale, p.y_zero_point};
    const std::int64_t constant = draw.code(range);
    std::vector<std::int64_t> condition;
    for (int code = 0; code < 256; ++code) condition.push_back(draw.below(2));
    OpCall where{.op = "microsoft.QLinearWhere",
                 .operands = {codes_tensor("bool", {256}, condition), x, scale_tensor(p.x_scale), x_zero, code_tensor(type, constant),
                              scale_tensor(other.x_scale), code_tensor(type, other.x_zero_point), scale_tensor(p.y_scale), y_zero}};
    EXPECT_EQ(wrong_table(where, type,
                          [&](auto code, auto limits) {
                            const bool first = condition[static_cast<std::size_t>(code - limits.min)] != 0;
                            return first ? oracle::rescaled_code(code, p, limits) : oracle::rescaled_code(constant, other, limits);
                          }),
              0);
  }
}

}  // namespace
}  // namespace tiebreak
