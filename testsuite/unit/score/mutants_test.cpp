// SPDX-License-Identifier: Apache-2.0
// Each rule makes the mutant it promises, on a formula of its own; `each` written out; the changed module.
#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/rewrite.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "testsuite/score/mutate.hpp"

namespace tiebreak::notation {
namespace {

constexpr const char* header =
    "def tie(v) = rne(v)\n"
    "op toy.op(x: i32, s: f32[axis], z: i8[] = 0) {axis = 0} -> y: i8\n"
    "structure elementwise(x)\n";

Module parsed_formulas(const std::string& formulas) {
  Result<Module> module = parse_module(header + formulas, "toy.op", "toy.md");
  EXPECT_TRUE(module) << (module ? "" : to_text(module.error()));
  return expand_each(module ? *std::move(module) : Module{});
}

MutableFormulas formulas_of(const Module& module) {
  MutableFormulas formulas;
  formulas.op = &module.ops[0];
  for (const Statement& statement : module.ops[0].statements) {
    if (const auto* let = std::get_if<Let>(&statement)) formulas.bodies.push_back(&let->body);
    if (const auto* structure = std::get_if<Structure>(&statement))
      for (const Argument& argument : structure->arguments)
        if (argument.value) formulas.pads.push_back(argument.value);
  }
  return formulas;
}

/// What y's formula becomes under a rule, all variants, `; ` between.
std::string by_rule(const std::string& formula, const std::string& rule) {
  const Module module = parsed_formulas("y = " + formula + "\n");
  std::string all;
  for (const Mutant& mutant : mutants(module, formulas_of(module))) {
    if (mutant.rule != rule) continue;
    const Module other = changed(module, mutant);
    EXPECT_FALSE(same_tree(other, module)) << mutant.before << " -> " << mutant.after;
    all += (all.empty() ? "" : "; ") + print(*std::get<Let>(other.ops[0].statements.back()).body.value);
  }
  return all;
}

TEST(Mutants, RoundingWordsBecomeEveryOther) {
  EXPECT_EQ(by_rule("rne(x)", "rounding word"), "rna(x); rhu(x); rhd(x); rnz(x); rtz(x); floor(x); ceil(x); odd(x)");
}

TEST(Mutants, FormatsAreDroppedNarrowedDirectedAndAdded) {
  EXPECT_EQ(by_rule("f32(x)", "format dropped"), "x");
  EXPECT_EQ(by_rule("f64(x)", "narrower format"), "f32(x)");
  EXPECT_EQ(by_rule("f32(x)", "narrower format"), "tf32(x)");
  EXPECT_EQ(by_rule("f32(x)", "directed rounding"), "rtz.f32(x); floor.f32(x); ceil.f32(x)");
  EXPECT_EQ(by_rule("x + z", "format added"), "f32(x + z); f64(x + z)");
  EXPECT_EQ(by_rule("f32(x + z)", "format added"), "") << "the operation has a format";
}

TEST(Mutants, SaturationWrapAndTrapAreExchanged) {
  EXPECT_EQ(by_rule("sat.y(x)", "overflow"), "wrap.y(x); trap.y(x)");
  EXPECT_EQ(by_rule("wrap.i32(x)", "overflow"), "sat.i32(x); trap.i32(x)");
  EXPECT_EQ(by_rule("sat.y(x)", "narrow range"), "max(sat.y(x), y.min + 1); min(sat.y(x), y.max - 1)");
  EXPECT_EQ(by_rule("clamp(x, y.min, y.max)", "narrow range"), "clamp(x, y.min + 1, y.max); clamp(x, y.min, y.max - 1)");
  EXPECT_EQ(by_rule("sat.y(x + z)", "saturation before the zero point"), "sat.y(sat.y(x) + z)");
  EXPECT_EQ(by_rule("rne(x) + z", "saturation before the zero point"), "sat.i8(rne(x)) + z; sat.u8(rne(x)) + z");
}

TEST(Mutants, QuotientsAndTheZeroPoint) {
  EXPECT_EQ(by_rule("x / s", "reciprocal"), "x * f32(1 / s)");
  EXPECT_EQ(by_rule("f64(x / s)", "reciprocal"), "f64(x * f64(1 / s))");
  EXPECT_EQ(by_rule("tie(x / s) + z", "order of rounding and sum"), "tie(x / s + z); tie(f32(x / s + z))");
  EXPECT_EQ(by_rule("rne(f32(x / s + z))", "order of rounding and sum"), "rne(x / s) + z; rne(f32(x / s)) + z");
  EXPECT_EQ(by_rule("f32(f32(x * s) / z)", "grouping"), "f32(x * f32(s / z)); f32(f32(x / z) * s)");
  EXPECT_EQ(by_rule("each.f32(x * s / z)", "grouping"), "f32(f32(x) * f32(f32(s) / f32(z))); f32(f32(f32(x) / f32(z)) * f32(s))");
}

TEST(Mutants, SlipsOfThePen) {
  EXPECT_EQ(by_rule("x + z", "term dropped"), "x; z");
  EXPECT_EQ(by_rule("x - z", "term dropped"), "x; -z");
  EXPECT_EQ(by_rule("x - z", "sign"), "x + z");
  EXPECT_EQ(by_rule("x * z", "factor dropped"), "x; z");
  EXPECT_EQ(by_rule("x * 2^31", "constant"), "x * 3^31; x * 1^31; x * 2^32; x * 2^30");
  EXPECT_EQ(by_rule("if x < 0 then z else x", "one branch"), "z; x");
  EXPECT_EQ(by_rule("if x < 0 then z else x", "strictness"), "if x <= 0 then z else x");
}

TEST(Mutants, TruthsThatAreTheResult) {
  EXPECT_EQ(by_rule("not x == z", "negated"), "x == z");
  EXPECT_EQ(by_rule("x == z", "negated"), "not x == z");
  EXPECT_EQ(by_rule("x == z", "operand ignored"), "x == x; z == z");
  EXPECT_EQ(by_rule("x == z", "another function"), "x <= z; x >= z; x and z");
  EXPECT_EQ(by_rule("x != z", "another function"), "x < z; x > z; x or z");
  EXPECT_EQ(by_rule("x < 0 and z < 0", "negated"), "not (x < 0 and z < 0)");
  EXPECT_EQ(by_rule("x < 0 and z < 0", "operand ignored"), "x < 0; z < 0");
  EXPECT_EQ(by_rule("x < 0 and z < 0", "operand negated"), "not x < 0 and z < 0; x < 0 and not z < 0");
  EXPECT_EQ(by_rule("x < 0 or z < 0", "another function"), "x < 0 and z < 0");
  EXPECT_EQ(by_rule("if x == z then 1 else 0", "negated"), "") << "a condition is no result";
}

TEST(Mutants, MultipliersAndChannels) {
  const std::string cut = by_rule("x * s", "multiplier in fewer bits");
  for (const char* part : {"exponent(s) - 23", "exponent(s) - 15", "exponent(s) - 7", "x * f32(s)"})
    EXPECT_NE(cut.find(part), std::string::npos) << part << " in " << cut;
  EXPECT_EQ(by_rule("x * s", rule_first_channel), "x * s[0]");
  EXPECT_EQ(by_rule("x * z", rule_first_channel), "") << "z is one value";
}

TEST(Mutants, Aggregates) {
  EXPECT_EQ(by_rule("sum(x)", "step added"), "sum[f32](x); sum[f16](x)");
  EXPECT_EQ(by_rule("sum[f32](x)", "step dropped"), "sum(x)");
  EXPECT_EQ(by_rule("sum[f32](x)", "another step"), "sum[f16](x)");
  EXPECT_EQ(by_rule("sum[f32](x)", "order of the sum"), "sum[f32, pairwise](x)");
  EXPECT_EQ(by_rule("sum(x)", "int16 pairs"), "sum(sat.i16(sum[blocks(2)](x)))");
}

TEST(Mutants, ThePadBecomesZero) {
  Result<Module> module =
      parse_module("op toy.op(x: i8, w: i8, z: i8[]) -> y: i32\nstructure convolution.onnx(x, w, pad = z)\ny = sum(x * w)\n", "toy.op", "toy.md");
  ASSERT_TRUE(module);
  const std::vector<Mutant> all = mutants(*module, formulas_of(*module));
  const auto pad = std::ranges::find(all, std::string("pad"), &Mutant::rule);
  ASSERT_NE(pad, all.end());
  EXPECT_NE(print(changed(*module, *pad)).find("pad = 0"), std::string::npos);
}

TEST(Mutants, AnAlternativeBecomesItsNeighbour) {
  Result<Module> module =
      parse_module("choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v)\nop toy.op(x: f32) -> y: i8\nstructure elementwise(x)\ny = sat.y(tie(x))\n",
                   "toy.op", "toy.md");
  ASSERT_TRUE(module);
  MutableFormulas formulas = formulas_of(*module);
  formulas.taken.push_back({&module->choices[0], &module->choices[0].alternatives[1], {"up"}});
  std::string all;
  for (const Mutant& mutant : mutants(*module, formulas))
    if (mutant.rule == "another alternative of tie")
      all += mutant.before + " -> " + mutant.after + " : " + print(*changed(*module, mutant).choices[0].alternatives[1].body.value) + "\n";
  EXPECT_EQ(all, "rna(v) -> rne(v) : rne(v)\n") << "`up` is right as well";
}

TEST(Mutants, EachIsWrittenOut) {
  const Module module = parsed_formulas("y = each.f32(rne(x * s) + (if z > 0 then z / 3 else sqrt(s)))\n");
  EXPECT_EQ(print(*std::get<Let>(module.ops[0].statements.back()).body.value),
            "f32(rne(f32(f32(x) * f32(s))) + (if z > 0 then f32(f32(z) / f32(3)) else f32(sqrt(f32(s)))))");
}

TEST(Mutants, TheOriginalStaysAsItIs) {
  const Module module = parsed_formulas("y = sat.y(rne(x / s) + z)\n");
  const std::string before = print(module);
  for (const Mutant& mutant : mutants(module, formulas_of(module)))  // a misreading changes calls, not the module
    EXPECT_EQ(print(changed(module, mutant)) == before, mutant.misreading.has_value()) << mutant.rule;
  EXPECT_EQ(print(module), before);
}

}  // namespace
}  // namespace tiebreak::notation
