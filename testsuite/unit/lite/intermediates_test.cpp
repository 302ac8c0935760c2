// SPDX-License-Identifier: Apache-2.0
// What a sequence LSTM states of its values on the way: from a file to attributes and back, and files that lack it.
#include "interpreter/lite/intermediates.hpp"

#include <gtest/gtest.h>

#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/operators.hpp"
#include "testsuite/unit/helpers/written_models.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t count_of_operands = 24, place_of_state = 18;

ModelTensor with_parameters(const std::string& name, const std::string& element, const Shape& shape, float scale, std::int64_t zero_point) {
  return {name, {*ElementType::parse(element), shape, {}}, Quantization{{scale}, {zero_point}, 0}, std::nullopt};
}

/// Every operand is there, states are variables, and the rest comes from outside: the reader does not ask for constants.
Model network(bool normalized) {
  Model model;
  ModelOperator entry{find_schema("UNIDIRECTIONAL_SEQUENCE_LSTM")->builtin, 1, {}, {}, {71, {{0, std::int8_t{4}}, {1, 0.5f}}}, "", {}};
  for (std::size_t i = 0; i < (normalized ? count_of_operands : place_of_state + 2); ++i) {
    ModelTensor tensor = with_parameters("x" + std::to_string(i), i == place_of_state + 1 ? "i16" : "i8", {1, 1}, 0.5f, 0);
    tensor.variable = i == place_of_state || i == place_of_state + 1;
    const bool given = !tensor.variable;
    entry.inputs.push_back(model.add(std::move(tensor)));
    if (given) model.inputs.push_back(entry.inputs.back());
  }
  for (int i = 0; i < 5; ++i)
    entry.intermediates.push_back(model.add(with_parameters("t" + std::to_string(i), i < 4 ? "i16" : "i8", {}, 0.25f * static_cast<float>(i + 1), i - 7)));
  entry.outputs = {model.add(with_parameters("y", "i8", {1, 1}, 0.5f, 0))};
  model.outputs = entry.outputs;
  model.operators = {entry};
  return model;
}

using Intermediates = WrittenModels;

TEST_F(Intermediates, TheLastIsWhatTheCellShows) {
  const auto program = program_of(network(false));
  ASSERT_TRUE(program) << to_text(program.error());
  const Operation& operation = program->operations.at(0);
  EXPECT_EQ(operation.op, "tflite.UNIDIRECTIONAL_SEQUENCE_LSTM");
  EXPECT_EQ(to_text(operation.attributes.at("hidden_scale")), to_text(Attribute{Real::from_double(1.25)}));
  EXPECT_EQ(operation.attributes.at("hidden_zero_point").as_integer(), -3);
  EXPECT_FALSE(operation.attributes.contains("gate_scales"));
  EXPECT_EQ(operation.attributes.at("fused_activation_function").as_string(), "TANH");
  EXPECT_EQ(to_text(operation.attributes.at("cell_clip")), to_text(Attribute{Real::from_double(0.5)}));
}

TEST_F(Intermediates, TheOthersAreTheTotalsThatAreNormalized) {
  const auto program = program_of(network(true));
  ASSERT_TRUE(program) << to_text(program.error());
  const Attribute& scales = program->operations.at(0).attributes.at("gate_scales");
  EXPECT_EQ(to_text(scales), to_text(Attribute{AttributeList{Attribute{Real::from_double(0.25)}, Attribute{Real::from_double(0.5)},
                                                             Attribute{Real::from_double(0.75)}, Attribute{Real::from_double(1)}}}));
}

TEST_F(Intermediates, AFileWithoutThemIsRefusedWithTheOperatorsPlace) {
  Model model = network(false);
  model.operators[0].intermediates.pop_back();
  const auto few = program_of(model);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, Errc::corrupt);
  EXPECT_NE(few.error().what.find("4 intermediates"), std::string::npos) << to_text(few.error());
  EXPECT_NE(few.error().where.find("operator 0 (UNIDIRECTIONAL_SEQUENCE_LSTM v1)"), std::string::npos) << to_text(few.error());
  model = network(false);
  model.tensors[static_cast<std::size_t>(model.operators[0].intermediates[4])].quantization.reset();
  const auto bare = program_of(model);
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().what.find("intermediate 4"), std::string::npos) << to_text(bare.error());
  model = network(false);
  model.operators[0].intermediates[4] = 1000;
  const auto outside = program_of(model);
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().what.find("name tensor 1000"), std::string::npos) << to_text(outside.error());
}

TEST_F(Intermediates, OfFloatsNothingIsAsked) {
  Model model = network(false);
  model.operators[0].intermediates.clear();
  model.tensors[0] = {"x0", {*ElementType::parse("f32"), {1, 1}, {}}, std::nullopt, std::nullopt};
  const auto program = program_of(model);
  ASSERT_TRUE(program) << to_text(program.error());
  EXPECT_FALSE(program->operations.at(0).attributes.contains("hidden_scale"));
}

TEST(IntermediateParameters, NumbersThatTheFormatDoesNotHoldAreRefused) {
  EXPECT_FALSE(parameters_of_intermediates({}));
  EXPECT_FALSE(parameters_of_intermediates({{"hidden_scale", Attribute{Real(0)}}}));
  const AttributeMap plain{{"hidden_scale", Attribute{Real::from_double(0.5)}}};
  const auto parameters = parameters_of_intermediates(plain);
  ASSERT_TRUE(parameters) << to_text(parameters.error());
  ASSERT_EQ(parameters->size(), 5U);
  EXPECT_FALSE((*parameters)[0]);
  EXPECT_EQ((*parameters)[4]->scales[0], 0.5f);
  EXPECT_EQ((*parameters)[4]->zero_points[0], 0);
  AttributeMap short_list = plain;
  short_list.emplace("gate_scales", Attribute{AttributeList{Attribute{Real(1)}}});
  EXPECT_FALSE(parameters_of_intermediates(short_list));
}

}  // namespace
}  // namespace tiebreak::tflite
