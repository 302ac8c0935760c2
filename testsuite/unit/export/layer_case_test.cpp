// SPDX-License-Identifier: Apache-2.0
// Layers of a model as cases: what they read, and which cannot be one.
#include "testsuite/export/layer_case.hpp"

#include <algorithm>

#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

class LayerCases : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a",
                    "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(x + 1)\n"
                    "op t.open(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = if x > 0 then x else undefined\n"}}};

  /// x = [0, 1]; b reads what no page describes, e what is undefined, f what two other layers make of x.
  static Model model() {
    Model model;
    model.test.id = "model";
    model.test.source = "model.onnx";
    Program& program = model.test.program;
    const TensorType type{*ElementType::parse("i32"), {2}, {}};
    for (const char* name : {"x", "a", "b", "c", "d", "e", "f"}) program.values.push_back({name, type, {}});
    program.inputs = {0};
    program.operations = {{"t.absent", {0}, {1}, {}, 0, ""}, {"t.next", {1}, {2}, {}, 0, ""}, {"t.next", {0}, {3}, {}, 0, ""},
                          {"t.open", {0}, {4}, {}, 0, ""},   {"t.next", {4}, {5}, {}, 0, ""}, {"t.next", {3}, {6}, {}, 0, ""}};
    program.outputs = {2, 5, 6};
    model.test.inputs = {codes_tensor("i32", {2}, {0, 1})};
    return model;
  }
  std::vector<Case> cases(const std::vector<std::string>& globs) {
    auto made = layer_cases({*toy_.library, **toy_.library->find_profile("reference")}, model(), globs);
    EXPECT_TRUE(made) << (made ? "" : to_text(made.error()));
    return made ? *std::move(made) : std::vector<Case>{};
  }
  static std::string reason(const Case& test) { return test.unusable ? test.unusable->what : ""; }
};

TEST_F(LayerCases, ALayerThatCannotBeOneLeavesTheOthers) {
  const std::vector<Case> made = cases({"*"});
  ASSERT_EQ(made.size(), 6U);
  EXPECT_EQ(made[0].id, "model/0.a");
  EXPECT_EQ(reason(made[0]), "no page describes t.absent, or it runs regions");
  EXPECT_TRUE(reason(made[1]).starts_with("the layer reads what cannot be computed: ")) << reason(made[1]);
  EXPECT_NE(reason(made[1]).find("t.absent"), std::string::npos) << reason(made[1]);
  EXPECT_EQ(reason(made[4]), "the layer reads elements that the profile leaves undefined");
  for (const std::size_t good : {2, 3, 5}) EXPECT_EQ(reason(made[good]), "") << good;
  for (const std::size_t bad : {0, 1, 4}) {
    EXPECT_EQ(made[bad].source, "model.onnx");
    EXPECT_EQ(made[bad].unusable->where, made[bad].id);
  }
  ASSERT_EQ(made[5].inputs.size(), 1U);
  EXPECT_TRUE(std::ranges::equal(made[5].inputs[0].bytes(), codes_tensor("i32", {2}, {1, 2}).bytes()));
}

TEST_F(LayerCases, EachGlobMustMatchALayer) {
  EXPECT_EQ(cases({"f", "model/2.*", "f"}).size(), 2U);
  const auto made = layer_cases({*toy_.library, **toy_.library->find_profile("reference")}, model(), {"*", "5.g"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "the model has no layer '5.g'");
  EXPECT_EQ(made.error().hint, "did you mean '5.f'?");
}

}  // namespace
}  // namespace tiebreak
