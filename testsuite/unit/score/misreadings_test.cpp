// SPDX-License-Identifier: Apache-2.0
// Which misreadings an op's header and structure call for, and how they are written. The page itself knows none.
#include <gtest/gtest.h>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/score/mutate.hpp"

namespace tiebreak::notation {
namespace {

Module parsed_page(const std::string& text) {
  Result<Module> module = parse_module(text, "toy.op", "toy.md");
  EXPECT_TRUE(module) << (module ? "" : to_text(module.error()));
  return module ? *std::move(module) : Module{};
}

/// What stands behind the structure line, all misreadings.
std::string words_of(const std::string& text) {
  const Module module = parsed_page(text);
  MutableFormulas formulas;
  formulas.op = &module.ops[0];
  std::string all;
  for (const Mutant& mutant : mutants(module, formulas)) {
    if (mutant.rule != rule_misreading) continue;
    EXPECT_TRUE(same_tree(changed(module, mutant), module)) << mutant.after;
    EXPECT_EQ(mutant.after, mutant.before + " with " + to_text(*mutant.misreading));
    all += (all.empty() ? "" : " ") + to_text(*mutant.misreading);
  }
  return all;
}

TEST(Misreadings, GoByTheKindOfValueThatTheHeaderNames) {
  EXPECT_EQ(words_of("op toy.op(x: i8) {flag = false} -> y: i8\nstructure elementwise(x)\ny = x\n"), "ignored(flag) negated(flag)");
  EXPECT_EQ(words_of("op toy.op(x: i8) {axis = 1} -> y: i8\nstructure elementwise(x)\ny = x\n"), "ignored(axis) more(axis) less(axis)");
  EXPECT_EQ(words_of("op toy.op(x: i8) {list} -> y: i8\nstructure elementwise(x)\ny = x\n"),
            "ignored(list) more(list) less(list) reversed(list) first(list) negated(list)");
  EXPECT_EQ(words_of("op toy.op(x: i8) {pads = none} -> y: i8\nstructure elementwise(x)\ny = x\n"),
            "ignored(pads) more(pads) less(pads) reversed(pads) first(pads) negated(pads) sides(pads) shifted(pads)");
  EXPECT_EQ(words_of("op toy.op(x: i8) {dimensions} -> y: i8\nstructure elementwise(x)\ny = x\n"),
            "ignored(dimensions) more(dimensions) less(dimensions) first(dimensions) negated(dimensions)")
      << "a set has no order";
  EXPECT_EQ(words_of("op toy.op(x: i8) {is_stable = false} -> y: i8\nstructure elementwise(x)\ny = x\n"), "") << "a promise changes no result";
}

TEST(Misreadings, TextsAreThoseThatThePageComparesWith) {
  EXPECT_EQ(
      words_of(
          "op toy.op(x: i8) {mode = \"A\"} -> y: i8\nstructure elementwise(x)\nconstraint C1: mode in [\"A\", \"B\"]\ny = if mode == \"C\" then x else 0\n"),
      "ignored(mode) instead(mode, \"A\") instead(mode, \"B\") instead(mode, \"C\")");
}

TEST(Misreadings, PartsOfASplitMayLieElsewhere) {
  EXPECT_EQ(words_of("op toy.op(x: i8) {axis = 0} -> y: i8...\nstructure move.split_onnx(x)\ny = x\n"),
            "ignored(axis) more(axis) less(axis) parts_reversed parts_dealt from_first");
}

TEST(Misreadings, NeighboursBecomeOneAnother) {
  EXPECT_EQ(words_of("op toy.op(x: i8) {low_side = 0, high_side = 0, side = 0} -> y: i8\nstructure elementwise(x)\ny = x\n"),
            "ignored(low_side) more(low_side) less(low_side) ignored(high_side) more(high_side) less(high_side) ignored(side) more(side) less(side) "
            "swapped(low_side, high_side)");
}

TEST(Misreadings, OperandsSteerWhereNoFormulaReadsThem) {
  EXPECT_EQ(words_of("op toy.op(x: i8, at: I[*]) -> y: i8\ntypes I: i32 i64\nstructure move.gather(x, at)\ny = x\n"),
            "ignored(at) more(at) less(at) reversed(at) first(at) from_end to_first");
  EXPECT_EQ(words_of("op toy.op(x: i8, b: i32) -> y: i8\nstructure elementwise(x, b)\ny = sat.i8(x + b)\n"), "");
}

TEST(Misreadings, StructuresHaveTheirOwn) {
  EXPECT_EQ(words_of("op toy.op(x: i8, w: i8) -> y: i32\nstructure dot.onnx(x, w)\ny = wrap.i32(sum(x * w))\n"), "mirrored(w)");
  EXPECT_EQ(words_of("op toy.op(x: i8...) -> y: i8\nstructure move.each(x)\ny = x\n"), "reversed(x)");
  EXPECT_EQ(words_of("op toy.op(at: i32[]) region bodies -> y: i8...\nstructure control.branch(at)\n"),
            "ignored(at) more(at) less(at) reversed(at) first(at) bodies_reversed to_first to_end");
  EXPECT_EQ(words_of("op toy.op(at: bool[]) region bodies -> y: i8...\nstructure control.branch(at)\n"), "bodies_reversed");
}

TEST(Misreadings, TheNotationHasNoWordsForThem) {
  EXPECT_FALSE(parse_module("op toy.op(x: i8) -> y: i8\nstructure elementwise[reversed(x)](x)\ny = x\n", "toy.op", "toy.md"));
}

}  // namespace
}  // namespace tiebreak::notation
