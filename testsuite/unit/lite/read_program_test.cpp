// SPDX-License-Identifier: Apache-2.0
// Models as programs: operators of the family with the attributes of their pages, parameters as types, what cannot be a program.
#include <gtest/gtest.h>

#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/model.hpp"
#include "testsuite/unit/helpers/written_models.hpp"

namespace tiebreak::tflite {
namespace {

TensorType plain(const std::string& element, const Shape& shape) { return {*ElementType::parse(element), shape, {}}; }
ModelTensor quantized(const std::string& name, const Shape& shape, float scale, std::int64_t zero_point) {
  return {name, plain("i8", shape), Quantization{{scale}, {zero_point}, 0}, std::nullopt};
}

/// ADD of x and x into y.
Model sum() {
  Model model;
  const int x = model.add(quantized("x", {1, 2}, 0.5f, 3)), y = model.add(quantized("y", {1, 2}, 0.25f, -1));
  model.operators.push_back({Builtin::add, 2, {x, x}, {y}, {11, {{0, std::int8_t{3}}}}, ""});
  model.inputs = {x};
  model.outputs = {y};
  return model;
}

void is_refused(const Model& model, Errc code, const std::string& what, const std::string& where) {
  const auto program = program_of(model);
  ASSERT_FALSE(program) << what;
  EXPECT_EQ(program.error().code, code) << to_text(program.error());
  EXPECT_NE(program.error().what.find(what), std::string::npos) << to_text(program.error());
  EXPECT_NE(program.error().where.find(where), std::string::npos) << to_text(program.error());
}

using ReadProgram = WrittenModels;

TEST_F(ReadProgram, AnOperatorHasItsPagesAttributes) {
  const auto program = program_of(sum());
  ASSERT_TRUE(program) << to_text(program.error());
  ASSERT_EQ(program->operations.size(), 1U);
  const Operation& operation = program->operations[0];
  EXPECT_EQ(operation.op, "tflite.ADD");
  EXPECT_EQ(operation.where, "m.tflite: subgraph 0, operator 0 (ADD v2)");
  EXPECT_EQ(operation.attributes.at("fused_activation_function").as_string(), "RELU6");
  EXPECT_EQ(to_text(operation.attributes.at("pot_scale_int16")), to_text(Attribute{true})) << "what the format means by a field that is not there";
  const ProgramValue& y = program->values[static_cast<std::size_t>(program->outputs.at(0))];
  EXPECT_EQ(to_text(*y.type), "tensor<1x2x!quant.uniform<i8:f32, 0.25:-1>>");
}

TEST_F(ReadProgram, NamesThatComeAgainAreToldApart) {
  Model model = sum();
  model.tensors[1].name = "x";
  auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_EQ(program->values[0].name, "x");
  EXPECT_EQ(program->values[1].name, "x.1");
  model.tensors[0].name = model.tensors[1].name = "";
  program = program_of(model);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->values[0].name, "tensor.0");
}

TEST_F(ReadProgram, IntegersOf32BitsArePlainAndFilterScalesLieAlongTheirAxis) {
  Model model;
  const int x = model.add(quantized("x", {1, 1, 1, 1}, 0.5f, 0));
  const int w = model.add({"w", plain("i8", {2, 1, 1, 1}), Quantization{{0.25f, 0.125f}, {0, 0}, 0}, *Tensor::zeros(plain("i8", {2, 1, 1, 1}))});
  const int b = model.add({"b", plain("i32", {2}), Quantization{{0.125f, 0.0625f}, {0, 0}, 0}, *Tensor::zeros(plain("i32", {2}))});
  const int y = model.add(quantized("y", {1, 1, 1, 2}, 1, 0));
  model.operators.push_back({Builtin::conv_2d, 3, {x, w, b}, {y}, {1, {{1, 1}, {2, 1}}}, ""});
  model.inputs = {x};
  model.outputs = {y};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_EQ(to_text(*program->values[1].type), "tensor<2x1x1x1x!quant.uniform<i8:f32:0, {0.25, 0.125}>>");
  EXPECT_TRUE(program->values[1].constant->type().quantized);
  EXPECT_EQ(to_text(*program->values[2].type), "tensor<2xi32>");
  EXPECT_EQ(program->operations[0].attributes.at("dilation_w_factor").as_integer(), 1);
  EXPECT_EQ(program->operations[0].attributes.at("padding").as_string(), "SAME");
  model.tensors[1].quantization->axis = 1;
  is_refused(model, Errc::constraint, "C13", "subgraph 0, tensor 1 \"w\"");
}

TEST_F(ReadProgram, OpenShapesStayOpen) {
  Model model = sum();
  model.tensors[0].signature = {-1, 2};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_EQ(program->values[0].type->shape, (Shape{open_dimension, 2}));
}

TEST_F(ReadProgram, TheShapeOfAnOldReshapeBecomesAnOperand) {
  Model model;
  const int x = model.add(quantized("x", {2, 3}, 0.5f, 3)), y = model.add(quantized("y", {3, 2}, 0.5f, 3));
  model.operators.push_back({Builtin::reshape, 1, {x}, {y}, {17, {{0, std::vector<std::int32_t>{3, -1}}}}, ""});
  model.inputs = {x};
  model.outputs = {y};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  ASSERT_EQ(program->operations[0].operands.size(), 2U);
  const ProgramValue& shape = program->values[static_cast<std::size_t>(program->operations[0].operands[1])];
  ASSERT_TRUE(shape.constant);
  EXPECT_EQ(shape.constant->value(1).to_int64(), -1);
}

TEST_F(ReadProgram, OneAxisIsAListOfOne) {
  Model model;
  const int x = model.add(quantized("x", {2, 3}, 0.5f, 3)), y = model.add({"y", plain("i32", {2}), std::nullopt, std::nullopt});
  Tensor axis = *Tensor::zeros(plain("i32", {}));
  axis.set_code(0, 1);
  const int a = model.add({"axis", axis.type(), std::nullopt, axis});
  model.operators.push_back({static_cast<Builtin>(56), 2, {x, a}, {y}, {40, {{0, std::int8_t{2}}}}, ""});
  model.inputs = {x};
  model.outputs = {y};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  const ProgramValue& list = program->values[static_cast<std::size_t>(program->operations[0].operands[1])];
  EXPECT_EQ(to_text(*list.type), "tensor<1xi32>");
  EXPECT_EQ(list.constant->value(0).to_int64(), 1);
}

TEST_F(ReadProgram, AVariableHasItsFirstState) {
  Model model = sum();
  ModelTensor state = quantized("state", {1, 2}, 0.5f, 7);
  state.variable = true;
  model.operators[0].inputs[1] = model.add(state);
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  const auto& value = program->values[static_cast<std::size_t>(program->operations[0].operands[1])];
  ASSERT_TRUE(value.constant);
  EXPECT_EQ(value.constant->value(0).to_int64(), 7) << "the code of zero";
}

TEST_F(ReadProgram, WhatIsReadMustBeThere) {
  Model model = sum();
  model.operators[0].inputs[1] = 1;  // its own result
  is_refused(model, Errc::corrupt, "it is read before anything defines it", "operator 0 (ADD v2), tensor 1 \"y\"");
  model = sum();
  model.operators.push_back(model.operators[0]);
  is_refused(model, Errc::corrupt, "it is defined twice", "operator 1 (ADD v2), tensor 1 \"y\"");
  model = sum();
  model.inputs = {0, 0};
  is_refused(model, Errc::corrupt, "it is an input twice", "tensor 0 \"x\"");
  model = sum();
  model.operators[0].outputs = {0};
  is_refused(model, Errc::corrupt, "it is defined twice", "tensor 0 \"x\"");
}

TEST_F(ReadProgram, OperatorsWithoutAMeaningAreNamed) {
  Model model = sum();
  model.operators[0].builtin = Builtin::custom;
  model.operators[0].custom = "TFLite_Detection_PostProcess";
  model.operators[0].options = {};
  auto custom = program_of(model);
  ASSERT_TRUE(custom) << "a layer that no page describes";
  EXPECT_EQ(custom->operations[0].op, "tflite.custom.TFLite_Detection_PostProcess");
  EXPECT_EQ(custom->operations[0].where, "m.tflite: subgraph 0, operator 0 (CUSTOM TFLite_Detection_PostProcess v2)");
  for (const auto& [name, op] : {std::pair{"ADD", "tflite.custom.ADD"}, {"a \"b\"\n", "tflite.custom.a__b__"}, {"", "tflite.custom"}}) {
    model.operators[0].custom = name;
    custom = program_of(model);
    ASSERT_TRUE(custom);
    EXPECT_EQ(custom->operations[0].op, op);
  }
  model.operators[0] = {Builtin::call_once, 1, {}, {}, {}, ""};
  is_refused(model, Errc::unsupported, "before the first call", "operator 0 (CALL_ONCE v1)");
  model = sum();
  model.operators[0].options.fields = {{0, std::int8_t{5}}};
  is_refused(model, Errc::unsupported, "fused_activation_function is number 5, which is not described", "operator 0 (ADD v2)");
  model = sum();
  model.operators[0] = {static_cast<Builtin>(48), 1, {0}, {1}, {}, ""};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << "whoever evaluates it says that there is no page";
  EXPECT_EQ(program->operations[0].op, "tflite.TOPK_V2");
}

TEST_F(ReadProgram, PartsMasksAndModesHaveTheirPagesNames) {
  Model model;
  const int x = model.add(quantized("x", {4}, 0.5f, 3)), a = model.add(quantized("a", {2}, 0.5f, 3)), b = model.add(quantized("b", {2}, 0.5f, 3));
  Tensor zero = *Tensor::zeros(plain("i32", {}));
  const int axis = model.add({"axis", plain("i32", {}), std::nullopt, zero});
  model.operators.push_back({static_cast<Builtin>(49), 2, {axis, x}, {a, b}, {35, {{0, std::int32_t{2}}}}, ""});
  const int numbers = model.add({"numbers", plain("i32", {1}), std::nullopt, *Tensor::zeros(plain("i32", {1}))}), c = model.add(quantized("c", {}, 0.5f, 3));
  model.operators.push_back({static_cast<Builtin>(45), 2, {a, numbers, numbers, numbers}, {c}, {32, {{4, std::int32_t{1}}}}, ""});
  const int pads = model.add({"pads", plain("i32", {1, 2}), std::nullopt, *Tensor::zeros(plain("i32", {1, 2}))}), d = model.add(quantized("d", {2}, 0.5f, 3));
  model.operators.push_back({static_cast<Builtin>(100), 2, {b, pads}, {d}, {77, {{0, std::int8_t{1}}}}, ""});
  model.inputs = {x};
  model.outputs = {c, d};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  const Operation& split = program->operations.at(0);
  EXPECT_EQ(split.op, "tflite.SPLIT");
  EXPECT_EQ(split.results.size(), 2U);
  EXPECT_EQ(to_text(split.attributes.at("num_splits")), to_text(Attribute{Real(2)}));
  EXPECT_EQ(program->values[static_cast<std::size_t>(split.operands.at(0))].type->shape, (Shape{1})) << "one axis is a list of one";
  const Operation& slice = program->operations.at(1);
  EXPECT_EQ(to_text(slice.attributes.at("shrink_axis_mask")), to_text(Attribute{Real(1)}));
  EXPECT_EQ(to_text(slice.attributes.at("begin_mask")), to_text(Attribute{Real(0)}));
  EXPECT_EQ(to_text(slice.attributes.at("offset")), to_text(Attribute{false}));
  EXPECT_EQ(program->operations.at(2).attributes.at("mode").as_string(), "SYMMETRIC");
  model.operators[2].options.fields = {{0, std::int8_t{2}}};
  is_refused(model, Errc::unsupported, "mode is number 2, which is not described", "operator 2 (MIRROR_PAD v2)");
}

Model branch(const std::string& name) {
  Model graph = sum();
  graph.name = name;
  return graph;
}

TEST_F(ReadProgram, ControlFlowBecomesRegions) {
  Model model;
  const int p = model.add({"p", plain("bool", {}), std::nullopt, std::nullopt}), x = model.add(quantized("x", {1, 2}, 0.5f, 3));
  const int y = model.add(quantized("y", {1, 2}, 0.25f, -1));
  model.operators.push_back({Builtin::choose, 1, {p, x}, {y}, {92, {{0, 1}, {1, 2}}}, ""});
  model.inputs = {p, x};
  model.outputs = {y};
  model.further = {branch("then"), branch("else")};
  auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  const Operation& operation = program->operations.at(0);
  EXPECT_EQ(operation.op, "stablehlo.if");
  EXPECT_EQ(operation.operands.size(), 1U);
  ASSERT_EQ(operation.regions.size(), 2U);
  EXPECT_EQ(operation.regions[1].program.name, "else");
  EXPECT_EQ(operation.regions[1].captured, (std::vector<ValueId>{1}));
  model.further[1].tensors[0].quantization->scales = {0.75f};
  is_refused(model, Errc::corrupt, "subgraph 2 takes tensor<1x2x!quant.uniform<i8:f32, 0.75:3>> where it has", "operator 0 (IF v1)");
  model.further[1] = branch("else");
  model.operators[0].options.fields[1] = {1, 7};
  is_refused(model, Errc::corrupt, "it runs subgraph 7 of 3", "operator 0 (IF v1)");
  model.operators[0].options.fields[1] = {1, 2};
  model.further[1].operators[0] = {Builtin::loop, 1, {0}, {1}, {93, {{0, 2}, {1, 2}}}, ""};
  is_refused(model, Errc::corrupt, "subgraph 2 runs itself", "subgraph 2, operator 0 (WHILE v1)");
}

}  // namespace
}  // namespace tiebreak::tflite
