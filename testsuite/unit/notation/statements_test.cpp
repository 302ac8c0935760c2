// SPDX-License-Identifier: Apache-2.0
// Every statement: what of it lands where in the tree; which lines continue a statement; what belongs to the module and what to an op.
#include <gtest/gtest.h>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/same_tree.hpp"

namespace tiebreak::notation {
namespace {

Module parsed(const std::string& text) {
  Result<Module> module = parse_module(text, "family.page", "page.md");
  EXPECT_TRUE(module.has_value()) << to_text(module.error());
  return module ? *std::move(module) : Module{};
}

/// The statement of an op that has no other.
template <class T>
T statement(const std::string& text) {
  const Module module = parsed("op a.b(x) -> y\n" + text + "\n");
  if (module.ops.size() != 1 || module.ops[0].statements.size() != 1) {
    ADD_FAILURE() << "not one statement: " << text;
    return {};
  }
  const T* found = std::get_if<T>(&module.ops[0].statements[0]);
  EXPECT_NE(found, nullptr) << text;
  return found != nullptr ? *found : T{};
}

TEST(Statements, Use) {
  const Module module = parsed("use quant.fixed, quant.requantize as inner(tie = away, carrier = f32)\nuse base\n");
  ASSERT_EQ(module.uses.size(), 3u);
  EXPECT_EQ(module.uses[0].module, "quant.fixed");
  EXPECT_EQ(module.uses[0].alias, "fixed");
  EXPECT_EQ(module.uses[1].alias, "inner");
  const std::vector<std::pair<std::string, std::string>> readings{{"tie", "away"}, {"carrier", "f32"}};
  EXPECT_EQ(module.uses[1].readings, readings);
  EXPECT_EQ(module.uses[2].alias, "base");
}

TEST(Statements, Definition) {
  const Module module = parsed("def third = 1 / 3\ndef m(v, n) = if v == 0 then (0, 0) else (p, e + 1) where e = exponent(v); (p, q) = f(n)\n");
  ASSERT_EQ(module.definitions.size(), 2u);
  EXPECT_TRUE(module.definitions[0].parameters.empty());
  const Definition& m = module.definitions[1];
  EXPECT_EQ(m.parameters, (std::vector<std::string>{"v", "n"}));
  ASSERT_EQ(m.body.where.size(), 2u);
  EXPECT_EQ(m.body.where[1].targets, (std::vector<std::string>{"p", "q"}));
}

TEST(Statements, Choice) {
  const auto choice = statement<Choice>("choice tie(v): even = rne(v) | floor = floor(v)\n  | none = k where k = v");
  EXPECT_EQ(choice.name, "tie");
  EXPECT_EQ(choice.parameters, std::vector<std::string>{"v"});
  ASSERT_EQ(choice.alternatives.size(), 3u);
  EXPECT_EQ(choice.alternatives[2].name, "none");
  EXPECT_EQ(choice.alternatives[2].body.where.size(), 1u);
}

TEST(Statements, AlternativesOfAnotherPagesChoice) {
  const std::string text = "alternative quant.fixed/tie: zero = rtz(v) | down = floor(w) where w = v\n";
  const Module module = parsed(text + "def alternative = 1\n");
  ASSERT_EQ(module.additions.size(), 1u);
  const Addition& addition = module.additions[0];
  EXPECT_EQ(addition.key, "quant.fixed/tie");
  EXPECT_EQ(addition.at.column, 13);
  ASSERT_EQ(addition.alternatives.size(), 2u);
  EXPECT_EQ(addition.alternatives[1].name, "down");
  EXPECT_EQ(addition.alternatives[1].body.where.size(), 1u);
  EXPECT_EQ(print(module), "def alternative = 1\n" + text);
  EXPECT_TRUE(same_tree(module, parsed(print(module))));
  EXPECT_FALSE(same_tree(module, parsed("def alternative = 1\nalternative quant.fixed/tie: zero = rtz(v) | down = ceil(w) where w = v\n")));
  EXPECT_EQ(parse_module("alternative tie: zero = 1\n", "m", "p.md").error().what, "N02 expected '/', read ':'");
  EXPECT_EQ(parse_module("op a.b(x) -> y\nalternative a.c/tie: zero = 1\n", "m", "p.md").error().hint, "'alternative' belongs above the first op of the page");
}

TEST(Statements, Claim) {
  const Module module = parsed("claim rising(a: i32, b: int): a <= b\n");
  ASSERT_EQ(module.claims.size(), 1u);
  EXPECT_EQ(module.claims[0].parameters[1].second, "int");
}

TEST(Statements, Header) {
  const Module module = parsed(
      "op fam.op(x: quant(S:E)..., s: S[axis by 32, channel], t: i8[*], b: i32 | f32?[channel] = 0, z: f32[], n: int)\n"
      "      {axis = -1, kernel_shape, mode = \"A\"} region body, select -> y: quant(A:E)...[], w: f32\n");
  const Op& op = module.ops.at(0);
  EXPECT_EQ(op.path, "fam.op");
  ASSERT_EQ(op.operands.size(), 6u);
  EXPECT_TRUE(op.operands[0].variadic);
  EXPECT_EQ(op.operands[0].quantized, (std::pair<std::string, std::string>{"S", "E"}));
  ASSERT_EQ(op.operands[1].indices.size(), 2u);
  EXPECT_EQ(op.operands[1].indices[0].name, "axis");
  EXPECT_EQ(op.operands[1].indices[0].by->text, "32");
  EXPECT_EQ(op.operands[2].indices[0].name, "*");
  EXPECT_TRUE(op.operands[3].optional);
  EXPECT_EQ(op.operands[3].types, (std::vector<std::string>{"i32", "f32"}));
  EXPECT_EQ(op.operands[3].default_value->text, "0");
  EXPECT_TRUE(op.operands[4].indexed);
  EXPECT_TRUE(op.operands[4].indices.empty());
  EXPECT_FALSE(op.operands[5].indexed);
  ASSERT_EQ(op.attributes.size(), 3u);
  EXPECT_EQ(op.attributes[1].default_value, nullptr);
  EXPECT_EQ(op.attributes[2].default_value->kind, ExprKind::string);
  EXPECT_EQ(op.regions, (std::vector<std::string>{"body", "select"}));
  ASSERT_EQ(op.results.size(), 2u);
  EXPECT_TRUE(op.results[0].variadic && op.results[0].indexed);
}

TEST(Statements, Types) {
  const auto types = statement<TypeVariables>("types T: f32 f16; Q: int uint\n      ; Z: quant");
  ASSERT_EQ(types.variables.size(), 3u);
  EXPECT_EQ(types.variables[1].second, (std::vector<std::string>{"int", "uint"}));
  EXPECT_EQ(statement<TypeAlias>("type E = y.expressed").name, "E");
}

TEST(Statements, Structure) {
  EXPECT_TRUE(statement<Structure>("structure elementwise").arguments.empty());
  const auto structure = statement<Structure>("structure convolution.onnx(x, axis by 32, pad = x.zero_point + 1)");
  EXPECT_EQ(structure.path, "convolution.onnx");
  ASSERT_EQ(structure.arguments.size(), 3u);
  EXPECT_NE(structure.arguments[1].by, nullptr);
  EXPECT_EQ(structure.arguments[2].name, "pad");
  EXPECT_NE(structure.arguments[2].value, nullptr);
}

TEST(Statements, ConstraintsTakeAnyLabel) {
  EXPECT_EQ(statement<Constraint>("constraint type: x == 1").label, "type");
  EXPECT_FALSE(statement<Constraint>("constraint C15: x == 1").require);
  EXPECT_TRUE(statement<Constraint>("require shift: 2 <= x and x <= 62").require);
}

TEST(Statements, Stage) {
  const auto stage = statement<Stage>("q, s, z <- quant.dynamic_rows(x, x + 1) {axis = -1, mode = \"a\"}");
  EXPECT_EQ(stage.targets, (std::vector<std::string>{"q", "s", "z"}));
  EXPECT_EQ(stage.op, "quant.dynamic_rows");
  EXPECT_EQ(stage.args.size(), 2u);
  EXPECT_EQ(stage.attributes.at(1).first, "mode");
  EXPECT_EQ(statement<Stage>("q <- a.b()").args.size(), 0u);
}

TEST(Statements, Let) {
  EXPECT_EQ(statement<Let>("y = x").targets, std::vector<std::string>{"y"});
  const auto pair = statement<Let>("(m, e) = f(x) where k = 1");
  EXPECT_EQ(pair.targets, (std::vector<std::string>{"m", "e"}));
  EXPECT_EQ(pair.body.where.size(), 1u);
}

TEST(Statements, DeeperLinesAndOpenBracketsContinue) {
  const Module module = parsed(
      "op a.b(x,\n"
      "y) -> z          # the closing bracket may stand at the margin\n"
      "\n"
      "z = x +          # a comment\n"
      "\n"
      "  # a comment line does not end it\n"
      "    y\n"
      " + 1\n"
      "w = (x\n"
      "+ y)\n");
  ASSERT_EQ(module.ops.at(0).statements.size(), 2u);
  EXPECT_EQ(print(*std::get<Let>(module.ops[0].statements[0]).body.value), "x + y + 1");
  EXPECT_EQ(std::get<Let>(module.ops[0].statements[1]).body.value->at.line, 10);
}

TEST(Statements, IndentedBlocksAreReadByTheirOwnMargin) {
  const Module module = parsed("   def a = 1\n   def b =\n      2\n def c = 3\n");
  EXPECT_EQ(module.definitions.size(), 3u);
}

TEST(Statements, CarriageReturnsBeforeLineEndsAreBlank) { EXPECT_EQ(parsed("def a = 1\r\ndef b = 2\r\n").definitions.size(), 2u); }

TEST(Statements, WhatFollowsAnOpBelongsToIt) {
  const Module module =
      parsed("def a = 1\nchoice c: p = 1 | q = 2\nop f.a(x) -> y\ny = x\ndef d = 2\nop f.b(x) -> y\nchoice e: p = 1\nclaim g(v: i8): v == v\n");
  EXPECT_EQ(module.definitions.size(), 1u);
  EXPECT_EQ(module.choices.size(), 1u);
  EXPECT_TRUE(module.claims.empty());
  ASSERT_EQ(module.ops.size(), 2u);
  EXPECT_EQ(module.ops[0].statements.size(), 2u);
  EXPECT_EQ(module.ops[1].statements.size(), 2u);
}

TEST(Statements, KeepTheirPlaces) {
  const Module module = parsed("\n\nop a.b(x) -> y\ny = x +\n  foo(1)\n");
  EXPECT_EQ(module.ops[0].at.line, 3);
  EXPECT_EQ(module.ops[0].at.column, 4);
  const Expr& sum = *std::get<Let>(module.ops[0].statements[0]).body.value;
  EXPECT_EQ(sum.at.line, 4);
  EXPECT_EQ(sum.at.column, 7);
  EXPECT_EQ(sum.args[1]->at.line, 5);
  EXPECT_EQ(sum.args[1]->at.column, 3);
}

TEST(Statements, AreEmptyWhereThereIsNoText) {
  EXPECT_EQ(print(parsed("")), "");
  EXPECT_EQ(print(parsed("\n  # nothing\n")), "");
}

TEST(Statements, RoundTrip) {
  const std::string text =
      "use quant.fixed, quant.requantize as inner(tie = away)\ndef third = 1 / 3\nchoice tie(v): even = rne(v) | away = rna(v)\nclaim c(a: "
      "i8): a == a\n"
      "op a.b(x: quant(S:E)..., s: S[axis by 32], t: i8[*], b: f32?[] = 0) {axis = -1, shape} region body -> y: quant(S:E), z: T\n"
      "types S: i8 u8; E: f32\ntype D = if x is quant then x.expressed else f32\nstructure rows(x, axis by 32, pad = 1)\n"
      "constraint C1: x.bits <= y.bits\nrequire r: s > 0\nq, w <- a.c(x) {k = 1}\n(m, e) = (1, 2)\ny = sat.y(fold[body, any](x, b)) where "
      "k = 1; (p, q) = (2, 3)\n"
      "choice long_choice: first_alternative = each.f32(x * y * z) | second_alternative = each.f32(x * y / z) | third_alternative = "
      "each.f32(x / y / z)\n";
  const Module module = parsed(text);
  const std::string printed = print(module);
  EXPECT_NE(printed.find("choice long_choice:\n    first_alternative = "), std::string::npos) << printed;
  const Module again = parsed(printed);
  EXPECT_EQ(print(again), printed);
  EXPECT_TRUE(same_tree(module, again)) << printed;
  EXPECT_FALSE(same_tree(module, parsed("def third = 1 / 3\n")));
}

}  // namespace
}  // namespace tiebreak::notation
