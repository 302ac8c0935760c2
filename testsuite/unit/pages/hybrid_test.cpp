// SPDX-License-Identifier: Apache-2.0
// Hybrid ops: dynamic range against the oracle's systems, weight-only against the explicit program that dequantizes first. The seed is printed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpreter/program/program.hpp"
#include "testsuite/oracle/quantized/hybrid.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr unsigned hybrid_seed = 20231005;

Tensor weight_tensor(const std::string& storage, const Shape& shape, const std::vector<int>& codes, const std::vector<double>& scales, int axis) {
  TensorType type{*ElementType::parse(storage), shape, {}};
  QuantizedType quantized{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  if (scales.size() > 1) {
    quantized.dimensions = {{axis, 1}};
    quantized.parameter_shape = {static_cast<std::int64_t>(scales.size())};
  }
  for (double scale : scales) {
    quantized.scales.push_back({Real::from_double(scale)});
    quantized.zero_points.push_back({Real(0)});
  }
  type.quantized = quantized;
  Tensor tensor = *Tensor::zeros(type);
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(static_cast<std::int64_t>(codes[i])));
  return tensor;
}

std::vector<float> random_row(std::mt19937& random, std::size_t size, int kind) {
  std::uniform_real_distribution<float> value(-1, 1);
  const float span = std::ldexp(1.0f, static_cast<int>(random() % 40) - 20);
  std::vector<float> row;
  for (std::size_t i = 0; i < size; ++i) {
    float x = value(random) * span;
    if (kind == 1) x = std::fabs(x);
    if (kind == 2) x = -std::fabs(x);
    if (kind == 3) x = 0;
    row.push_back(x);
  }
  // Ties: the middle of two codes under a symmetric scale.
  if (kind == 4 && size > 2) row[0] = 127 * span, row[1] = 0.5f * span, row[2] = -1.5f * span;
  return row;
}

TEST(Hybrid, DynamicRangeIsTheSystemsOwn) {
  constexpr std::size_t depth = 24, channels = 5;
  std::mt19937 random(hybrid_seed);
  auto library = spec_pages();
  std::size_t compared = 0;
  for (const char* system :
       {"tflite-hybrid-sym", "tflite-hybrid-asym-portable", "onnxruntime-x64", "xnnpack-quantize", "pytorch-cpu-quantize", "pytorch-reduce-range"}) {
    auto profile = library->find_profile(system);
    ASSERT_TRUE(profile.has_value()) << system;
    const bool signed_codes = std::string_view(system).starts_with("tflite") || std::string_view(system).starts_with("xnn");
    for (int round = 0; round < 400; ++round) {
      const std::vector<float> row = random_row(random, depth, round % 6);
      // Scales as a type holds them, doubles that are no f32 numbers; every other weight brings the sum beyond 2^24.
      const bool wide = round / 6 % 2 != 0;
      std::vector<int> codes;
      std::vector<double> scales;
      for (std::size_t i = 0; i < depth * channels; ++i) codes.push_back((static_cast<int>(random() % 255) - 127) * (wide ? 1021 : 1));
      for (std::size_t c = 0; c < channels; ++c) scales.push_back(static_cast<double>(1 + random() % 1000) / 10240.0);
      OpCall call{.op = "hybrid.dot_general"};
      Tensor lhs = vector_tensor("f32", row);
      TensorType type = lhs.type();
      type.shape = {1, static_cast<std::int64_t>(depth)};
      lhs.set_type(type);
      call.operands = {lhs, weight_tensor(wide ? "i32" : "i8", {depth, channels}, codes, scales, 1)};
      call.attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}};
      auto results = evaluate({*library, **profile}, call);
      ASSERT_TRUE(results.has_value()) << to_text(results.error());
      const oracle::DynamicRow quantized = oracle::dynamic_row(system, row);
      for (std::size_t c = 0; c < channels; ++c) {
        std::vector<int> column;
        for (std::size_t k = 0; k < depth; ++k) column.push_back(codes[k * channels + c]);
        const float expected = oracle::hybrid_output(system, quantized, column, static_cast<float>(scales[c]));
        ASSERT_EQ(f32_at(results->front().tensor, static_cast<std::int64_t>(c)), expected)
            << system << " round " << round << " channel " << c << " seed " << hybrid_seed;
        ++compared;
      }
      OpCall dynamic{.op = "quant.dynamic", .operands = {lhs}, .attributes = {{"storage", Attribute{*ElementType::parse(signed_codes ? "i8" : "u8")}}}};
      auto stage = evaluate({*library, **profile}, dynamic);
      ASSERT_TRUE(stage.has_value()) << to_text(stage.error());
      for (std::size_t k = 0; k < depth; ++k, ++compared)
        ASSERT_EQ(integer_at((*stage)[0], static_cast<std::int64_t>(k)), quantized.codes[k])
            << system << " round " << round << " element " << k << " seed " << hybrid_seed;
    }
  }
  RecordProperty("compared", static_cast<int>(compared));
}

/// The hybrid form of stablehlo.dot_general and the program that dequantizes the weight first give the same bits, under every order of the sum.
TEST(Hybrid, WeightOnlyIsDequantizeThenOp) {
  std::mt19937 random(hybrid_seed);
  auto library = spec_pages();
  const std::string types[] = {"!quant.uniform<i8:f32:1, {0.1,0.25,0.003}>", "!quant.uniform<i4:f32, 0.07>",
                               "!quant.uniform<i8:f32:{0:8, 1:1}, {{0.1,0.2,0.3}, {0.4,0.5,0.6}}>"};
  for (const std::string& type : types) {
    const std::string weight = "tensor<16x3x" + type + ">",
                      attributes = "{lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>}";
    auto hybrid =
        parse_mlir("%y = \"stablehlo.dot_general\"(%x, %w) " + attributes + " : (tensor<9x16xf32>, " + weight + ") -> tensor<9x3xf32>", "hybrid.mlir");
    auto explicit_program =
        parse_mlir("%d = \"stablehlo.uniform_dequantize\"(%w) : (" + weight + ") -> tensor<16x3xf32>\n%y = \"stablehlo.dot_general\"(%x, %d) " + attributes +
                       " : (tensor<9x16xf32>, tensor<16x3xf32>) -> tensor<9x3xf32>",
                   "explicit.mlir");
    ASSERT_TRUE(hybrid.has_value()) << to_text(hybrid.error());
    ASSERT_TRUE(explicit_program.has_value()) << to_text(explicit_program.error());
    for (const char* profile : {"reference", "stablehlo-spec"})
      for (int round = 0; round < 20; ++round) {
        Tensor x = vector_tensor("f32", random_row(random, 144, round % 6));
        TensorType shaped = x.type();
        shaped.shape = {9, 16};
        x.set_type(shaped);
        Tensor w = *Tensor::zeros(*hybrid->functions[0].values[static_cast<std::size_t>(hybrid->functions[0].inputs[1])].type);
        for (std::int64_t i = 0; i < w.size(); ++i) w.set_code(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 15) - 7));
        auto one = evaluate({*library, **library->find_profile(profile)}, hybrid->functions[0], {x, w});
        auto other_inputs = explicit_program->functions[0].inputs.size() == 2 &&
                                    explicit_program->functions[0].values[static_cast<std::size_t>(explicit_program->functions[0].inputs[0])].name == "w"
                                ? std::vector<Tensor>{w, x}
                                : std::vector<Tensor>{x, w};
        auto other = evaluate({*library, **library->find_profile(profile)}, explicit_program->functions[0], other_inputs);
        ASSERT_TRUE(one.has_value()) << to_text(one.error());
        ASSERT_TRUE(other.has_value()) << to_text(other.error());
        ASSERT_TRUE(std::ranges::equal(one->front().tensor.bytes(), other->front().tensor.bytes()))
            << type << " " << profile << " round " << round << " seed " << hybrid_seed;
      }
  }
}

}  // namespace
}  // namespace tiebreak
