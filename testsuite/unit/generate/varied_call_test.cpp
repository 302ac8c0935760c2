// SPDX-License-Identifier: Apache-2.0
// Calls made at random out of others: the same for the same state, small, and mostly of one mind about extents that were equal.
#include "testsuite/generate/varied_call.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tiebreak::generate {
namespace {

Tensor codes(const char* type, Shape shape) { return *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}}); }

CallSeeds products() {
  CallSeeds seeds;
  OpCall call{.op = "onnx.MatMulInteger", .operands = {codes("u8", {7, 9}), codes("i8", {9, 8}), std::nullopt}};
  call.attributes["layout"] = Attribute{std::string("NCHW")};
  call.attributes["strides"] = Attribute::integers({1, 2});
  seeds.add(call);
  call.attributes["layout"] = Attribute{std::string("NHWC")};
  seeds.add(call);
  return seeds;
}

TEST(VariedCall, IsDecidedByTheState) {
  const CallSeeds seeds = products();
  PseudoRandom first(5), second(5), third(6);
  const OpCall a = varied_call(seeds, first), b = varied_call(seeds, second), c = varied_call(seeds, third);
  EXPECT_EQ(a.operands[0]->shape(), b.operands[0]->shape());
  EXPECT_TRUE(std::ranges::equal(a.operands[0]->bytes(), b.operands[0]->bytes()));
  EXPECT_FALSE(a.operands[0]->shape() == c.operands[0]->shape() && std::ranges::equal(a.operands[0]->bytes(), c.operands[0]->bytes()));
}

TEST(VariedCall, HasOtherExtentsWordsAndNumbers) {
  const CallSeeds seeds = products();
  EXPECT_EQ(seeds.words.at("layout").size(), 2U);
  std::set<Shape> shapes;
  std::set<std::string> strides;
  int fitting = 0;
  constexpr int draws = 2000;
  PseudoRandom random(1);
  for (int i = 0; i < draws; ++i) {
    const OpCall call = varied_call(seeds, random);
    const Shape &a = call.operands[0]->shape(), &b = call.operands[1]->shape();
    ASSERT_FALSE(call.operands[2]) << "what is absent stays so";
    ASSERT_LE(call.operands[0]->size(), 4096);
    fitting += a[1] == b[0] ? 1 : 0;
    shapes.insert(a);
    strides.insert(to_text(call.attributes.at("strides")));
  }
  EXPECT_GT(fitting, draws / 2) << "the common extent is mostly common";
  EXPECT_LT(fitting, draws) << "but not always";
  EXPECT_GT(shapes.size(), 100U);
  EXPECT_TRUE(shapes.contains(Shape{7, 9})) << "some keep their shapes";
  EXPECT_GT(strides.size(), 15U);
}

TEST(VariedCall, HasAScaleForEachPlaceOfItsAxis) {
  TensorType type{*ElementType::parse("i8"), {3, 4}, {}};
  type.quantized = QuantizedType{type.element, Real(-128), Real(127), *ElementType::parse("f32"), {{0, 1}}, {3}, {}, {}};
  for (int i = 1; i <= 3; ++i) {
    type.quantized->scales.push_back({Real(i)});
    type.quantized->zero_points.push_back({Real(0)});
  }
  CallSeeds seeds;
  seeds.add({.op = "tflite.CONV_2D", .operands = {*Tensor::zeros(type)}});
  PseudoRandom random(1);
  for (int i = 0; i < 200; ++i) {
    const TensorType drawn = varied_call(seeds, random).operands[0]->type();
    EXPECT_EQ(drawn.quantized->parameter_shape[0], drawn.shape[0]);
    EXPECT_EQ(static_cast<std::int64_t>(drawn.quantized->scales.size()), drawn.shape[0]);
    EXPECT_TRUE(check_quantized_type(*drawn.quantized, drawn.shape, "")) << to_text(drawn);
  }
}

TEST(VariedValues, KeepWhatMakesThemValid) {
  Tensor scale = codes("f32", {1});
  scale.set_code(0, *scale.element().encode(Real(2)));
  PseudoRandom random(1);
  for (int i = 0; i < 300; ++i) {
    const Tensor drawn = varied_values(scale, TensorType{scale.element(), {5}, {}}, random);
    for (std::int64_t k = 0; k < 5; ++k) EXPECT_GT(drawn.value(k).to_double(), 0) << "a scale stays above zero";
  }
}

}  // namespace
}  // namespace tiebreak::generate
