// SPDX-License-Identifier: Apache-2.0
// Sums of integer products: packed products and the exact engine, which must agree, at random shapes, strides, paddings, dilations, groups and zero points.
#include <gtest/gtest.h>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/stablehlo_contractions.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

Tensor random_codes(Random& random, const std::string& type, Shape shape) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random.bits());
  return tensor;
}

/// Both engines, or a failure; undefined elements count as well.
void expect_agreement(const OpCall& call) {
  const auto results = given_results(call);
  EXPECT_GT(results.front().tensor.size(), 0) << to_text(call.operands[0]->type()) << " " << to_text(call.operands[1]->type());
}

TEST(Contractions, OfMatrices) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t rows = random.whole(1, 9), items = random.whole(1, 40), columns = random.whole(1, 21), batch = random.whole(1, 3);
    const std::string a = random.whole(0, 1) == 0 ? "u8" : "i8", b = random.whole(0, 1) == 0 ? "u8" : "i8";
    const bool batches = random.whole(0, 2) == 0, vectors = !batches && random.whole(0, 4) == 0, each = !batches && !vectors && random.whole(0, 1) == 0;
    OpCall call{.op = "onnx.MatMulInteger", .version = 10};
    call.operands = {random_codes(random, a, batches ? Shape{batch, rows, items} : Shape{rows, items}),
                     random_codes(random, b, vectors ? Shape{items} : Shape{items, columns}), random_codes(random, a, each ? Shape{rows} : Shape{}),
                     random_codes(random, b, each ? Shape{columns} : Shape{})};
    expect_agreement(call);
  }
}

TEST(Contractions, OfConvolutions) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const bool plane = random.whole(0, 2) > 0;
    const std::int64_t group = random.whole(1, 3), inputs = random.whole(1, 4), outputs = group * random.whole(1, 5);
    auto spatial = [&](std::int64_t low, std::int64_t high) {
      Shape extents;
      for (int s = 0; s < (plane ? 2 : 1); ++s) extents.push_back(random.whole(low, high));
      return extents;
    };
    auto shape = [](Shape first, const Shape& rest) { return first.insert(first.end(), rest.begin(), rest.end()), first; };
    const std::string x = random.whole(0, 1) == 0 ? "u8" : "i8", w = random.whole(0, 1) == 0 ? "u8" : "i8";
    Shape pads = spatial(0, 2);
    for (const std::int64_t pad : spatial(0, 2)) pads.push_back(pad);
    OpCall call{.op = "onnx.ConvInteger", .version = 10};
    call.operands = {random_codes(random, x, shape({random.whole(1, 2), group * inputs}, spatial(7, 21))),
                     random_codes(random, w, shape({outputs, inputs}, spatial(1, 3))), random_codes(random, x, {}),
                     random_codes(random, w, random.whole(0, 1) == 0 ? Shape{} : Shape{outputs})};
    call.attributes = {{"group", Attribute{Real(group)}},
                       {"pads", Attribute::integers(pads)},
                       {"strides", Attribute::integers(spatial(1, 3))},
                       {"dilations", Attribute::integers(spatial(1, 3))}};
    expect_agreement(call);
  }
}

/// Padding and dilation are no zeros here but nothing: such items are in no bag, and the other factor has no number for them. Features first or last.
TEST(Contractions, OfWindowsWithHoles) {
  Random random(3);
  ToyLibrary toy(Pages{{"t/c",
                        "op t.c(lhs: L, rhs: i8) {window_strides = none, padding = none, lhs_dilation = none, rhs_dilation = none, window_reversal = none, "
                        "input_batch_dimension, input_feature_dimension, input_spatial_dimensions = none, kernel_input_feature_dimension, "
                        "kernel_output_feature_dimension, kernel_spatial_dimensions = none, output_batch_dimension, output_feature_dimension, "
                        "output_spatial_dimensions = none, feature_group_count = 1, batch_group_count = 1} -> y: i32\ntypes L: i8 i16\n"
                        "structure convolution.stablehlo(lhs, rhs)\ny = sat.y(sum((lhs - 7) * (rhs + 3)))"}});
  const auto profile = toy.library->find_profile("reference");
  for (int round = 0; round < 60; ++round) {
    oracle::stablehlo::Convolution c{};
    c.batch = random.whole(1, 2);
    c.height = random.whole(5, 9);
    c.width = random.whole(5, 18);
    c.groups = random.whole(1, 2);
    c.features = c.groups * random.whole(1, 3);
    c.outputs = c.groups * random.whole(1, 4);
    c.kernel_height = random.whole(1, 3);
    c.kernel_width = random.whole(1, 3);
    c.stride = random.whole(1, 2);
    c.dilation = random.whole(1, 2);
    c.pad = random.whole(0, 2);
    c.features_last = random.whole(0, 1) == 0;
    OpCall call = convolution_call(c, random_codes(random, random.whole(0, 2) == 0 ? "i16" : "i8", lhs_shape(c)), random_codes(random, "i8", rhs_shape(c)), {});
    call.op = "t.c";
    call.result_types.clear();
    call.attributes["lhs_dilation"] = Attribute::integers({random.whole(1, 2), random.whole(1, 3)});
    call.attributes["window_reversal"] = Attribute::integers({random.whole(0, 1), random.whole(0, 1)});
    auto results = evaluate({*toy.library, **profile}, call, {.engine = Engine::both});
    ASSERT_TRUE(results) << to_text(results.error());
    EXPECT_GT(results->front().tensor.size(), 0);
  }
}

/// A factor that reads a sum of its own operand, which is one number for all of it: shorter and longer than there are codes.
TEST(Contractions, OfAFactorWithASumOfItsOwnOperand) {
  Random random(5);
  ToyLibrary toy(Pages{{"t/m", "op t.own(a: u8, b: i8) -> y: i64\nstructure dot.onnx(a, b)\ny = sat.y(sum((a - sum(a)) * b))"}});
  const auto profile = toy.library->find_profile("reference");
  for (const std::int64_t items : {3, 300}) {
    OpCall call{.op = "t.own"};
    call.operands = {random_codes(random, "u8", {items}), random_codes(random, "i8", {items, 20})};
    auto results = evaluate({*toy.library, **profile}, call, {.engine = Engine::both});
    EXPECT_TRUE(results) << items << ": " << to_text(results.error());
  }
}

/// Sums of more than 32 bits, factors of more than 16, whole numbers made of codes that are no line.
TEST(Contractions, OfWideNumbers) {
  Random random(4);
  const std::string line = "\nstructure dot.onnx(a, b)\n";
  ToyLibrary toy(Pages{{"t/m", "op t.short(a: i16, b: i8) -> y: i64" + line + "y = sat.y(sum(a * b))\nop t.wide(a: i32, b: i8) -> y: i64" + line +
                                   "y = sat.y(sum(a * b))\nop t.bent(a: u8, b: i8) -> y: i64" + line + "y = sat.y(sum((a * a - 7) * abs(b)))"}});
  const auto profile = toy.library->find_profile("reference");
  for (const auto& [op, type, least] : {std::tuple{"t.short", "i16", 1000}, {"t.wide", "i32", 1}, {"t.bent", "u8", 1}})
    for (int round = 0; round < 6; ++round) {
      const std::int64_t items = least + random.whole(0, 130);
      OpCall call{.op = op};
      call.operands = {random_codes(random, type, {random.whole(1, 4), items}), random_codes(random, "i8", {items, random.whole(1, 20)})};
      if (round == 0)  // the least numbers of both
        for (std::optional<Tensor>& operand : call.operands)
          for (std::int64_t i = 0; i < operand->size(); ++i) operand->set_code(i, std::uint64_t{1} << (8 * operand->element().storage_bytes() - 1));
      auto results = evaluate({*toy.library, **profile}, call, {.engine = Engine::both});
      EXPECT_TRUE(results) << op << ": " << to_text(results.error());
    }
}

}  // namespace
}  // namespace tiebreak
