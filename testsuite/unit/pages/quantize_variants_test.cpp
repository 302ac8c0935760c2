// SPDX-License-Identifier: Apache-2.0
// Every profile's quantize against the oracle's function of the same name: every f16 value, ties of the scale and their neighbours, several
// types, scales and zero points.
#include "testsuite/oracle/quantized/quantize_variants.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct RangedParameters {
  const char* type;
  float scale;
  float zero_point;
  std::int64_t least, greatest;  ///< of the codes
  bool half;
};
constexpr RangedParameters ranged_parameters[] = {{"i8", 0.1f, 7, -128, 127, false},     {"u8", 0.0137f, 131, 0, 255, false},
                                                  {"i8", 0x1p-3f, -3, -127, 127, false}, {"u16", 3e-4f, 65535, 0, 65535, false},
                                                  {"i8", 1e-30f, 127, -128, 127, false}, {"u8", 0x1.998p-4f, 3, 0, 255, true}};

/// Every f16 value, and for f32 the ties of x / s and of x * (1 / s) with both neighbours.
std::vector<float> quantize_inputs(const RangedParameters& p) {
  std::vector<float> x;
  for (std::uint32_t code = 0; code < 65536; ++code) x.push_back(oracle::decode(code, oracle::f16));
  if (p.half) return x;
  for (std::int64_t k = p.least - 3; k <= std::min(p.greatest, p.least + 600) + 3; ++k) {
    const float tie = (static_cast<float>(k) - p.zero_point + 0.5f) * p.scale;
    for (float v : {tie, std::nextafter(tie, 1e30f), std::nextafter(tie, -1e30f)}) x.push_back(v);
  }
  return x;
}

oracle::CodeRange storage_of(const std::string& type) {
  const ElementType element = *ElementType::parse(type);
  return oracle::integer_range(element.integer().is_signed, element.bits());
}

OpCall quantize_call(const RangedParameters& p, const std::vector<float>& x, float zero_point, const std::string& zero_type) {
  const std::string type = p.half ? "f16" : "f32";
  OpCall call{.op = "quant.quantize",
              .operands = {vector_tensor(type, x), scalar_tensor(type, static_cast<double>(p.scale)), scalar_tensor(zero_type, static_cast<double>(zero_point)),
                           scalar_tensor("f32", 100)}};
  call.attributes["output_dtype"] = Attribute{*ElementType::parse(p.type)};
  call.attributes["least"] = Attribute{Real(p.least)};
  call.attributes["greatest"] = Attribute{Real(p.greatest)};
  return call;
}

/// Points compared; differences are reported.
std::int64_t compare_quantize(const oracle::QuantizeVariant& variant, const RangedParameters& p, float zero_point, const std::string& zero_type) {
  const std::vector<float> x = quantize_inputs(p);
  auto results = run_profile(quantize_call(p, x, zero_point, zero_type), variant.name);
  EXPECT_TRUE(results) << variant.name << " " << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  oracle::QuantizeArguments arguments{
      .scale = p.scale, .zero_point = zero_point, .magnitude = 100, .storage = storage_of(p.type), .range = {p.least, p.greatest}, .half = p.half};
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    arguments.x = x[i];
    const auto expected = variant.function(arguments);
    const auto actual = integer_at(results->front(), static_cast<std::int64_t>(i));
    if (actual != expected && ++wrong <= 3)
      ADD_FAILURE() << variant.name << " " << p.type << " scale " << p.scale << " zero point " << zero_point << (p.half ? " f16" : "") << ": x = " << x[i]
                    << " gives " << text_of(actual) << ", oracle " << text_of(expected);
  }
  EXPECT_EQ(wrong, 0) << variant.name;
  return static_cast<std::int64_t>(x.size());
}

TEST(QuantizeVariants, EveryHalfAndTheTies) {
  std::int64_t points = 0;
  for (const oracle::QuantizeVariant& variant : oracle::quantize_variants())
    for (const RangedParameters& p : ranged_parameters) {
      const bool without_zero_point = std::string(variant.name).starts_with("gguf-q8");
      points += compare_quantize(variant, p, without_zero_point ? 0 : p.zero_point, "i32");
    }
  std::printf("  %lld points, %zu profiles\n", static_cast<long long>(points), oracle::quantize_variants().size());
  EXPECT_GE(points, 1'000'000);
}

/// The op of ONNX as others compute it: a page of its own, with the same twin. Where the twin says nothing, the page may.
void compare_quantize_linear(const std::string& profile) {
  const auto variants = oracle::quantize_variants();
  const auto twin = std::find_if(variants.begin(), variants.end(), [&](const auto& one) { return one.name == profile; });
  ASSERT_NE(twin, variants.end());
  for (const char* type : {"i8", "u8"})
    for (const float scale : {0.1f, 1e-7f, 1e-30f}) {  // within int32, within int64, beyond
      const oracle::CodeRange codes = storage_of(type);
      const RangedParameters p{type, scale, -3.0f + static_cast<float>(codes.min == 0 ? 134 : 0), codes.min, codes.max, false};
      const std::vector<float> x = quantize_inputs(p);
      auto results = run_profile(
          {.op = "onnx.QuantizeLinear",
           .operands = {vector_tensor("f32", x), scalar_tensor("f32", static_cast<double>(scale)), scalar_tensor(type, static_cast<double>(p.zero_point))}},
          twin->name);
      ASSERT_TRUE(results) << to_text(results.error());
      int wrong = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto expected = twin->function({.x = x[i], .scale = scale, .zero_point = p.zero_point, .storage = codes, .range = codes});
        if (!expected) continue;
        const auto actual = integer_at(results->front(), static_cast<std::int64_t>(i));
        if (actual != expected && ++wrong <= 3)
          ADD_FAILURE() << profile << " " << type << " scale " << scale << ": x = " << x[i] << " gives " << text_of(actual) << ", oracle " << text_of(expected);
      }
      EXPECT_EQ(wrong, 0);
    }
}

TEST(QuantizeVariants, QuantizeLinearOfPyTorch) { compare_quantize_linear("pytorch-scalar"); }
TEST(QuantizeVariants, QuantizeLinearOfOneDnnOnArm) { compare_quantize_linear("onednn-arm64"); }

TEST(QuantizeVariants, FloatZeroPoints) {
  for (const oracle::QuantizeVariant& variant : oracle::quantize_variants()) {
    const std::string name = variant.name;
    if (name.starts_with("pytorch-float")) compare_quantize(variant, {"u8", 0.1f, 0, 0, 255, false}, 3.7f, "f32");
    if (name == "gguf-q4-0-ref") compare_quantize(variant, {"u4", -0.37f, 0, 0, 15, false}, 8.5f, "f32");
  }
}

}  // namespace
}  // namespace tiebreak
