// SPDX-License-Identifier: Apache-2.0
// The operations of the graph that runs on a model's inputs are layers of the model.
#include "testsuite/layers/model.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

class TakenBranches : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a", "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = wrap.y(x + 1)\n"},
                   {"t/b", "op t.is_odd(x: T) -> y: bool\ntypes T: i32\nstructure elementwise(x)\ny = x - 2 * floor(x / 2) == 1\n"},
                   {"t/c", "op t.if(c: bool) region yes, no -> y: T...\ntypes T: i32\nstructure control.branch(c)\n"}}};
  /// An if within an if; what decides about the inner one is made in the outer one's branch.
  static constexpr const char* text = R"(func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %a = "t.next"(%x) : (tensor<i32>) -> tensor<i32>
  %c = "t.is_odd"(%a) : (tensor<i32>) -> tensor<i1>
  %r, %s = "t.if"(%c) ({
    %b = "t.next"(%a) : (tensor<i32>) -> tensor<i32>
    %d = "t.is_odd"(%b) : (tensor<i32>) -> tensor<i1>
    %e = "t.if"(%d) ({
      "stablehlo.return"(%x) : (tensor<i32>) -> ()
    }, {
      %f = "t.next"(%b) : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%f) : (tensor<i32>) -> ()
    }) : (tensor<i1>) -> tensor<i32>
    "stablehlo.return"(%e, %a) : (tensor<i32>, tensor<i32>) -> ()
  }, {
    "stablehlo.return"(%x, %x) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i1>) -> (tensor<i32>, tensor<i32>)
  %t = "t.next"(%s) : (tensor<i32>) -> tensor<i32>
  func.return %r, %t : tensor<i32>, tensor<i32>
})";

  Model model_of(std::int64_t x) {
    Model model;
    auto parsed = parse_mlir(text, "m.mlir");
    EXPECT_TRUE(parsed) << (parsed ? "" : to_text(parsed.error()));
    if (!parsed) return model;
    model.test.id = "m";
    model.test.program = std::move(parsed->functions.front());
    model.test.inputs = {codes_tensor("i32", {}, {x})};
    const auto taken = take_branches(semantics(), model);
    EXPECT_TRUE(taken) << (taken ? "" : to_text(taken.error()));
    return model;
  }
  Semantics semantics() const { return {*toy_.library, **toy_.library->find_profile("reference")}; }

  /// What the model gives, whichever way it is written.
  void expect_same_outputs(const Model& model) {
    const auto parsed = parse_mlir(text, "m.mlir");
    ASSERT_TRUE(parsed);
    const auto whole = evaluate(semantics(), parsed->functions.front(), model.test.inputs),
               layers = evaluate(semantics(), model.test.program, model.test.inputs);
    ASSERT_TRUE(whole && layers);
    ASSERT_EQ(whole->size(), layers->size());
    for (std::size_t i = 0; i < whole->size(); ++i) EXPECT_EQ((*whole)[i].tensor.code(0), (*layers)[i].tensor.code(0)) << i;
  }
};

TEST_F(TakenBranches, TheOperationsOfTheGraphThatRunsAreLayers) {
  const Model model = model_of(4);
  EXPECT_EQ(layer_ids(model), (std::vector<std::string>{"m/0.a", "m/1.c", "m/2.b", "m/3.d", "m/4.r", "m/5.t", "m/outputs"}));
  ASSERT_EQ(model.notes.size(), 2U);
  EXPECT_EQ(model.notes[0], "m.mlir:4:12: on these inputs yes runs, and its operations are layers");
  EXPECT_EQ(model.notes[1], "m.mlir:7:10: on these inputs no runs, and its operations are layers");
  expect_same_outputs(model);
}

TEST_F(TakenBranches, AGraphThatGivesWhatItSeesLeavesNoLayer) {
  const Model model = model_of(5);
  EXPECT_EQ(layer_ids(model), (std::vector<std::string>{"m/0.a", "m/1.c", "m/2.t", "m/outputs"}));
  EXPECT_EQ(model.test.program.values[static_cast<std::size_t>(model.test.program.inputs.front())].name, "x");
  expect_same_outputs(model);
}

/// What decides has no page: the operation stays a layer.
TEST_F(TakenBranches, WhatCannotBeDecidedStays) {
  Model model;
  auto parsed = parse_mlir(R"(%c = "t.absent"(%x) : (tensor<i32>) -> tensor<i1>
%r = "t.if"(%c) ({
  "stablehlo.return"(%x) : (tensor<i32>) -> ()
}, {
  "stablehlo.return"(%x) : (tensor<i32>) -> ()
}) : (tensor<i1>) -> tensor<i32>)",
                           "m.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  model.test.id = "m";
  model.test.program = std::move(parsed->functions.front());
  model.test.inputs = {codes_tensor("i32", {}, {1})};
  ASSERT_TRUE(take_branches(semantics(), model));
  EXPECT_EQ(layer_ids(model), (std::vector<std::string>{"m/0.c", "m/1.r", "m/outputs"}));
  EXPECT_TRUE(model.notes.empty());
}

}  // namespace
}  // namespace tiebreak
