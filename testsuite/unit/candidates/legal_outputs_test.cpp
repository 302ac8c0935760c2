// SPDX-License-Identifier: Apache-2.0
// What follows from results that are not unique, against every tree of a plain fold taken through the same arithmetic. The seed is printed.
#include "testsuite/candidates/legal_outputs.hpp"

#include <fmt/format.h>

#include <random>

#include "interpreter/program/program.hpp"
#include "testsuite/oracle/fold_orders.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

using oracle::Items;
constexpr unsigned seed = 20261124;

Case case_of(const std::string& text, const std::vector<Items>& values) {
  auto parsed = parse_mlir(text, "test.mlir");
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : to_text(parsed.error())) << "\n" << text;
  Case test;
  test.id = "test";
  test.program = parsed->functions.at(0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Tensor tensor = *Tensor::zeros(*test.program.values[static_cast<std::size_t>(test.program.inputs[i])].type);
    for (std::size_t k = 0; k < values[i].size(); ++k) tensor.set_code(static_cast<std::int64_t>(k), *tensor.element().encode(Real::from_double(values[i][k])));
    test.inputs.push_back(std::move(tensor));
  }
  return test;
}

std::vector<std::optional<LegalOutput>> legal_of(const Case& test) {
  auto legal = legal_outputs({*spec_pages(), profile_with({{"stablehlo.reduce/order", "any"}, {"stablehlo.contraction/order", "any"}})}, test);
  EXPECT_TRUE(legal.has_value()) << (legal ? "" : to_text(legal.error()));
  return *std::move(legal);
}

std::set<double> members(const LegalOutput& output, std::size_t element) {
  std::set<double> values;
  const ElementType f32 = *ElementType::parse("f32");
  for (const auto& member : output.orders->elements[element].members) values.insert(f32.decode(member[0]).to_double());
  return values;
}

/// Two sums of three numbers whose order is open, and what is computed from one of them, from both, and from one twice.
constexpr const char* sums =
    R"(func.func @main(%x: tensor<3x2xf32>, %s: tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<2xf32>) {
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  %three = stablehlo.constant dense<3.0> : tensor<2xf32>
  %tripled = stablehlo.multiply %r, %three : tensor<2xf32>
  %first = "stablehlo.slice"(%r) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xf32>
  %last = "stablehlo.slice"(%r) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xf32>
  %a = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
  %b = stablehlo.reshape %last : (tensor<1xf32>) -> tensor<f32>
  %both = stablehlo.subtract %a, %b : tensor<f32>
  %zero = stablehlo.subtract %tripled, %tripled : tensor<2xf32>
  return %tripled, %both, %zero : tensor<2xf32>, tensor<f32>, tensor<2xf32>
})";

TEST(LegalOutputs, OfWhatFollowsSetsAreTheirImages) {
  std::mt19937_64 random(seed);
  std::size_t listed = 0;
  for (int round = 0; round < 120; ++round) {
    Items cells[2], all;
    for (int item = 0; item < 3; ++item)
      for (Items& cell : cells) {
        cell.push_back(std::ldexp(static_cast<double>(random() % 0xffffff) - 0x7fffff, static_cast<int>(random() % 6)));
        all.push_back(cell.back());
      }
    const auto legal = legal_of(case_of(sums, {all, {0}}));
    std::set<double> sets[2], differences;
    for (int c = 0; c < 2; ++c) sets[c] = oracle::every_tree(cells[c], oracle::add_f32);
    for (std::size_t c = 0; c < 2; ++c) {
      std::set<double> tripled;
      for (const double value : sets[c]) tripled.insert(static_cast<double>(static_cast<float>(value) * 3.0F));
      const bool unique = sets[0].size() == 1 && sets[1].size() == 1;
      if (!unique && tripled.size() > 1) {
        EXPECT_EQ(members(*legal[0], c), tripled) << "seed " << seed << " round " << round;
        EXPECT_EQ(legal[2]->orders->elements[c].kind, LegalElement::Kind::unique) << "one sum, taken twice, is one number";
        ++listed;
      }
    }
    for (const double a : sets[0])
      for (const double b : sets[1]) differences.insert(static_cast<double>(static_cast<float>(a) - static_cast<float>(b)));
    if (differences.size() == 1) continue;
    EXPECT_EQ(members(*legal[1], 0), differences) << "seed " << seed << " round " << round;
  }
  EXPECT_GT(listed, 20U) << "sets of one would prove nothing";
}

TEST(LegalOutputs, OfWhatFollowsSumsHoldEveryTree) {
  const Case test = case_of(
      R"(func.func @main(%x: tensor<1x4xf32>, %w: tensor<4x1xf32>) -> (tensor<1x1xf32>, tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>) {
  %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  %m = stablehlo.abs %r : tensor<1x1xf32>
  %y = stablehlo.subtract %m, %r : tensor<1x1xf32>
  %q = stablehlo.uniform_quantize %r : (tensor<1x1xf32>) -> tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>
  return %m, %q : tensor<1x1xf32>, tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>
})",
      {{1e8, 3, -1e8, 7.25}, {1, 1, 1, 1}});
  const auto legal = legal_of(test);
  ASSERT_TRUE(legal[0] && legal[1]);
  const LegalElement& magnitude = legal[0]->orders->elements[0];
  const LegalElement& code = legal[1]->orders->elements[0];
  ASSERT_EQ(magnitude.kind, LegalElement::Kind::interval) << legal[0]->why;
  ASSERT_EQ(code.kind, LegalElement::Kind::interval) << legal[1]->why;
  const std::set<double> trees = oracle::every_tree({1e8, 3, -1e8, 7.25}, oracle::add_f32);
  EXPECT_GT(trees.size(), 1U);
  for (const double value : trees) {
    EXPECT_LE(magnitude.low, Real::from_double(std::abs(value)));
    EXPECT_GE(magnitude.high, Real::from_double(std::abs(value)));
    const double rounded = std::nearbyint(value / 0.5) + 3;
    EXPECT_LE(code.low, Real::from_double(rounded));
    EXPECT_GE(code.high, Real::from_double(rounded));
  }
  EXPECT_GE(magnitude.low, Real(0)) << "a magnitude is not negative";
}

TEST(LegalOutputs, OfAFoldOverThemAreNotKnown) {
  const Case test = case_of(
      R"(func.func @main(%x: tensor<3x2xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  %y = stablehlo.reduce(%r init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
})",
      {{16777216, 1, 1, 1, 1, 1}, {0}});
  const auto legal = legal_of(test);
  EXPECT_EQ(legal[0]->orders->elements[0].kind, LegalElement::Kind::unknown);
  EXPECT_NE(legal[0]->why.find("stablehlo.reduce"), std::string::npos);
}

TEST(LegalOutputs, JudgeAnAnswerByTheSetThatFollows) {
  const Case test = case_of(sums, {{16777216, 1, 1, 1, 1, 1}, {0}});
  const auto legal = legal_of(test);
  const std::set<double> wanted = members(*legal[0], 0);
  ASSERT_EQ(wanted, (std::set<double>{50331648, 50331656}));
  for (const double value : {50331648.0, 50331652.0, 50331656.0}) {
    Tensor answer = *Tensor::zeros({*ElementType::parse("f32"), {2}, std::nullopt});
    answer.set_code(0, *answer.element().encode(Real::from_double(value)));
    const std::vector<const Tensor*> answers{&answer, nullptr, nullptr};
    EXPECT_EQ(Standings(legal, answers, 0).at(0), value == 50331652.0 ? Standing::wrong : Standing::right) << value;
  }
}

/// ONNX names no order: 1e8 + 1 - 1e8 is 0 from left to right, 1 exactly. A library's profile names its own.
TEST(LegalOutputs, ATextThatNamesNoOrderTakesEachOfThem) {
  const Case test = case_of(R"(func.func @main(%a: tensor<1x3xf32>, %b: tensor<3x1xf32>) -> tensor<1x1xf32> {
  %y = "onnx.MatMul"(%a, %b) : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
})",
                            {{1e8, 1, -1e8}, {1, 1, 1}});
  const auto legal = legal_outputs({*spec_pages(), **spec_pages()->find_profile("onnx")}, test);
  ASSERT_TRUE(legal && legal->front()) << (legal ? "" : to_text(legal.error()));
  const LegalElement& element = legal->front()->orders->elements[0];
  ASSERT_EQ(element.kind, LegalElement::Kind::interval);
  EXPECT_LE(element.low, Real(0));
  EXPECT_GE(element.high, Real(1));
  EXPECT_LE(element.high, Real(40));
  const auto bound = legal_outputs({*spec_pages(), **spec_pages()->find_profile("onnxruntime-x64")}, test);
  ASSERT_TRUE(bound);
  EXPECT_FALSE(bound->front());
}

/// A kernel may begin with the bias: eight ones after 2^24 are lost one by one.
TEST(LegalOutputs, ABiasIsOneOfTheTerms) {
  const Case test = case_of(R"(func.func @main(%x: tensor<1x1x8xf32>, %w: tensor<1x1x8xf32>, %b: tensor<1xf32>) -> tensor<1x1x1xf32> {
  %y = "onnx.Conv"(%x, %w, %b) : (tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1xf32>) -> tensor<1x1x1xf32>
  return %y : tensor<1x1x1xf32>
})",
                            {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, {0x1p24}});
  const auto legal = legal_outputs({*spec_pages(), **spec_pages()->find_profile("onnx")}, test);
  ASSERT_TRUE(legal && legal->front()) << (legal ? "" : to_text(legal.error()));
  const LegalElement& element = legal->front()->orders->elements[0];
  ASSERT_EQ(element.kind, LegalElement::Kind::interval);
  EXPECT_LE(element.low, Real(1 << 24));
  EXPECT_GE(element.high, Real((1 << 24) + 8));
  EXPECT_LE(element.high, Real((1 << 24) + 32));
}

/// A sum whose order is open, and what is computed beside it from inputs alone, in a program whose values are too many to follow.
TEST(LegalOutputs, OfALargeProgramAreUnknownBehindWhatIsOpen) {
  const Case test = case_of(R"(func.func @main(%x: tensor<3x131072xf32>, %s: tensor<f32>) -> (tensor<131072xf32>, tensor<3x131072xf32>) {
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<3x131072xf32>, tensor<f32>) -> tensor<131072xf32>
  %m = stablehlo.abs %r : tensor<131072xf32>
  %y = stablehlo.abs %x : tensor<3x131072xf32>
  return %m, %y : tensor<131072xf32>, tensor<3x131072xf32>
})",
                            {{1}, {0}});
  const auto legal = legal_of(test);
  ASSERT_TRUE(legal[0]);
  EXPECT_EQ(legal[0]->orders->elements.size(), 131072U);
  EXPECT_EQ(legal[0]->orders->elements[131071].kind, LegalElement::Kind::unknown);
  EXPECT_NE(legal[0]->why.find("stablehlo.reduce leaves its result open"), std::string::npos) << legal[0]->why;
  EXPECT_FALSE(legal[1]) << "nothing open leads to it";
  const auto bound = legal_outputs({*spec_pages(), profile_with({{"stablehlo.reduce/order", "forward"}})}, test);
  ASSERT_TRUE(bound) << to_text(bound.error());
  EXPECT_FALSE((*bound)[0]);
}

/// The order of a sum of integers does not matter, nor that of a maximum.
TEST(LegalOutputs, OfIntegersInALargeProgramAreKnown) {
  for (const std::string body : {"add", "maximum", "multiply"}) {
    const Case test = case_of(
        "func.func @main(%x: tensor<3x131072xi32>, %s: tensor<i32>) -> tensor<131072xi32> {\n  %r = stablehlo.reduce(%x init: %s) applies stablehlo." + body +
            R"( across dimensions = [0] : (tensor<3x131072xi32>, tensor<i32>) -> tensor<131072xi32>
  %m = stablehlo.abs %r : tensor<131072xi32>
  return %m : tensor<131072xi32>
})",
        {{1}, {0}});
    EXPECT_EQ(legal_of(test)[0].has_value(), body == "multiply") << body;
  }
}

}  // namespace
}  // namespace tiebreak
