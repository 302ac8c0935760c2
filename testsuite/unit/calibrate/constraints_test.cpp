// SPDX-License-Identifier: Apache-2.0
// Constraints between tensors: solved operator by operator and over the whole program, on programs whose numbers are counted by hand.
#include "testsuite/calibrate/constraints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "testsuite/backends/temporary_folder.hpp"
#include "testsuite/calibrate/bisection.hpp"
#include "testsuite/calibrate/calibrate.hpp"
#include "testsuite/calibrate/constrain_together.hpp"
#include "testsuite/calibrate/constrained_types.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

const std::string spec_folder = TIEBREAK_SOURCE_DIR "/spec";

Constraints constraints_of(const std::string& name) {
  auto found = read_constraints({spec_folder}, name);
  EXPECT_TRUE(found.has_value()) << to_text(found.error());
  return found ? *std::move(found) : Constraints{};
}

std::string error_of_file(const std::string& text) {
  const auto folder = TemporaryFolder::create();
  const std::string path = folder->path() + "/own.json";
  std::ofstream(path) << text;
  const auto found = read_constraints({}, path);
  return found ? "" : found.error().what + " at " + found.error().where.substr(found.error().where.find("own.json"));
}

Tensor f32_values(Shape shape, const std::vector<float>& values) {
  auto tensor = Tensor::zeros({*ElementType::parse("f32"), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor->set_code(static_cast<std::int64_t>(i), *tensor->element().encode(Real::from_double(static_cast<double>(values[i]))));
  return *std::move(tensor);
}

/// The program on one batch, ranges by min_max, codes of i8 under `pytorch-observer`.
Result<Calibration> calibrated(const std::string& program, const std::vector<Tensor>& inputs, const std::optional<Constraints>& constraints,
                               bool propagate = false) {
  const auto parsed = parse_mlir(program, "test.mlir");
  EXPECT_TRUE(parsed.has_value()) << to_text(parsed.error());
  const Semantics semantics{pages(), **pages().find_profile("reference")};
  const Profile* parameters = *pages().find_profile("pytorch-observer");
  const CodeFormat eight_bits{.storage = *ElementType::parse("i8")};
  return calibrate(semantics, parsed->functions[0], {{inputs, {}}},
                   {.parameters = parameters, .activations = eight_bits, .weights = eight_bits, .propagate = propagate, .constraints = constraints});
}

const TensorParameters& parameters_of(const Calibration& found, const std::string& name) {
  static const TensorParameters none{};
  for (const CalibratedTensor& tensor : found.tensors)
    if (tensor.parameters.tensor == name) return tensor.parameters;
  ADD_FAILURE() << "no parameters of " << name;
  return none;
}
double scale_of(const TensorParameters& tensor) { return tensor.type.scales.at(0).value.to_double(); }
double zero_point_of(const TensorParameters& tensor) { return tensor.type.zero_points.at(0).value.to_double(); }

/// x * w + b, a sigmoid of it beside a part of z.
const char* const network = R"(
  %w = stablehlo.constant dense<[[1.5, -2.0], [0.5, 0.25]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[0.5, -0.25]]> : tensor<1x2xf32>
  %dot = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %sum = stablehlo.add %dot, %b : tensor<1x2xf32>
  %s = stablehlo.logistic %sum : tensor<1x2xf32>
  %left = stablehlo.slice %z [0:1, 0:2] : (tensor<1x4xf32>) -> tensor<1x2xf32>
  %y = stablehlo.concatenate %s, %left, dim = 1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>)";
const std::vector<Tensor> network_inputs{f32_values({1, 2}, {1, -2}), f32_values({1, 4}, {3, 0, 1, -1})};

TEST(Constraints, NameOperatorsThatHavePages) {
  for (const char* name : {"tflite", "mlir-quantizer"}) {
    const Constraints found = constraints_of(name);
    std::vector<Operators> lists;
    for (const AlikeRule& rule : found.alike) lists.push_back(rule.operators);
    for (const FixedRule& rule : found.fixed) lists.push_back(rule.operators);
    for (const BiasRule& rule : found.biases) lists.insert(lists.end(), {rule.operators, rule.added_to});
    for (const Operators& list : lists)
      for (const std::string& op : list) EXPECT_TRUE(pages().find_op(op).has_value()) << name << ": " << op;
  }
}

TEST(Constraints, FaultsHaveTheirPlace) {
  EXPECT_EQ(error_of_file(R"({"system": "own", "solved": "at once"})"), "'at once' is neither in_order nor together at own.json:/solved");
  EXPECT_EQ(error_of_file(R"({"system": "own", "solved": "in_order", "parameters": "bisection"})"),
            "bisection solves classes: \"solved\" is \"together\" at own.json:/");
  EXPECT_EQ(error_of_file(R"({"system": "own", "solved": "together", "alike": [{"takes": "operand"}]})").substr(0, 15), "key 'operators'");
  EXPECT_NE(error_of_file(R"({"system": "own", "solved": "together", "biases": [{"operators": ["onnx.Conv"], "operand": -1, "scale": "result"}]})")
                .find("/biases/0/operand"),
            std::string::npos);
  EXPECT_EQ(read_constraints({spec_folder}, "tflit").error().hint, "did you mean 'tflite'?");
}

TEST(ConstraintsInOrder, ResultsTakeWhatTheirOperatorSays) {
  const auto found = calibrated(network, network_inputs, constraints_of("tflite"));
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  const TensorParameters &dot = parameters_of(*found, "dot"), &b = parameters_of(*found, "b"), &s = parameters_of(*found, "s");
  EXPECT_EQ(dot.type.storage.name(), "i32");
  EXPECT_EQ(scale_of(dot), scale_of(parameters_of(*found, "x")) * scale_of(parameters_of(*found, "w")));
  EXPECT_EQ(dot.from, "accumulator: x * w");
  EXPECT_TRUE(same_parameters(b.type, dot.type));
  EXPECT_EQ(b.from, "bias: x * w");
  EXPECT_EQ(scale_of(s), 1.0 / 256);
  EXPECT_EQ(zero_point_of(s), -128);
  EXPECT_TRUE(same_parameters(parameters_of(*found, "left").type, parameters_of(*found, "z").type));
  EXPECT_EQ(parameters_of(*found, "left").from, "same as: z");
  EXPECT_EQ(parameters_of(*found, "y").from, "min_max") << "a concatenation has its own, to which its operands are requantized";
  EXPECT_EQ(found->notes, (std::vector<std::string>{"s is requantized to the parameters of y", "left is requantized to the parameters of y"}));
}

/// -3e9 is 2e14 codes of 1/255 * 1/255.
TEST(ConstraintsInOrder, ABiasBeyondItsLimitEnlargesTheScaleOfTheWeights) {
  const char* const program = R"(
    %w = stablehlo.constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
    %b = stablehlo.constant dense<[[-3.0e9]]> : tensor<1x1xf32>
    %dot = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
    %y = stablehlo.add %dot, %b : tensor<1x1xf32>)";
  const std::vector<Tensor> inputs{f32_values({1, 2}, {1, 0})};
  const auto found = calibrated(program, inputs, constraints_of("tflite"));
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  const double scale = 3.0e9 / 1073741823;
  EXPECT_EQ(scale_of(parameters_of(*found, "b")), scale);
  EXPECT_EQ(scale_of(parameters_of(*found, "dot")), scale);
  EXPECT_EQ(scale_of(parameters_of(*found, "w")), scale / scale_of(parameters_of(*found, "x")));
  ASSERT_EQ(found->notes.size(), 1u);
  EXPECT_EQ(found->notes[0], "b has codes from 1073741823 on: its scale and that of w are larger");
  EXPECT_EQ(calibrated(program, inputs, constraints_of("tflite"), true).error().code, Errc::unsupported);
}

TEST(ConstraintsInOrder, ConstantsTakeTheParametersOfTheResult) {
  const auto found = calibrated(R"(
    %zero = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
    %y = stablehlo.maximum %x, %zero : tensor<2xf32>)",
                                {f32_values({2}, {-1, 3})}, constraints_of("tflite"));
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  EXPECT_TRUE(same_parameters(parameters_of(*found, "zero").type, parameters_of(*found, "y").type));
  EXPECT_FALSE(same_parameters(parameters_of(*found, "x").type, parameters_of(*found, "y").type));
  EXPECT_EQ(found->notes, (std::vector<std::string>{"x is requantized to the parameters of y"}));
}

/// A window of a maximum chooses among its operand's numbers; one of a sum has its own.
TEST(ConstraintsInOrder, ARuleMayAskForTheBodyOfARegion) {
  for (const std::string body : {"maximum", "add"}) {
    const auto found = calibrated(R"(
    %start = stablehlo.constant dense<0.0> : tensor<f32>
    %y = "stablehlo.reduce_window"(%x, %start) <{window_dimensions = array<i64: 2>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.)" + body + R"( %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>)",
                                  {f32_values({4}, {-1, 3, 2, 1})}, constraints_of("tflite"));
    ASSERT_TRUE(found.has_value()) << to_text(found.error());
    EXPECT_EQ(parameters_of(*found, "y").from, body == "maximum" ? "same as: x" : "min_max");
    EXPECT_EQ(parameters_of(*found, "start").from, body == "maximum" ? "same as: x" : "min_max");
  }
}

/// What is measured after a tensor is what its codes stand for: the accumulator and the bias, too.
TEST(ConstraintsInOrder, ErrorsPropagateThroughThem) {
  const auto found = calibrated(network, network_inputs, constraints_of("tflite"), true);
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  const double scale = scale_of(parameters_of(*found, "dot"));
  for (const CalibratedTensor& tensor : found->tensors) {
    if (tensor.parameters.tensor != "sum") continue;
    const double steps = tensor.batches[0].first / scale;
    EXPECT_NEAR(steps, std::nearbyint(steps), 1e-2) << "a sum of codes of dot and b";
  }
}

/// dot, b and sum are one class, s, left, z and y another: of each the range that holds all, and its bisection.
TEST(ConstraintsTogether, ClassesHaveOneSolution) {
  const auto found = calibrated(network, network_inputs, constraints_of("mlir-quantizer"));
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  struct Class {
    std::vector<std::string> members;
    double low, high;
    std::string from;
  };
  // x * w is 0.5, -2.5; with b it is 1, -2.75.
  const std::vector<Class> classes{{{"dot", "b", "sum"}, -2.75, 1, "joined: dot, b, sum"},
                                   {{"z", "s", "left", "y"}, -1, 3, "joined: z, s, left, y"},
                                   {{"x"}, -2, 1, "min_max"},
                                   {{"w"}, -2, 1.5, "min_max"}};
  for (const Class& one : classes) {
    const auto expected = bisected_parameters(one.low, one.high, -128, 255);
    for (const std::string& member : one.members) {
      const TensorParameters& own = parameters_of(*found, member);
      EXPECT_EQ(scale_of(own), expected->first) << member;
      EXPECT_EQ(zero_point_of(own), expected->second) << member;
      EXPECT_EQ(own.from, one.from) << member;
    }
  }
}

TEST(ConstraintsTogether, WhatCannotBeJoinedIsAnError) {
  Constraints constraints = constraints_of("mlir-quantizer");
  EXPECT_EQ(calibrated(network, network_inputs, constraints, true).error().code, Errc::usage);
  constraints.bisection = false;
  constraints.fixed = {{{"stablehlo.logistic"}, "logistic"}};
  const auto fixed = calibrated(network, network_inputs, constraints);
  ASSERT_TRUE(fixed.has_value()) << to_text(fixed.error());
  EXPECT_EQ(scale_of(parameters_of(*fixed, "z")), 1.0 / 256) << "a fixed range holds for its class";
  EXPECT_EQ(parameters_of(*fixed, "x").from, "min_max");
  constraints.fixed.push_back({{"stablehlo.slice"}, "tanh"});
  const auto two = calibrated(network, network_inputs, constraints);
  ASSERT_FALSE(two.has_value());
  EXPECT_EQ(two.error().what, "tensors that must be alike have the ranges fixed: logistic and fixed: tanh");
}

/// tensorflow/mlir 491949a9, test/Quantizer/matmul.mlir, @matmul_add_clamp: a matrix product with a bias whose result is clamped. The bias has the scale of the
/// result.
TEST(ConstraintsTogether, AMatrixProductOfTheFirstQuantizer) {
  const auto parsed = parse_mlir(R"(
    %w = stablehlo.constant dense<0.0> : tensor<3x5xf32>
    %b = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
    %y = "onnx.Gemm"(%x, %w, %b) : (tensor<300x3xf32>, tensor<3x5xf32>, tensor<5xf32>) -> tensor<300x5xf32>)",
                                 "matmul.mlir");
  ASSERT_TRUE(parsed.has_value()) << to_text(parsed.error());
  const Program& program = parsed->functions[0];
  const Operation& gemm = program.operations.back();
  const Semantics semantics{pages(), **pages().find_profile("reference")};
  const ElementType i8 = *ElementType::parse("i8"), f32 = *ElementType::parse("f32");
  Calibration found;
  const auto add = [&](ValueId id, double low, double high) {
    const Range range{Real::from_double(low), Real::from_double(high)};
    const QuantizedType by_itself{i8, i8.min(), i8.max(), f32, {}, {}, {{Real(1)}}, {{Real(0)}}};
    found.tensors.push_back({.parameters = {bare_name(program, id), by_itself, "min_max", range}, .id = id, .codes = {.storage = i8}});
    found.tensors.back().is_constant = program.values[static_cast<std::size_t>(id)].constant.has_value();
  };
  add(gemm.operands[0], static_cast<double>(-6.123F), static_cast<double>(3.45F));
  add(gemm.operands[1], static_cast<double>(-0.797852993F), static_cast<double>(0.800239F));
  add(gemm.operands[2], 1, 5);
  add(gemm.results[0], -12.25, 6.1);
  const auto constraints = read_constraints({TIEBREAK_SOURCE_DIR "/spec"}, "mlir-quantizer");
  ASSERT_TRUE(constraints.has_value()) << to_text(constraints.error());
  const auto solved = solve_together(*constraints, semantics, program, found);
  ASSERT_TRUE(solved.has_value()) << to_text(solved.error());
  const double scales[] = {0.037564418067230126, 0.0062823070315864236, 0.072058823529412216, 0.072058823529412216};
  const std::int64_t zero_points[] = {35, -1, 0, 42};
  for (std::size_t i = 0; i < 4; ++i) {
    const QuantizedType& type = found.tensors[i].parameters.type;
    EXPECT_DOUBLE_EQ(type.scales[0].value.to_double(), scales[i]) << i;
    EXPECT_EQ(type.zero_points[0].value, Real(zero_points[i])) << i;
    EXPECT_EQ(type.storage.name(), i == 2 ? "i32" : "i8") << i;
  }
  const auto codes =
      codes_less_zero_points(semantics, *program.values[static_cast<std::size_t>(gemm.operands[2])].constant, found.tensors[2].parameters.type, "b");
  ASSERT_TRUE(codes.has_value()) << to_text(codes.error());
  EXPECT_EQ(*codes, (std::vector<std::int64_t>{14, 28, 42, 56, 69}));
}

}  // namespace
}  // namespace tiebreak
