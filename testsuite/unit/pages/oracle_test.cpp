// SPDX-License-Identifier: Apache-2.0
// The evaluator against the oracle, which computes the same formulas in machine floats and integers and shares no code with it. Exhaustive where the
// domain is small: every f16 value as x, every pair of 8-bit codes, every 16-bit code.
#include "testsuite/oracle/quantize_oracle.hpp"

#include <cstring>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

std::int64_t integer_of(const Tensor& tensor, std::int64_t index) { return *tensor.value(index).to_int64(); }

/// Every f16 value, widened.
Tensor all_halves() {
  const FloatFormat& half = *find_float_format("f16");
  Tensor x = *Tensor::zeros({*ElementType::parse("f32"), {65536}, {}});
  for (std::int64_t code = 0; code < 65536; ++code) x.set_code(code, *x.element().encode(decode(static_cast<std::uint64_t>(code), half)));
  return x;
}

struct QuantizeParameters {
  const char* type;
  float scale;
  std::int64_t zero_point;
};
constexpr QuantizeParameters quantize_parameters[] = {{"u8", 0.1f, 7},    {"i8", 0.0137f, -3},   {"u8", 0x1p-3f, 128},
                                                      {"i16", 3e-4f, 11}, {"u16", 0.75f, 65535}, {"i8", 1e-30f, 127}};

TEST(Oracle, QuantizeLinearOfEveryHalf) {
  const Tensor x = all_halves();
  for (const QuantizeParameters& p : quantize_parameters) {
    OpCall call{.op = "onnx.QuantizeLinear",
                .operands = {x, exact_scalar("f32", Real::from_double(static_cast<double>(p.scale))), exact_scalar(p.type, Real(p.zero_point))},
                .version = 21};
    const ElementType type = *ElementType::parse(p.type);
    const oracle::CodeRange range = oracle::integer_range(type.integer().is_signed, type.bits());
    for (const auto& [profile, rule] : {std::pair{"onnxruntime-x64", oracle::QuantizeRule{}}}) {
      auto results = run_profile(call, profile);
      ASSERT_TRUE(results) << to_text(results.error());
      int wrong = 0;
      for (std::int64_t i = 0; i < x.size(); ++i)
        wrong += integer_of(results->front().tensor, i) != oracle::quantize(f32_at(x, i), p.scale, p.zero_point, range, rule) ? 1 : 0;
      EXPECT_EQ(wrong, 0) << profile << " " << p.type << " scale " << p.scale;
    }
  }
}

/// Kernels for halves leave the saturating path: they convert to int32, and old ones cut instead of rounding.
TEST(Oracle, QuantizeLinearOfEveryHalfInInt32) {
  Tensor x = *Tensor::zeros({*ElementType::parse("f16"), {65536}, {}});
  for (std::int64_t i = 0; i < 65536; ++i) x.set_code(i, static_cast<std::uint64_t>(i));
  const std::tuple<const char*, oracle::ToInt32, oracle::Whole> systems[] = {{"onnxruntime-x64", oracle::ToInt32::least, oracle::Whole::even},
                                                                             {"onnxruntime-x64-1.22", oracle::ToInt32::least, oracle::Whole::cut},
                                                                             {"onnxruntime-wasm", oracle::ToInt32::saturate, oracle::Whole::even}};
  for (const auto& [profile, conversion, whole] : systems)
    for (const auto& [type, scale, zero_point] :
         {std::tuple{"u8", 0x1.998p-4f, 7}, std::tuple{"i8", 0x1p-24f, -3}, std::tuple{"i16", 0x1.8p+2f, 0}, std::tuple{"u16", 0x1.55cp-3f, 65535}}) {
      OpCall call{.op = "onnx.QuantizeLinear",
                  .operands = {x, exact_scalar("f16", Real::from_double(static_cast<double>(scale))), exact_scalar(type, Real(zero_point))},
                  .version = 21};
      auto results = run_profile(call, profile);
      ASSERT_TRUE(results) << to_text(results.error());
      const ElementType element = *ElementType::parse(type);
      const oracle::CodeRange range = oracle::integer_range(element.integer().is_signed, element.bits());
      int wrong = 0;
      for (std::int64_t i = 0; i < x.size(); ++i) {
        const float quotient = oracle::decode(static_cast<std::uint32_t>(x.code(i)), oracle::f16) / scale;
        wrong += integer_of(results->front().tensor, i) != oracle::to_code_in_int32(quotient, zero_point, range, conversion, whole) ? 1 : 0;
      }
      EXPECT_EQ(wrong, 0) << profile << " " << type << " scale " << scale;
    }
}

TEST(Oracle, OneDnnQuantizeLinearOfEveryHalf) {
  const Tensor x = all_halves();
  for (const QuantizeParameters& p : quantize_parameters) {
    if (std::string(p.type).size() != 2) continue;  // oneDNN has 8-bit results only
    OpCall call{.op = "onnx.QuantizeLinear",
                .operands = {x, exact_scalar("f32", Real::from_double(static_cast<double>(p.scale))), exact_scalar(p.type, Real(p.zero_point))},
                .version = 21};
    const bool is_signed = p.type[0] == 'i';
    oracle::QuantizeRule rule{.order = oracle::ZeroPointOrder::before, .quotient = oracle::Quotient::reciprocal};
    rule.not_a_number = is_signed ? oracle::NotANumber::greatest : oracle::NotANumber::least;
    auto results = run_profile(call, "onednn-x64");
    ASSERT_TRUE(results) << to_text(results.error());
    int wrong = 0;
    for (std::int64_t i = 0; i < x.size(); ++i)
      wrong +=
          integer_of(results->front().tensor, i) != oracle::quantize(f32_at(x, i), p.scale, p.zero_point, oracle::integer_range(is_signed, 8), rule) ? 1 : 0;
    EXPECT_EQ(wrong, 0) << p.type << " scale " << p.scale;
  }
}

TEST(Oracle, DequantizeLinearOfEvery16BitCode) {
  for (const char* type : {"i16", "u16"}) {
    Tensor x = *Tensor::zeros({*ElementType::parse(type), {65536}, {}});
    for (std::int64_t i = 0; i < 65536; ++i) x.set_code(i, static_cast<std::uint64_t>(i));
    const float scale = 0.0123f;
    OpCall call{.op = "onnx.DequantizeLinear",
                .operands = {x, exact_scalar("f32", Real::from_double(static_cast<double>(scale))), exact_scalar(type, Real(77))},
                .version = 21};
    auto results = run_profile(call, "onnxruntime-x64");
    ASSERT_TRUE(results) << to_text(results.error());
    int wrong = 0;
    for (std::int64_t i = 0; i < 65536; ++i) wrong += f32_at(results->front().tensor, i) != oracle::dequantize(integer_of(x, i), 77, scale) ? 1 : 0;
    EXPECT_EQ(wrong, 0) << type;
  }
}

TEST(Oracle, QLinearMatMulOfEveryPairOfCodes) {
  const float a_scale = 0.1f, b_scale = 0.3f, y_scale = 3.2f;
  for (const auto& [a_type, b_type, a_zero, b_zero, y_zero] :
       {std::tuple{"u8", "u8", 131, 127, 129}, std::tuple{"u8", "i8", 3, -1, 7}, std::tuple{"i8", "i8", -5, 2, -3}}) {
    Tensor a = *Tensor::zeros({*ElementType::parse(a_type), {256, 1}, {}}), b = *Tensor::zeros({*ElementType::parse(b_type), {1, 256}, {}});
    for (std::int64_t i = 0; i < 256; ++i) {
      a.set_code(i, static_cast<std::uint64_t>(i));
      b.set_code(i, static_cast<std::uint64_t>(i));
    }
    auto f32 = [&](float v) { return exact_scalar("f32", Real::from_double(static_cast<double>(v))); };
    OpCall call{.op = "onnx.QLinearMatMul",
                .operands = {a, f32(a_scale), exact_scalar(a_type, Real(a_zero)), b, f32(b_scale), exact_scalar(b_type, Real(b_zero)), f32(y_scale),
                             exact_scalar(a_type, Real(y_zero))},
                .version = 10};
    auto results = run_profile(call, "onnxruntime-x64");
    ASSERT_TRUE(results) << to_text(results.error());
    const float multiplier = oracle::requantize_multiplier(a_scale, b_scale, y_scale);
    const oracle::CodeRange range = oracle::integer_range(a_type[0] == 'i', 8);
    int wrong = 0;
    for (std::int64_t i = 0; i < 256; ++i)
      for (std::int64_t j = 0; j < 256; ++j) {
        const auto accumulator = static_cast<std::int32_t>((integer_of(a, i) - a_zero) * (integer_of(b, j) - b_zero));
        wrong += integer_of(results->front().tensor, i * 256 + j) != oracle::requantize(accumulator, multiplier, y_zero, range) ? 1 : 0;
      }
    EXPECT_EQ(wrong, 0) << a_type << " x " << b_type;
  }
}

}  // namespace
}  // namespace tiebreak
