// SPDX-License-Identifier: Apache-2.0
// ONNX's elementwise operators, reductions of a line and places of extremes against machine arithmetic: every pair of codes of 8 bits, floats with ties of
// rounding, zeros of both signs, infinities and NaN among them.
#include "testsuite/oracle/onnx/onnx_elementwise.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// NaN is one value; zeros have signs.
bool same_float(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b)); }

void expect_given(const OpCall& call, const Floats& expected) {
  const ResultTensor result = given_result(call);
  ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(expected.size())) << call.op;
  int wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (undefined_at(result, index)) continue;
    const float actual = f32_at(result.tensor, index);
    if (!same_float(actual, expected[i]) && ++wrong <= 3) ADD_FAILURE() << call.op << " " << index << ": " << actual << ", oracle " << expected[i];
  }
}

/// Digits of every length on both sides of zero, ties of whole numbers, and what is no number or none to compute with.
Floats numbers_of_all_kinds(std::uint32_t seed, int count, float most) {
  const float infinity = std::numeric_limits<float>::infinity();
  Floats values{0.0F, -0.0F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 1.0F, -1.0F, 0.75F};
  std::mt19937 engine(seed);
  while (static_cast<int>(values.size()) < count) values.push_back(most * (static_cast<float>(engine() % (1U << 21)) * 0x1p-20F - 1));
  return values;
}

TEST(OnnxElementwise, EveryPairOfBytes) {
  std::vector<std::int64_t> a, b;
  for (const bool is_signed : {true, false}) {
    a.clear();
    b.clear();
    for (std::int64_t i = 0; i < 256; ++i)
      for (std::int64_t k = 0; k < 256; ++k) {
        a.push_back(is_signed ? i - 128 : i);
        b.push_back(is_signed ? k - 128 : k);
      }
    const std::string type = is_signed ? "i8" : "u8";
    for (const char* op : {"Add", "Sub", "Mul", "Div", "Mod", "BitwiseAnd", "BitwiseOr", "BitwiseXor"}) {
      const ResultTensor result = given_result({.op = std::string("onnx.") + op, .operands = {vector_tensor(type, a), vector_tensor(type, b)}});
      int wrong = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto actual = integer_at(result, static_cast<std::int64_t>(i)), expected = oracle::onnx::of_bytes(op, a[i], b[i], is_signed);
        if (actual != expected && ++wrong <= 3)
          ADD_FAILURE() << op << " " << type << " of " << a[i] << ", " << b[i] << ": " << text_of(actual) << ", oracle " << text_of(expected);
      }
    }
  }
}

TEST(OnnxElementwise, PairsOfFloats) {
  const Floats some = numbers_of_all_kinds(51, 60, 9);
  Floats a, b;
  for (float x : some)
    for (float y : some) {
      a.push_back(x);
      b.push_back(y);
    }
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Mod", "PRelu"}) {
    OpCall call{.op = std::string("onnx.") + op, .operands = {floats_line(a), floats_line(b)}};
    if (call.op == "onnx.Mod") call.attributes["fmod"] = Attribute{Real(1)};
    Floats expected;
    for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(oracle::onnx::of_floats(op, a[i], b[i]));
    expect_given(call, expected);
  }
  for (const char* op : {"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"}) {
    const ResultTensor result = given_result({.op = std::string("onnx.") + op, .operands = {floats_line(a), floats_line(b)}});
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(result.tensor.code(static_cast<std::int64_t>(i)) != 0, oracle::onnx::compares(op, a[i], b[i])) << op << " " << a[i] << " " << b[i];
  }
}

TEST(OnnxElementwise, Truths) {
  const Tensor a = vector_tensor<int>("bool", {0, 0, 1, 1}), b = vector_tensor<int>("bool", {0, 1, 0, 1});
  for (const char* op : {"And", "Or", "Xor"}) {
    const ResultTensor result = given_result({.op = std::string("onnx.") + op, .operands = {a, b}});
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(result.tensor.code(i) != 0, oracle::onnx::joins(op, i >= 2, i % 2 == 1)) << op << i;
  }
  const ResultTensor not_a = given_result({.op = "onnx.Not", .operands = {a}});
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(not_a.tensor.code(i) != 0, i < 2);
}

TEST(OnnxElementwise, FunctionsOfOneFloat) {
  const Floats x = numbers_of_all_kinds(52, 600, 7);
  for (const char* op : {"Abs", "Ceil", "Floor", "Round", "Neg", "Sign", "Log", "Cos", "Sin", "Tan", "Elu", "Celu", "Selu", "Mish", "Softplus", "Softsign",
                         "Swish", "ThresholdedRelu"}) {
    const std::string name = op;
    const bool has_alpha = name == "Elu" || name == "Celu" || name == "Swish" || name == "ThresholdedRelu";
    Floats inputs, expected;
    for (float v : x) {
      // Beyond the machine's own formulas: 0 * inf, inf / inf and log of what is below zero are decided by the text, or cancelled by nothing.
      if (std::isinf(v) && name != "Abs" && name != "Neg" && name != "Ceil" && name != "Floor" && name != "Round") continue;
      if (name == "Log" && !(v > 0)) continue;
      inputs.push_back(v);
      expected.push_back(oracle::onnx::unary_of(op, v, 0.75F));
    }
    OpCall call{.op = "onnx." + name, .operands = {floats_line(inputs)}};
    if (has_alpha) call.attributes["alpha"] = Attribute{Real::from_double(0.75)};
    expect_given(call, expected);
  }
  const ResultTensor infinite = given_result({.op = "onnx.IsInf", .operands = {floats_line(x)}}),
                     nan = given_result({.op = "onnx.IsNaN", .operands = {floats_line(x)}});
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(infinite.tensor.code(static_cast<std::int64_t>(i)) != 0, std::isinf(x[i]));
    EXPECT_EQ(nan.tensor.code(static_cast<std::int64_t>(i)) != 0, std::isnan(x[i]));
  }
}

TEST(OnnxElementwise, ReductionsOfALine) {
  std::mt19937 engine(53);
  for (int round = 0; round < 40; ++round) {
    const auto count = static_cast<std::size_t>(1 + engine() % 9);
    Floats line, positive;
    std::vector<std::int32_t> whole;
    for (std::size_t i = 0; i < count; ++i) {
      line.push_back(static_cast<float>(engine() % (1U << 20)) * 0x1p-17F - 4);
      positive.push_back(static_cast<float>(1 + engine() % 4096) * 0x1p-9F);
      whole.push_back(static_cast<std::int32_t>(engine()));
    }
    const AttributeMap axes{{"axes", Attribute::integers({0})}, {"keepdims", Attribute{Real(0)}}};
    for (const char* op : {"ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceProd", "ReduceLogSum", "ReduceLogSumExp"}) {
      const Floats& own = std::string(op) == "ReduceLogSum" ? positive : line;
      const Floats some(
          own.begin(), own.begin() + static_cast<std::ptrdiff_t>(std::string(op) == "ReduceProd" ? std::min<std::size_t>(count, 3) : count));  // 60 bits: exact
      expect_given({.op = std::string("onnx.") + op, .operands = {floats_line(some)}, .attributes = axes}, {oracle::onnx::reduced(op, some)});
    }
    for (const char* op : {"ReduceSum", "ReduceL1", "ReduceSumSquare", "ReduceProd"}) {
      const ResultTensor result = given_result({.op = std::string("onnx.") + op, .operands = {vector_tensor("i32", whole)}, .attributes = axes});
      EXPECT_EQ(integer_at(result, 0), oracle::onnx::reduced(op, whole)) << op;
    }
    for (const char* op : {"LogSoftmax", "Hardmax", "RMSNormalization"}) {
      OpCall call{.op = std::string("onnx.") + op, .operands = {floats_tensor({1, static_cast<std::int64_t>(count)}, line)}};
      if (call.op == "onnx.RMSNormalization") {
        call.operands.emplace_back(floats_line(Floats(count, 1.0F)));
        call.attributes["epsilon"] = Attribute{Real::from_double(0.25)};
      }
      expect_given(call, oracle::onnx::line_of(op, line, 0.25F));
    }
  }
}

/// Few values, so that most lines have several of the greatest.
TEST(OnnxElementwise, PlacesOfExtremes) {
  std::mt19937 engine(54);
  for (int round = 0; round < 60; ++round) {
    Floats line;
    for (int i = 0; i < 7; ++i) line.push_back(static_cast<float>(static_cast<int>(engine() % 3) - 1));
    for (const bool greatest : {true, false})
      for (const bool last : {true, false}) {
        const ResultTensor result = given_result({.op = greatest ? "onnx.ArgMax" : "onnx.ArgMin",
                                                  .operands = {floats_line(line)},
                                                  .attributes = {{"select_last_index", Attribute{Real(last ? 1 : 0)}}}});
        EXPECT_EQ(integer_at(result, 0), oracle::onnx::place_of(line, greatest, last)) << round << greatest << last;
      }
  }
}

}  // namespace
}  // namespace tiebreak
