// SPDX-License-Identifier: Apache-2.0
// Pretty and generic forms give the same program; what is printed reads back and prints the same.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

std::string printed(const std::string& text) {
  const auto parsed = parse_mlir(text, "t.mlir");
  if (!parsed) return to_text(parsed.error());
  const std::string first = print_mlir(parsed->functions.at(0));
  const auto again = parse_mlir(first, "printed.mlir");
  if (!again) return "does not read back: " + to_text(again.error()) + "\n" + first;
  EXPECT_EQ(print_mlir(again->functions.at(0)), first);
  return first;
}

struct Pair {
  const char* name;
  const char* pretty;
  const char* generic;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{
      {"Add", "%2 = stablehlo.add %0, %1 : tensor<2xi8>", R"(%2 = "stablehlo.add"(%0, %1) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>)"},
      {"AddSignature", "%2 = stablehlo.add %0, %1 : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>",
       R"(%2 = "stablehlo.add"(%0, %1) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>)"},
      {"Negate", "%1 = stablehlo.negate %0 : tensor<f32>", R"(%1 = "stablehlo.negate"(%0) : (tensor<f32>) -> tensor<f32>)"},
      {"UniformQuantize", "%1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:-3>>",
       R"(%1 = "stablehlo.uniform_quantize"(%0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-128:127>:f32, 1.0e-1:-3>>)"},
      {"UniformDequantize", "%1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<u8:f32:0, {0.5:3, 0.25}>>) -> tensor<2xf32>",
       R"(%1 = "stablehlo.uniform_dequantize"(%0) : (tensor<2x!quant.uniform<ui8:f32:0, {0.5:3, 0.25:0}>>) -> tensor<2xf32>)"},
      {"DotGeneral",
       "%2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : "
       "(tensor<2x2x2xi8>, tensor<2x2x2xi8>) -> tensor<2x2x2xi32>",
       R"(%2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0],
            rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>,
            precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}>
            : (tensor<2x2x2xi8>, tensor<2x2x2xi8>) -> tensor<2x2x2xi32>)"},
      {"DotGeneralWithoutBatch", "%2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>",
       R"(%2 = "stablehlo.dot_general"(%0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
            rhs_contracting_dimensions = [0]>} : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>)"},
      {"Convolution",
       "%2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
       "window = {stride = [4, 4], pad = [[0, 1], [2, 3]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [0, 1]} "
       "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi32>, tensor<3x3x1x1xi32>) -> tensor<1x2x2x1xi32>",
       R"(%2 = "stablehlo.convolution"(%0, %1) {window_strides = array<i64: 4, 4>, padding = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>,
            lhs_dilation = array<i64: 2, 2>, rhs_dilation = dense<1> : tensor<2xi64>, window_reversal = array<i1: false, true>,
            dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
            kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
            output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>,
            feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x4x4x1xi32>, tensor<3x3x1x1xi32>) -> tensor<1x2x2x1xi32>)"},
      {"ConvolutionShort",
       "%2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} : (tensor<1x1x4xi8>, tensor<1x1x3xi8>) -> "
       "tensor<1x1x2xi32>",
       R"(%2 = "stablehlo.convolution"(%0, %1) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}>
            : (tensor<1x1x4xi8>, tensor<1x1x3xi8>) -> tensor<1x1x2xi32>)"},
      {"Transpose", "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>",
       R"(%1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xi8>) -> tensor<3x2xi8>)"},
      {"Reshape", "%1 = stablehlo.reshape %0 : (tensor<2x3xi8>) -> tensor<6xi8>", R"(%1 = "stablehlo.reshape"(%0) : (tensor<2x3xi8>) -> tensor<6xi8>)"},
      {"BroadcastInDim", "%1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xi8>) -> tensor<2x3xi8>",
       R"(%1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<3xi8>) -> tensor<2x3xi8>)"},
      {"Concatenate", "%2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xi8>, tensor<1xi8>) -> tensor<3xi8>",
       R"(%2 = "stablehlo.concatenate"(%0, %1) <{dimension = 0 : i64}> : (tensor<2xi8>, tensor<1xi8>) -> tensor<3xi8>)"},
      {"Iota", "%0 = stablehlo.iota dim = 0 : tensor<4xi32>", R"(%0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi32>)"},
      {"Compare", "%2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
       R"(%2 = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LT>,
            compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>)"},
      {"Select", "%3 = stablehlo.select %0, %1, %2 : tensor<2xi1>, tensor<2xi8>",
       R"(%3 = "stablehlo.select"(%0, %1, %2) : (tensor<2xi1>, tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>)"},
      {"Slice", "%1 = stablehlo.slice %0 [0:2, 1:6:2] : (tensor<3x8xi8>) -> tensor<2x3xi8>",
       R"(%1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 6>, strides = array<i64: 1, 2>}
            : (tensor<3x8xi8>) -> tensor<2x3xi8>)"},
      {"Pad", "%2 = stablehlo.pad %0, %1, low = [0], high = [1], interior = [2] : (tensor<2xi8>, tensor<i8>) -> tensor<5xi8>",
       R"(%2 = "stablehlo.pad"(%0, %1) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 2>}
            : (tensor<2xi8>, tensor<i8>) -> tensor<5xi8>)"},
      {"DynamicSlice", "%2 = stablehlo.dynamic_slice %0, %1, sizes = [1] : (tensor<3xi8>, tensor<i64>) -> tensor<1xi8>",
       R"(%2 = "stablehlo.dynamic_slice"(%0, %1) {slice_sizes = array<i64: 1>} : (tensor<3xi8>, tensor<i64>) -> tensor<1xi8>)"},
      {"DynamicUpdateSlice", "%3 = stablehlo.dynamic_update_slice %0, %1, %2 : (tensor<3xi8>, tensor<1xi8>, tensor<i64>) -> tensor<3xi8>",
       R"(%3 = "stablehlo.dynamic_update_slice"(%0, %1, %2) : (tensor<3xi8>, tensor<1xi8>, tensor<i64>) -> tensor<3xi8>)"},
      {"DynamicIota", "%1 = stablehlo.dynamic_iota %0, dim = 1 : (tensor<2xi64>) -> tensor<?x4xi32>",
       R"(%1 = "stablehlo.dynamic_iota"(%0) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> tensor<?x4xi32>)"},
      {"DynamicBroadcast", "%2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [1] : (tensor<?xi8>, tensor<2xi64>) -> tensor<2x?xi8>",
       R"(%2 = "stablehlo.dynamic_broadcast_in_dim"(%0, %1) {broadcast_dimensions = array<i64: 1>} : (tensor<?xi8>, tensor<2xi64>) -> tensor<2x?xi8>)"},
      {"DimensionSize", "%1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x2xi8>) -> tensor<i32>",
       R"(%1 = "stablehlo.get_dimension_size"(%0) {dimension = 0 : i64} : (tensor<?x2xi8>) -> tensor<i32>)"},
      {"OpenPerAxis", "%1 = stablehlo.abs %0 : tensor<?x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>",
       R"(%1 = "stablehlo.abs"(%0) : (tensor<?x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<?x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>)"},
      {"Clamp", "%3 = stablehlo.clamp %0, %1, %2 : (tensor<i8>, tensor<2xi8>, tensor<i8>) -> tensor<2xi8>",
       R"(%3 = "stablehlo.clamp"(%0, %1, %2) : (tensor<i8>, tensor<2xi8>, tensor<i8>) -> tensor<2xi8>)"},
      {"ReducePrecision", "%1 = stablehlo.reduce_precision %0, format = e5m10 : tensor<f32>",
       R"(%1 = "stablehlo.reduce_precision"(%0) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<f32>) -> tensor<f32>)"},
      {"Fft", "%1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<4xf32>) -> tensor<4xf32>",
       R"(%1 = "stablehlo.fft"(%0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>)"},
      {"Arrow", "%1, %2 = chlo.top_k(%0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)",
       R"(%1, %2 = "chlo.top_k"(%0) {k = 2 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>))"},
      {"Barrier", "%2:2 = stablehlo.optimization_barrier %0, %1 : tensor<2xi8>, tensor<i8>",
       R"(%2:2 = "stablehlo.optimization_barrier"(%0, %1) : (tensor<2xi8>, tensor<i8>) -> (tensor<2xi8>, tensor<i8>))"},
      {"Composite", "%1 = stablehlo.composite \"my.add\" %0 {decomposition = @add} : (tensor<2xi8>) -> tensor<2xi8>",
       R"(%1 = "stablehlo.composite"(%0) {name = "my.add", decomposition = @add} : (tensor<2xi8>) -> tensor<2xi8>)"},
      {"Gather",
       R"(%2 = "stablehlo.gather"(%0, %1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
            >, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false} : (tensor<3x2xi8>, tensor<2xi64>) -> tensor<2x2xi8>)",
       R"(%2 = "stablehlo.gather"(%0, %1) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>,
            start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 0 : i64, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}>
            : (tensor<3x2xi8>, tensor<2xi64>) -> tensor<2x2xi8>)"},
      {"BatchedGather",
       R"(%2 = "stablehlo.dynamic_gather"(%0, %1, %s) {dimension_numbers = #stablehlo.gather<operand_batching_dims = [0], start_indices_batching_dims = [0],
            index_vector_dim = 1>} : (tensor<3x2xi8>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3xi8>)",
       R"(%2 = "stablehlo.dynamic_gather"(%0, %1, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [],
            operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [], index_vector_dim = 1>}
            : (tensor<3x2xi8>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3xi8>)"},
      {"PackedTruths", "%0 = stablehlo.constant dense<\"0x0501\"> : tensor<9xi1>", "%0 = stablehlo.constant dense<\"0x010001000000000001\"> : tensor<9xi1>"},
      {"DotAlgorithm",
       "%2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = tf32, lhs_component_count = 1> : "
       "(tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
       R"(%2 = "stablehlo.dot_general"(%0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,
            algorithm = #stablehlo.dot_algorithm<lhs_component_count = 1, lhs_precision_type = tf32>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>)"},
      {"Constant", "%0 = stablehlo.constant dense<[1, -2]> : tensor<2xi8>",
       R"(%0 = "stablehlo.constant"() <{value = dense<"0x01FE"> : tensor<2xi8>}> : () -> tensor<2xi8>)"},
      {"QuantizedConstant", "%0 = stablehlo.constant dense<[1, -2]> : tensor<2x!quant.uniform<i8:f32, 0.5>>",
       R"(%0 = "stablehlo.constant"() {value = dense<[1, -2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>)"},
      {"CustomCall", "%1 = stablehlo.custom_call @check.eq(%0, %0) {a = \"b\"} : (tensor<2xi8>, tensor<2xi8>) -> tensor<i1>",
       R"(%1 = "stablehlo.custom_call"(%0, %0) <{call_target_name = "check.eq"}> {a = "b"} : (tensor<2xi8>, tensor<2xi8>) -> tensor<i1>)"},
      {"Check", "%0 = stablehlo.constant dense<1> : tensor<2xi8>\ncheck.expect_eq_const %0, dense<[1, 1]> : tensor<2xi8>",
       R"(%0 = "stablehlo.constant"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2xi8>
          "check.expect_eq_const"(%0) <{value = dense<1> : tensor<2xi8>}> : (tensor<2xi8>) -> ())"},
      {"Aliases", "%1 = stablehlo.reverse %0, dims = [0] : tensor<2x!quant.uniform<i8:f32:{0:2}, {2.0:1}>>",
       "!q = !quant.uniform<i8:f32:{0:2}, {2.0:1}>\n#d = array<i64: 0>\n!t = tensor<2x!q>\n"
       R"(%1 = "stablehlo.reverse"(%0) {dimensions = #d} : (!t) -> !t loc("somewhere"))"},
  };
  return all;
}

class Forms : public testing::TestWithParam<std::size_t> {};
TEST_P(Forms, PrettyAndGenericAreOneProgram) {
  const Pair& pair = pairs()[GetParam()];
  const std::string pretty = printed(pair.pretty);
  EXPECT_TRUE(pretty.starts_with("func.func @main(")) << pretty;
  // A check op's operand types are unknown in the pretty form; both print them from the definition.
  EXPECT_EQ(pretty, printed(pair.generic));
}
INSTANTIATE_TEST_SUITE_P(Mlir, Forms, testing::Range(std::size_t{0}, pairs().size()), [](const auto& test) { return std::string(pairs()[test.param].name); });

TEST(Mlir, ConvolutionAttributesHaveTheNamesOfTheSpec) {
  const auto parsed = parse_mlir(pairs()[7].pretty, "t.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const AttributeMap& attributes = parsed->functions[0].operations.at(0).attributes;
  EXPECT_EQ(attributes.at("input_spatial_dimensions").as_integers(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(attributes.at("kernel_output_feature_dimension").as_integer(), 3);
  EXPECT_EQ(attributes.at("window_strides").as_integers(), (std::vector<std::int64_t>{4, 4}));
  EXPECT_EQ(to_text(attributes.at("padding")), "[[0, 1], [2, 3]]");
  EXPECT_EQ(to_text(attributes.at("window_reversal")), "[false, true]");
  EXPECT_EQ(attributes.at("feature_group_count").as_integer(), 1);
}

TEST(Mlir, AModuleWithFunctions) {
  const auto parsed = parse_mlir(R"(module @m attributes {mhlo.num_replicas = 1 : i32} {
    func.func public @f(%arg0: tensor<2xf32> {jax.arg = "x"}, %arg1: tensor<2xf32>) -> (tensor<2xf32> {jax.result = ""}, tensor<2xf32>) attributes {a} {
      %0:2 = "my.split"(%arg0) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
      %1 = stablehlo.add %0#0, %0#1 : tensor<2xf32>
      return %1, %arg1 : tensor<2xf32>, tensor<2xf32>
    }
    func.func @g() { func.return }
  })",
                                 "m.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  ASSERT_EQ(parsed->functions.size(), 2U);
  const Program& f = parsed->functions[0];
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.inputs, (std::vector<ValueId>{0, 1}));
  EXPECT_EQ(f.values[0].name, "arg0");
  EXPECT_EQ(f.outputs.size(), 2U);
  EXPECT_EQ(f.outputs[1], 1);
  EXPECT_EQ(f.operations.at(0).op, "my.split");
  EXPECT_EQ(f.operations.at(0).where, "m.mlir:3:14");
  EXPECT_EQ(f.operations.at(1).operands, f.operations.at(0).results);
}

TEST(Mlir, VersionAndAbsentOperands) {
  const std::string text =
      R"(%y = "onnx.QuantizeLinear"(%x, %s, %none) <{axis = 1 : i64, output_dtype = i4, version = 21 : i64}> {version = "mine"} : (tensor<2xf32>, tensor<f32>, none) -> !tiebreak.unknown)";
  const auto parsed = parse_mlir(text, "t.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const Program& program = parsed->functions[0];
  const Operation& operation = program.operations.at(0);
  EXPECT_EQ(operation.version, 21);
  EXPECT_EQ(operation.operands, (std::vector<ValueId>{0, 1, -1}));
  EXPECT_EQ(to_text(operation.attributes.at("output_dtype")), "i4");
  EXPECT_EQ(operation.attributes.at("version").as_string(), "mine");
  EXPECT_FALSE(program.values[static_cast<std::size_t>(program.outputs.at(0))].type);
  EXPECT_NE(printed(text).find("{version = \"mine\"}"), std::string::npos);
}

TEST(Mlir, AnIntegerZeroHasNoSignAndAFloatsZeroKeepsIt) {
  const std::string text = printed(R"("stablehlo.x"() {d = [-0], e = -0, f = [-0.0], g = [[-0.0]], exponent_bits = -0.0} : () -> ())");
  EXPECT_NE(text.find("d = array<i64: 0>"), std::string::npos) << text;
  EXPECT_NE(text.find("e = 0 : i64"), std::string::npos) << text;
  EXPECT_NE(text.find("f = [-0.0 : f64]"), std::string::npos) << text;
  EXPECT_NE(text.find("g = [[-0.0 : f64]]"), std::string::npos) << text;
  EXPECT_NE(text.find("exponent_bits = -0.0 : f64"), std::string::npos) << text;
}

TEST(Mlir, AttributeValues) {
  const std::string text = R"("my.op"() {b = true, e = #stablehlo<precision HIGH>, f = 0.1 : f32, g = 0x7FC00000 : f32, h = 0.1, i = -7 : i64,
      k = {x = [1, "two"], y}, l = array<i1: true, false>, m = @sym, n = unit, o = f8E4M3FN, p = tensor<2xi8>, q = "a\"\\\0A",
      r = #stablehlo.dot_algorithm<lhs_precision_type = tf32, allow_imprecise_accumulation = false>, s = 3/7, t = -0.0, u = dense<[0.5, nan]> : tensor<2xf32>,
      "odd name" = 1 : ui64, v = 18446744073709551615 : ui64, w = none} : () -> ())";
  const auto parsed = parse_mlir(text, "t.mlir");
  ASSERT_FALSE(parsed.has_value() && parsed->functions.empty());
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  AttributeMap attributes = parsed->functions.at(0).operations.at(0).attributes;
  EXPECT_EQ(to_text(attributes.at("e")), "\"HIGH\"");
  EXPECT_TRUE(std::get<Real>(attributes.at("f").value).identical(Real::from_double(static_cast<double>(0.1F))));
  EXPECT_TRUE(std::get<Real>(attributes.at("h").value).identical(Real::from_double(0.1)));
  EXPECT_TRUE(std::get<Real>(attributes.at("g").value).is_nan());
  EXPECT_TRUE(std::get<Real>(attributes.at("s").value).identical(*Real::parse("3/7")));
  EXPECT_TRUE(std::get<Real>(attributes.at("t").value).is_negative());
  EXPECT_EQ(attributes.at("q").as_string(), "a\"\\\n");
  EXPECT_EQ(to_text(attributes.at("k")), "{x = [1, \"two\"], y = true}");
  EXPECT_EQ(to_text(attributes.at("r")), "{allow_imprecise_accumulation = false, lhs_precision_type = tf32}");
  EXPECT_EQ(to_text(attributes.at("l")), "[true, false]");
  EXPECT_TRUE(attributes.at("w").is_none());
  printed(text);
}

}  // namespace
}  // namespace tiebreak
