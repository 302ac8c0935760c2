// SPDX-License-Identifier: Apache-2.0
// What moves the hash of an op's values, and what does not.
#include "interpreter/semantics/dependencies.hpp"

#include <functional>

#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

constexpr const char* hashed_op = "onnx.QuantizeLinear";

/// Pages with all that a formula can reach: an op's choices, a used module with a reading, a definition, a stage.
class Dependency : public testing::Test {
 protected:
  void SetUp() override {
    folder_.page("onnx/QuantizeLinear.md", quantize_page);
    folder_.page("quant/fixed.md", std::string(fixed_page) + "def unused(v) = v + 1\n");
    folder_.page("quant/rows.md", "use quant.fixed\nop quant.rows(x: f32) -> y: f32\nstructure elementwise(x)\ny = f32(x + 1)\n");
    folder_.page("quant/staged.md", "op quant.staged(x: f32) -> y: f32\nr <- quant.rows(x)\nstructure elementwise(x)\ny = f32(r)\n");
    profile("p", R"("onnx.QuantizeLinear/order": "before", "quant.fixed/tie": {"any": ["even", "up"]})");
    profile("conditional", R"("onnx.QuantizeLinear/order": {"if": "x.type == f32", "then": "after", "else": "before"})");
    profile("open", R"("onnx.QuantizeLinear/order": {"any": "*"})");
  }

  void profile(const std::string& name, const std::string& choices) {
    folder_.write("systems/s/" + name + ".json", R"({"name": ")" + name + R"(", "choices": {)" + choices + "}}");
  }
  std::string hash(const std::string& of, const std::string& path = hashed_op) {
    const auto library = folder_.load();
    EXPECT_TRUE(library) << folder_.problem();
    if (!library) return "";
    return dependency_hashes({**library, **(*library)->find_profile(of)}, {path}).at(path);
  }
  /// Whether `change` moves the hash under the profile; both times it is read from the files.
  bool moves(const std::string& of, const std::function<void()>& change, const std::string& path = hashed_op) {
    const std::string before = hash(of, path);
    change();
    return hash(of, path) != before;
  }
  void quantize_with(const std::string& from, const std::string& to) {
    std::string text = quantize_page;
    ASSERT_NE(text.find(from), std::string::npos);
    folder_.page("onnx/QuantizeLinear.md", text.replace(text.find(from), from.size(), to));
  }

  SpecFolder folder_{};
};

TEST_F(Dependency, AnotherPageProfileOrAlternativeDoesNotMoveIt) {
  for (const char* of : {"reference", "p", "conditional"}) {
    EXPECT_FALSE(moves(of, [&] { folder_.page("onnx/Neg.md", "op onnx.Neg(x: f32) -> y: f32\nstructure elementwise(x)\ny = -x\n"); })) << of;
    EXPECT_FALSE(moves(of, [&] { profile("other", R"("onnx.QuantizeLinear/order": "before")"); })) << of;
    EXPECT_FALSE(moves(of, [&] { folder_.page("systems/s/quantize.md", "alternative onnx.QuantizeLinear/order: twice = 2\n"); })) << of;
    EXPECT_FALSE(moves(of, [&] { folder_.page("systems/s/fixed.md", "alternative quant.fixed/tie: down = floor(v)\n"); })) << of;
    std::filesystem::remove(folder_.path() + "/systems/s/quantize.md");
    std::filesystem::remove(folder_.path() + "/systems/s/fixed.md");
  }
}

TEST_F(Dependency, NeitherDoesProseOrADefinitionThatIsNotReached) {
  EXPECT_FALSE(moves(
      "p", [&] { folder_.write("quant/fixed.md", std::string("# Prose\n\nMore of it.\n\n```semantics\n") + fixed_page + "def unused(v) = v + 2\n```\n"); }));
}

TEST_F(Dependency, FormulasThatAreReachedMoveIt) {
  EXPECT_TRUE(moves("reference", [&] { quantize_with("sat.y(fixed", "sat.y(1 + fixed"); }));
  EXPECT_TRUE(moves("reference", [&] { folder_.page("quant/fixed.md", "choice tie(v): even = rne(v) | away = rna(-v) | up = rhu(v)\n"); }))
      << "the reading of `use`";
  EXPECT_FALSE(moves("reference", [&] { folder_.page("quant/fixed.md", "choice tie(v): even = rne(-v) | away = rna(-v) | up = rhu(v)\n"); })) << "not taken";
  EXPECT_TRUE(moves("p", [&] { folder_.page("quant/fixed.md", "choice tie(v): even = rne(-v) | away = rna(-v) | up = rhu(1 + v)\n"); })) << "one of several";
  EXPECT_TRUE(moves("p", [&] { quantize_with("before = 2", "before = 3"); }));
  EXPECT_FALSE(moves(
      "p", [&] { quantize_with("after = 1 | before = 2", "after = 4 | before = 2"), quantize_with("after = 1 | before = 2", "after = 4 | before = 3"); }));
}

TEST_F(Dependency, AStageIsPartOfTheOp) {
  EXPECT_TRUE(moves(
      "reference", [&] { folder_.page("quant/rows.md", "op quant.rows(x: f32) -> y: f32\nstructure elementwise(x)\ny = f32(x + 2)\n"); }, "quant.staged"));
}

TEST_F(Dependency, WhatTheProfileBindsCounts) {
  EXPECT_TRUE(moves("p", [&] { profile("p", R"("onnx.QuantizeLinear/order": "after")"); }));
  EXPECT_FALSE(moves("p", [&] { profile("p", R"("onnx.QuantizeLinear/order": "after", "quant.fixed/tie": "away")"); })) << "bound to what `use` reads";
  EXPECT_TRUE(
      moves("conditional", [&] { profile("conditional", R"("onnx.QuantizeLinear/order": {"if": "x.type == f16", "then": "after", "else": "before"})"); }));
  EXPECT_TRUE(moves("open", [&] { folder_.page("systems/s/quantize.md", "alternative onnx.QuantizeLinear/order: twice = 2\n"); }))
      << "every alternative is right";
}

TEST_F(Dependency, AnOpWithoutAPageHasAHashThatAPageMoves) {
  EXPECT_TRUE(moves(
      "p", [&] { folder_.page("onnx/Neg.md", "op onnx.Neg(x: f32) -> y: f32\nstructure elementwise(x)\ny = -x\n"); }, "onnx.Neg"));
}

/// A profile is declared for an op by a choice that it binds, not by one of another op or one that is out of reach.
class Declared : public Dependency {
 protected:
  bool declared(const std::string& of, const std::string& path = hashed_op) {
    const auto library = folder_.load();
    EXPECT_TRUE(library) << folder_.problem();
    return library && is_declared({**library, **(*library)->find_profile(of)}, path);
  }
};

TEST_F(Declared, ByAChoiceThatTheOpReaches) {
  EXPECT_TRUE(declared("p"));
  EXPECT_TRUE(declared("conditional"));
  profile("module", R"("quant.fixed/tie": "up")");
  EXPECT_TRUE(declared("module"));
  profile("silent", "");
  EXPECT_FALSE(declared("silent"));
  folder_.write("systems/s/child.json", R"({"name": "child", "extends": "p"})");
  EXPECT_TRUE(declared("child")) << "what it extends speaks";
  folder_.page("quant/other.md", "choice factor: one = 1 | two = 2\nop quant.other(x: f32) -> y: f32\nstructure elementwise(x)\ny = f32(x * factor)\n");
  profile("elsewhere", R"("quant.other/factor": "two")");
  EXPECT_FALSE(declared("elsewhere"));
  EXPECT_FALSE(declared("p", "quant.other"));
}

TEST_F(Declared, WhereThereIsNothingToSay) {
  profile("silent", "");
  EXPECT_TRUE(declared("silent", "quant.rows")) << "the op has no choices";
  EXPECT_TRUE(declared("silent", "quant.staged"));
  EXPECT_TRUE(declared("reference"));
  folder_.write("systems/s/text.json", R"({"name": "text", "text": true})");
  folder_.write("systems/s/child.json", R"({"name": "child", "extends": "text"})");
  EXPECT_TRUE(declared("text"));
  EXPECT_FALSE(declared("child")) << "a system that extends a text does not claim its silence";
}

TEST_F(Declared, Words) {
  profile("silent", "");
  const auto library = folder_.load();
  ASSERT_TRUE(library) << folder_.problem();
  EXPECT_EQ(undeclared_text({**library, **(*library)->find_profile("silent")}, {hashed_op, "quant.rows"}),
            "profile silent says nothing of onnx.QuantizeLinear: the pages' own readings are computed");
  EXPECT_EQ(undeclared_text({**library, **(*library)->find_profile("p")}, {hashed_op, "quant.rows"}), "");
}

TEST(Dependencies, JoinedByOp) {
  EXPECT_EQ(joined_hash({{"a", "1"}}), "1");
  EXPECT_NE(joined_hash({{"a", "1"}, {"b", "2"}}), joined_hash({{"a", "2"}, {"b", "1"}}));
  EXPECT_EQ(joined_hash({}).size(), 16u);
}

}  // namespace
}  // namespace tiebreak
