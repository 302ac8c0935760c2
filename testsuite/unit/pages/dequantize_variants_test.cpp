// SPDX-License-Identifier: Apache-2.0
// Every profile's dequantize against the oracle's function of the same name: all 8-bit and 16-bit codes, and 32-bit codes beside the places
// where a difference wraps or f32 loses a digit.
#include "testsuite/oracle/quantized/dequantize_variants.hpp"

#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct DequantizeParameters {
  const char* type;
  float scale;
  std::int64_t zero_point;
  bool half;
};
constexpr DequantizeParameters dequantize_parameters[] = {{"i8", 0.1f, -77, false},     {"u8", 0.0137f, 131, false},    {"i16", 3e-4f, -11, false},
                                                          {"u16", 0.75f, 65535, false}, {"i32", 0.1f, 3, false},        {"i32", 0x1.8p+1f, -5, false},
                                                          {"i16", 0.37f, 100, true},    {"i8", 0x1.99998p+0f, 1, true}, {"u16", 7.3f, 1001, true}};

std::vector<std::int64_t> codes_of_type(const DequantizeParameters& p) {
  const ElementType element = *ElementType::parse(p.type);
  const oracle::CodeRange range = oracle::integer_range(element.integer().is_signed, element.bits());
  std::vector<std::int64_t> codes;
  if (element.bits() <= 16) {
    for (std::int64_t code = range.min; code <= range.max; ++code) codes.push_back(code);
    return codes;
  }
  std::uint64_t state = 12345;
  for (int i = 0; i < 40000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    codes.push_back(static_cast<std::int32_t>(state >> 32));
  }
  for (std::int64_t center : {range.min, range.max, std::int64_t{1} << 24, -(std::int64_t{1} << 24), std::int64_t{0}})
    for (std::int64_t code = center - 500; code <= center + 500; ++code)
      if (code >= range.min && code <= range.max) codes.push_back(code);
  return codes;
}

bool equal_or_nan(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(DequantizeVariants, EveryCode) {
  std::int64_t points = 0;
  for (const oracle::DequantizeVariant& variant : oracle::dequantize_variants())
    for (const DequantizeParameters& p : dequantize_parameters) {
      const std::vector<std::int64_t> codes = codes_of_type(p);
      const ElementType element = *ElementType::parse(p.type);
      OpCall call{.op = "quant.dequantize",
                  .operands = {vector_tensor(p.type, codes), scalar_tensor("f32", static_cast<double>(p.scale)),
                               scalar_tensor("i32", static_cast<double>(p.zero_point)), scalar_tensor("f32", -1.5)}};
      call.attributes["output_dtype"] = Attribute{*ElementType::parse(p.half ? "f16" : "f32")};
      auto results = run_profile(call, variant.name);
      ASSERT_TRUE(results) << to_text(results.error());
      oracle::DequantizeArguments arguments{.zero_point = p.zero_point,
                                            .scale = p.scale,
                                            .minimum = -1.5f,
                                            .storage = oracle::integer_range(element.integer().is_signed, element.bits()),
                                            .half = p.half};
      int wrong = 0;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        arguments.code = codes[i];
        const auto actual = static_cast<float>(results->front().tensor.value(static_cast<std::int64_t>(i)).to_double());
        const float expected = variant.function(arguments);
        if (!equal_or_nan(actual, expected) && ++wrong <= 3)
          ADD_FAILURE() << variant.name << " " << p.type << (p.half ? " to f16" : "") << " scale " << p.scale << ": code " << codes[i] << " gives " << actual
                        << ", oracle " << expected;
      }
      EXPECT_EQ(wrong, 0) << variant.name;
      points += static_cast<std::int64_t>(codes.size());
    }
  std::printf("  %lld points, %zu profiles\n", static_cast<long long>(points), oracle::dequantize_variants().size());
  EXPECT_GE(points, 1'000'000);
}

}  // namespace
}  // namespace tiebreak
