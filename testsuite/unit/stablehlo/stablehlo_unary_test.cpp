// SPDX-License-Identifier: Apache-2.0
// The pages of StableHLO's unary elementwise ops against plain long doubles: every code of 8 bits under every set of parameters in three
// readings, and floats of 16 and 32 bits.
#include "testsuite/oracle/stablehlo/stablehlo_unary.hpp"

#include <cmath>
#include <cstdio>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::StablehloReading;
using oracle::StablehloUnaryParameters;

struct UnaryProfile {
  const char* profile;
  StablehloReading reading;
};
constexpr UnaryProfile unary_profiles[] = {{"stablehlo-spec", StablehloReading::specification},
                                           {"stablehlo-exact", StablehloReading::exact},
                                           {"stablehlo-interpreter", StablehloReading::interpreter}};

/// Scales that make ties and neighbours of ties, zero points in the middle, odd, and at the ends; i8 and u8; three expressed types.
std::vector<StablehloUnaryParameters> unary_parameter_sets() {
  struct Numbers {
    double operand, result;
    int operand_zero_point, result_zero_point;  // of signed codes, 128 more for unsigned ones
  };
  constexpr Numbers numbers[] = {{0.5, 1, 1, 3},        {0.25, 0.5, -128, 1},     {1, 2, 0, -7},         {0.1, 0.05, 3, 100},
                                 {0.02, 0.03, -10, 64}, {0.05, 0.01, 3, 20},      {0.1, 0.015, -10, 50}, {0.3, 0.7, 127, -128},
                                 {1.5, 0.1, 5, 127},    {0.007, 0.0078125, 0, 0}, {12.5, 9, -3, 11},     {0x1p-20, 0x1p-20, 1, -1}};
  constexpr std::pair<int, int> widths[] = {{5, 2}, {3, 1}, {8, 7}, {4, 0}};
  std::vector<StablehloUnaryParameters> sets;
  for (const oracle::WideFloat& format : {oracle::wide_f32, oracle::wide_bf16, oracle::wide_f16})
    for (const bool is_signed : {true, false})
      for (const Numbers& n : numbers) {
        const int shift = is_signed ? 0 : 128;
        const auto [exponent_bits, mantissa_bits] = widths[sets.size() % std::size(widths)];
        sets.push_back({format, 8, is_signed, n.operand, n.result, n.operand_zero_point + shift, n.result_zero_point + shift, exponent_bits, mantissa_bits});
      }
  return sets;
}

TensorType unary_type(const StablehloUnaryParameters& p, double scale, int zero_point, std::int64_t size) {
  TensorType made{*ElementType::parse(p.is_signed ? "i8" : "u8"), {size}, {}};
  made.quantized = QuantizedType{made.element, made.element.min(),           made.element.max(),  *ElementType::parse(p.expressed.name), {},
                                 {},           {{Real::from_double(scale)}}, {{Real(zero_point)}}};
  return made;
}

AttributeMap attributes_of(std::string_view op, const StablehloUnaryParameters& p) {
  if (op != "reduce_precision") return {};
  return {{"exponent_bits", Attribute{Real(p.exponent_bits)}}, {"mantissa_bits", Attribute{Real(p.mantissa_bits)}}};
}

std::string unary_place(std::string_view op, const StablehloUnaryParameters& p, const UnaryProfile& profile) {
  return std::string(op) + " " + profile.profile + " " + (p.is_signed ? "i8:" : "u8:") + p.expressed.name + " " + std::to_string(p.operand_scale) + ":" +
         std::to_string(p.operand_zero_point) + " to " + std::to_string(p.result_scale) + ":" + std::to_string(p.result_zero_point);
}

std::int64_t compare_codes(std::string_view op, const StablehloUnaryParameters& p, const UnaryProfile& profile) {
  Tensor codes = *Tensor::zeros(unary_type(p, p.operand_scale, p.operand_zero_point, 256));
  for (int i = 0; i < 256; ++i) codes.set_code(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(p.is_signed ? i - 128 : i)));
  const OpCall call{.op = "stablehlo." + std::string(op),
                    .operands = {codes},
                    .attributes = attributes_of(op, p),
                    .result_types = {unary_type(p, p.result_scale, p.result_zero_point, 256)}};
  auto results = run_profile(call, profile.profile);
  EXPECT_TRUE(results) << unary_place(op, p, profile) << " " << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  int wrong = 0;
  for (int i = 0; i < 256; ++i) {
    const std::int64_t code = p.is_signed ? i - 128 : i;
    const auto actual = integer_at(results->front(), i), expected = oracle::unary_code(op, code, p, profile.reading);
    if (actual != expected && ++wrong <= 2)
      ADD_FAILURE() << unary_place(op, p, profile) << ": " << code << " gives " << text_of(actual) << ", oracle " << text_of(expected);
  }
  EXPECT_EQ(wrong, 0) << unary_place(op, p, profile);
  return 256;
}

class StablehloUnaryCodes : public testing::TestWithParam<std::string_view> {};

TEST_P(StablehloUnaryCodes, EveryCode) {
  std::int64_t points = 0;
  for (const StablehloUnaryParameters& p : unary_parameter_sets())
    for (const UnaryProfile& profile : unary_profiles) {
      // The interpreter computes in f32 whatever the expressed type.
      if (profile.reading == StablehloReading::interpreter && p.expressed.precision != oracle::wide_f32.precision) continue;
      points += compare_codes(GetParam(), p, profile);
    }
  std::printf("  %lld points, %zu parameter sets\n", static_cast<long long>(points), unary_parameter_sets().size());
  EXPECT_GE(points, 20 * 256);
}

/// Values of 16-bit formats, evenly spread over all codes, and of f32 at pseudo-random bits.
Tensor float_inputs(const oracle::WideFloat& format) {
  constexpr std::int64_t size = 2048;
  Tensor tensor = *Tensor::zeros({*ElementType::parse(format.name), {size}, {}});
  std::uint64_t state = 2024;
  for (std::int64_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    tensor.set_code(i, tensor.element().bits() == 16 ? static_cast<std::uint64_t>(i) * 32 + (state >> 59) : state >> 32);
  }
  return tensor;
}

long double float_at(const Tensor& tensor, std::int64_t index) {
  const Real value = tensor.value(index);
  if (value.is_nan()) return std::nanl("");
  return static_cast<long double>(value.to_double_pair().first);  // a double holds every value of these formats, its zero's sign too
}

class StablehloUnaryFloats : public testing::TestWithParam<std::string_view> {};

TEST_P(StablehloUnaryFloats, Samples) {
  const std::string op(GetParam());
  std::int64_t points = 0;
  for (const oracle::WideFloat& format : {oracle::wide_f16, oracle::wide_bf16, oracle::wide_f32})
    for (const UnaryProfile& profile : unary_profiles) {
      const StablehloUnaryParameters p{.expressed = format, .exponent_bits = 4, .mantissa_bits = 3};
      const Tensor inputs = float_inputs(format);
      auto results =
          run_profile({.op = "stablehlo." + op, .operands = {inputs}, .attributes = attributes_of(op, p), .result_types = {inputs.type()}}, profile.profile);
      ASSERT_TRUE(results) << to_text(results.error());
      for (std::int64_t i = 0; i < inputs.size(); ++i, ++points) {
        const long double x = float_at(inputs, i), actual = float_at(results->front().tensor, i);
        if (op == "reduce_precision" && std::isnan(x)) continue;
        const long double expected = oracle::unary_float(op, x, p, profile.reading);
        const bool same = std::isnan(expected) ? std::isnan(actual) : actual == expected && std::signbit(actual) == std::signbit(expected);
        ASSERT_TRUE(same) << unary_place(op, p, profile) << ": " << static_cast<double>(x) << " gives " << static_cast<double>(actual) << ", oracle "
                          << static_cast<double>(expected);
      }
    }
  std::printf("  %lld points\n", static_cast<long long>(points));
}

std::string name_of(const testing::TestParamInfo<std::string_view>& test) { return std::string(test.param); }
INSTANTIATE_TEST_SUITE_P(Every, StablehloUnaryCodes, testing::ValuesIn(oracle::unary_ops().begin(), oracle::unary_ops().end()), name_of);
INSTANTIATE_TEST_SUITE_P(Every, StablehloUnaryFloats, testing::ValuesIn(oracle::unary_ops().begin(), oracle::unary_ops().end()), name_of);

}  // namespace
}  // namespace tiebreak
