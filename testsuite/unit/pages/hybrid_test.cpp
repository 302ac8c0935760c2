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

/// An op in its hybrid form: what stands behind the operands, the types of weight, activation and result, and an operand behind them.
struct HybridOp {
  std::string name, attributes, weight, activation, result, last_type{};
};

/// The text of the op on %x and %w, whose type may be the expressed one.
std::string text_of_op(const HybridOp& op, const std::string& weight, const std::string& name) {
  const std::string last = op.last_type.empty() ? "" : ", %p", last_type = op.last_type.empty() ? "" : ", " + op.last_type;
  return "%y = \"" + op.name + "\"(%x, " + name + last + ") " + op.attributes + " : (" + op.activation + ", " + weight + last_type + ") -> " + op.result;
}

/// Inputs by name: random rows as the activation, small codes as the weight, padding of one place.
std::vector<Tensor> hybrid_inputs(const Program& program, std::mt19937& random, int kind) {
  std::vector<Tensor> inputs;
  for (ValueId id : program.inputs) {
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    Tensor tensor = *Tensor::zeros(*value.type);
    if (value.name == "x") tensor = vector_tensor("f32", random_row(random, static_cast<std::size_t>(tensor.size()), kind));
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      if (value.name == "w") tensor.set_code(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 15) - 7));
      if (value.name == "p") tensor.set_code(i, 1);
    }
    tensor.set_type(*value.type);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// The hybrid form of an op and the program that dequantizes the weight first give the same bits.
void same_bits(const HybridOp& op, std::mt19937& random) {
  auto library = spec_pages();
  const std::string expressed = op.weight.substr(0, op.weight.find("x!")) + "xf32>";
  auto hybrid = parse_mlir(text_of_op(op, op.weight, "%w"), "hybrid.mlir");
  auto first =
      parse_mlir("%d = \"stablehlo.uniform_dequantize\"(%w) : (" + op.weight + ") -> " + expressed + "\n" + text_of_op(op, expressed, "%d"), "explicit.mlir");
  ASSERT_TRUE(hybrid.has_value()) << to_text(hybrid.error());
  ASSERT_TRUE(first.has_value()) << to_text(first.error());
  const Program &one = hybrid->functions[0], &other = first->functions[0];
  for (const char* profile : {"reference", "stablehlo-spec"})
    for (int round = 0; round < 20; ++round) {
      const std::vector<Tensor> inputs = hybrid_inputs(one, random, round % 6);
      std::vector<Tensor> reordered;
      for (ValueId id : other.inputs)
        for (std::size_t i = 0; i < inputs.size(); ++i)
          if (one.values[static_cast<std::size_t>(one.inputs[i])].name == other.values[static_cast<std::size_t>(id)].name) reordered.push_back(inputs[i]);
      auto left = evaluate({*library, **library->find_profile(profile)}, one, inputs),
           right = evaluate({*library, **library->find_profile(profile)}, other, reordered);
      ASSERT_TRUE(left.has_value()) << to_text(left.error());
      ASSERT_TRUE(right.has_value()) << to_text(right.error());
      ASSERT_TRUE(std::ranges::equal(left->front().tensor.bytes(), right->front().tensor.bytes()))
          << op.name << " " << op.weight << " " << profile << " round " << round << " seed " << hybrid_seed;
    }
}

TEST(Hybrid, WeightOnlyIsDequantizeThenOp) {
  std::mt19937 random(hybrid_seed);
  const std::string dot = "{lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>}";
  for (const char* type :
       {"!quant.uniform<i8:f32:1, {0.1,0.25,0.003}>", "!quant.uniform<i4:f32, 0.07>", "!quant.uniform<i8:f32:{0:8, 1:1}, {{0.1,0.2,0.3}, {0.4,0.5,0.6}}>"})
    same_bits({"stablehlo.dot_general", dot, std::string("tensor<16x3x") + type + ">", "tensor<9x16xf32>", "tensor<9x3xf32>"}, random);
  const std::string numbers = "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64";
  for (const char* type : {"!quant.uniform<i8:f32:2, {0.1,0.25}>", "!quant.uniform<i8:f32, 0.07:16>", "!quant.uniform<i4:f32, 0.3:-2>"}) {
    const std::string weight = std::string("tensor<3x5x2x") + type + ">";
    same_bits({"stablehlo.convolution", "{padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_strides = array<i64: 2>, " + numbers + "}", weight,
               "tensor<2x7x5xf32>", "tensor<2x4x2xf32>"},
              random);
    same_bits({"stablehlo.convolution",
               "{padding = dense<[[2, 0]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 2>, window_reversal = array<i1: true>, " + numbers + "}", weight,
               "tensor<2x7x5xf32>", "tensor<2x5x2xf32>"},
              random);
    same_bits(
        {"stablehlo.dynamic_conv", "{window_strides = array<i64: 2>, " + numbers + "}", weight, "tensor<2x7x5xf32>", "tensor<2x4x2xf32>", "tensor<1x2xi64>"},
        random);
  }
}

}  // namespace
}  // namespace tiebreak
