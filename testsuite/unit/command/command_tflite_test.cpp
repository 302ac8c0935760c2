// SPDX-License-Identifier: Apache-2.0
// Models of TensorFlow Lite through the command: evaluated, checked as a case and layer by layer, open shapes, and files that are refused with their place.
#include <fstream>
#include <nlohmann/json.hpp>

#include "interpreter/lite/model.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

using tflite::Builtin;
using tflite::Model;
using tflite::Quantization;

TensorType plain(const Shape& shape) { return {*ElementType::parse("i8"), shape, {}}; }

/// y = RELU(x + w), z = y + y.
Model two_sums(const Shape& signature) {
  Model model;
  Tensor weights = *Tensor::zeros(plain({2}));
  weights.set_code(1, 20);
  const int x = model.add({"x", plain({1, 2}), Quantization{{0.5f}, {3}, 0}, std::nullopt, false, signature});
  const int w = model.add({"w", weights.type(), Quantization{{0.25f}, {0}, 0}, weights});
  const int y = model.add({"y", plain({1, 2}), Quantization{{0.5f}, {-128}, 0}, std::nullopt, false, signature});
  const int z = model.add({"z", plain({1, 2}), Quantization{{1.0f}, {-128}, 0}, std::nullopt, false, signature});
  model.operators.push_back({Builtin::add, 2, {x, w}, {y}, {11, {{0, std::int8_t{1}}}}, ""});
  model.operators.push_back({Builtin::add, 2, {y, y}, {z}, {11, {}}, ""});
  model.inputs = {x};
  model.outputs = {z};
  return model;
}

class CommandTflite : public CommandTest {
 protected:
  void SetUp() override {
    if (!tflite::can_write()) GTEST_SKIP() << "built without FlatBuffers";
    CommandTest::SetUp();
  }
  std::string write_model(const std::string& name, const Model& model) {
    const auto bytes = tflite::write_model(model);
    EXPECT_TRUE(bytes) << to_text(bytes.error());
    std::ofstream(path(name), std::ios::binary).write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    return path(name);
  }
};

TEST_F(CommandTflite, IsEvaluated) {
  const std::string model = write_model("m.tflite", two_sums({}));
  const CommandOutcome given = run({"eval", model, "--input", "x=[[3,5]]:i8"});
  EXPECT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(given.out, "%z: [[-128, -116]] : tensor<1x2x!quant.uniform<i8:f32, 1.0:-128>>\n");
  const CommandOutcome drawn = run({"eval", model, "--seed", "3"}), again = run({"eval", model, "--seed", "3"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(drawn.out, again.out);
}

/// while (i < 5) i = i + 1
Model counting() {
  const Quantization ones{{1.0f}, {0}, 0};
  const auto number = [&](Model& model, const std::string& name, int code) {
    Tensor constant = *Tensor::zeros(plain({}));
    constant.set_code(0, static_cast<std::uint64_t>(code));
    return model.add({name, plain({}), ones, code == 0 ? std::nullopt : std::optional(constant)});
  };
  Model model, condition, body;
  model.inputs = {number(model, "i", 0)};
  model.outputs = {number(model, "o", 0)};
  model.operators.push_back({Builtin::loop, 1, model.inputs, model.outputs, {93, {{0, 1}, {1, 2}}}, ""});
  condition.inputs = {number(condition, "i", 0)};
  const int five = number(condition, "five", 5);
  condition.outputs = {condition.add({"p", {ElementType::boolean(), {}, {}}, std::nullopt, std::nullopt})};
  condition.operators.push_back({static_cast<Builtin>(58), 2, {condition.inputs[0], five}, condition.outputs, {41, {}}, ""});
  body.inputs = {number(body, "i", 0)};
  const int one = number(body, "one", 1);
  body.outputs = {number(body, "j", 0)};
  body.operators.push_back({Builtin::add, 2, {body.inputs[0], one}, body.outputs, {11, {}}, ""});
  model.further = {condition, body};
  return model;
}

TEST_F(CommandTflite, AWhileRunsItsGraphs) {
  const std::string model = write_model("m.tflite", counting());
  EXPECT_EQ(run({"eval", model, "--input", "i=1:i8"}).out, "%o: 5 : tensor<!quant.uniform<i8:f32, 1.0>>\n");
  EXPECT_EQ(run({"eval", model, "--input", "i=9:i8"}).out, "%o: 9 : tensor<!quant.uniform<i8:f32, 1.0>>\n");
}

TEST_F(CommandTflite, IsACaseAndAModel) {
  const std::string model = write_model("m.tflite", two_sums({}));
  const CommandOutcome whole = run({"check", model, "--backend", "reference", "--json=" + path("r.json")});
  EXPECT_EQ(whole.code, 0) << whole.out << whole.err;
  EXPECT_EQ(nlohmann::json::parse(read("r.json"))["counts"]["conform"], 1);
  const CommandOutcome layers = run({"check", model, "--per-layer", "--backend", "reference", "--json=" + path("r.json")});
  EXPECT_EQ(layers.code, 0) << layers.out << layers.err;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["counts"]["conform"], 3) << layers.out;
  EXPECT_EQ(report["models"][0]["layers"][0]["op"], "tflite.ADD");
  EXPECT_EQ(run({"check", model, "--list"}).out, "tflite.ADD/m\n");
  EXPECT_EQ(run({"golden", "build", model, "-o", path("golden")}).code, 0);
}

TEST_F(CommandTflite, AnOpenShapeIsAskedForByItsOption) {
  const std::string model = write_model("m.tflite", two_sums({-1, 2}));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"eval", model}, {"check", model, "--backend", "reference"}, {"check", model, "--per-layer", "--backend", "reference"}}) {
    const CommandOutcome open = run(words);
    EXPECT_EQ(open.code, 2) << open.out;
    EXPECT_NE(open.err.find("m.tflite: input 'x'"), std::string::npos) << open.err;
    EXPECT_NE(open.err.find("hint: --input-shape x=1x2\n"), std::string::npos) << open.err;
    std::vector<std::string> closed = words;
    closed.insert(closed.end(), {"--input-shape", "x=3x2"});
    const CommandOutcome outcome = run(closed);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  }
  const CommandOutcome other = run({"eval", model, "--input-shape", "x=3x5"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("[3, 5] does not fit"), std::string::npos) << other.err;
  EXPECT_EQ(run({"eval", model, "--input-shape", "q=1x2"}).code, 2);
}

TEST_F(CommandTflite, WhatIsWrongIsOneErrorWithItsPlace) {
  const auto refused = [&](const Model& model, const std::string& message) {
    const std::string file = write_model("m.tflite", model);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"eval", file}, {"check", file, "--backend", "reference"}, {"check", file, "--per-layer", "--backend", "reference"}}) {
      const CommandOutcome outcome = run(words);
      EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
      EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
  };
  Model model = two_sums({});
  model.operators[1].inputs = {9, 2};
  refused(model, "its inputs name tensor 9 of 4 (" + path("m.tflite") + ": subgraph 0, operator 1 (ADD v2))");
  model = two_sums({});
  model.tensors[1].type.shape = {3};
  refused(model, "its buffer has 2 bytes, its shape wants 3 (" + path("m.tflite") + ": subgraph 0, tensor 1 \"w\")");
  write("m.tflite", "no model");
  EXPECT_EQ(run({"eval", path("m.tflite")}).code, 2);
}

TEST_F(CommandTflite, AnOperatorWithoutAPageIsNamedWithItsPlace) {
  Model model = two_sums({});
  model.operators[1] = {static_cast<Builtin>(48), 2, {2}, {3}, {}, ""};
  const std::string file = write_model("m.tflite", model);
  const CommandOutcome outcome = run({"eval", file});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("tflite.TOPK_V2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("subgraph 0, operator 1 (TOPK_V2 v2)"), std::string::npos) << outcome.err;
  const CommandOutcome layers = run({"check", file, "--per-layer", "--backend", "reference"});
  EXPECT_EQ(layers.code, 5) << "the other layers are judged\n" << layers.out << layers.err;
  EXPECT_NE(layers.out.find("no page"), std::string::npos) << layers.out;
}

/// Weights of f16, which become f32; a convolution with an activation, a line for each pixel, and an operator of somebody's own.
Model float_network() {
  const auto type = [](const char* element, const Shape& shape) { return TensorType{*ElementType::parse(element), shape, {}}; };
  Model model;
  Tensor halves = *Tensor::zeros(type("f16", {2, 1, 1, 3}));
  for (std::int64_t i = 0; i < 6; ++i) halves.set_code(i, 0x3C00U + static_cast<std::uint64_t>(i) * 77U);
  const int x = model.add({"x", type("f32", {1, 2, 2, 3}), {}, std::nullopt});
  const int h = model.add({"half", halves.type(), {}, halves});
  const int w = model.add({"w", type("f32", {2, 1, 1, 3}), {}, std::nullopt});
  const int b = model.add({"b", type("f32", {2}), {}, *Tensor::zeros(type("f32", {2}))});
  const int y = model.add({"y", type("f32", {1, 2, 2, 2}), {}, std::nullopt});
  const int s = model.add({"s", type("f32", {1, 2, 2, 2}), {}, std::nullopt});
  const int z = model.add({"z", type("f32", {1, 4, 4, 2}), {}, std::nullopt});
  model.operators.push_back({Builtin::dequantize, 2, {h}, {w}, {}, ""});
  model.operators.push_back({Builtin::conv_2d, 1, {x, w, b}, {y}, {1, {{1, 1}, {2, 1}, {3, std::int8_t{1}}}}, ""});
  model.operators.push_back({static_cast<Builtin>(117), 1, {y}, {s}, {}, ""});
  model.operators.push_back({Builtin::custom, 1, {s}, {z}, {}, "Mine"});
  model.inputs = {x};
  model.outputs = {z};
  return model;
}

TEST_F(CommandTflite, AFloatNetworkIsJudgedUpToAnOperatorOfSomebodysOwn) {
  const std::string file = write_model("m.tflite", float_network());
  const CommandOutcome evaluated = run({"eval", file});
  EXPECT_EQ(evaluated.code, 2);
  EXPECT_NE(evaluated.err.find("tflite.custom.Mine"), std::string::npos) << evaluated.err;
  EXPECT_NE(evaluated.err.find("subgraph 0, operator 3 (CUSTOM Mine v1)"), std::string::npos) << evaluated.err;
  const CommandOutcome layers = run({"check", file, "--per-layer", "--backend", "reference", "--json=" + path("r.json")});
  EXPECT_EQ(layers.code, 5) << layers.out << layers.err;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["counts"]["conform"], 3) << layers.out;
  EXPECT_EQ(report["counts"]["unsupported"], 2) << layers.out;
  EXPECT_EQ(report["models"][0]["run"], "graph") << layers.out;
  EXPECT_EQ(report["models"][0]["layers"][3]["op"], "tflite.custom.Mine");
  EXPECT_NE(layers.out.find("no page"), std::string::npos) << layers.out;
  EXPECT_EQ(run({"check", file, "--per-layer", "--until", "s", "--backend", "reference"}).code, 0);
}

}  // namespace
}  // namespace tiebreak
