// SPDX-License-Identifier: Apache-2.0
// Every production of an expression, how tightly it binds, and the least parentheses that say the same. The shape of a tree is
// written as a prefix form, so that a wrong binding cannot hide behind the printer.
#include <gtest/gtest.h>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/same_tree.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

std::string shape(const Expr& expression) {
  if (expression.kind == ExprKind::number || expression.kind == ExprKind::name || expression.kind == ExprKind::constant) return expression.text;
  std::string text;
  switch (expression.kind) {
    case ExprKind::string: return "'" + expression.text + "'";
    case ExprKind::call: text = "call " + expression.text; break;
    case ExprKind::conditional: text = "if"; break;
    case ExprKind::item: text = "item"; break;
    case ExprKind::tuple: text = "tuple"; break;
    case ExprKind::list: text = "list"; break;
    case ExprKind::data: text = "data " + expression.text; break;
    case ExprKind::is: text = "is " + expression.text; break;
    default: text = expression.text; break;
  }
  for (const Modifier& modifier : expression.modifiers) {
    text += " [" + modifier.name;
    for (const ExprPtr& argument : modifier.args) text += " " + shape(*argument);
    text += "]";
  }
  for (const ExprPtr& part : expression.args) text += " " + shape(*part);
  return "(" + text + ")";
}

struct Reading {
  const char* text;
  const char* tree;
  const char* printed = nullptr;  ///< text where null
};

void expect_reading(const Reading& reading) {
  const testing::ScopedTrace trace(__FILE__, __LINE__, reading.text);
  const Result<ExprPtr> parsed = parse_expression(reading.text, "test");
  ASSERT_TRUE(parsed.has_value()) << to_text(parsed.error());
  EXPECT_EQ(shape(**parsed), reading.tree);
  const std::string printed = print(**parsed);
  EXPECT_EQ(printed, reading.printed != nullptr ? reading.printed : reading.text);
  const Result<ExprPtr> again = parse_expression(printed, "test");
  ASSERT_TRUE(again.has_value()) << printed;
  EXPECT_TRUE(same_tree(**parsed, **again)) << printed;
}

TEST(Expressions, Atoms) {
  for (const Reading& reading : {Reading{"12", "12"},
                                 Reading{"0.1", "0.1"},
                                 Reading{"1e-6", "1e-6"},
                                 Reading{"0x7FFF", "0x7FFF"},
                                 Reading{"0x1.8p-3", "0x1.8p-3"},
                                 Reading{"\"NOTSET\"", "'NOTSET'"},
                                 Reading{"x", "x"},
                                 Reading{"x.zero_point", "x.zero_point"},
                                 Reading{"true", "true"},
                                 Reading{"undefined", "undefined"},
                                 Reading{"count", "count"},
                                 Reading{"(x)", "x", "x"},
                                 Reading{"(a, b)", "(tuple a b)"},
                                 Reading{"(a, b, c)", "(tuple a b c)"},
                                 Reading{"[-3, -1, 1]", "(list (- 3) (- 1) 1)"},
                                 Reading{"[]", "(list)"},
                                 Reading{"data \"exp.json\"", "(data exp.json)"},
                                 Reading{"data", "data"},
                                 Reading{"f()", "(call f)"},
                                 Reading{"sat.i8(v)", "(call sat.i8 v)"},
                                 Reading{"rtz.bf16(v)", "(call rtz.bf16 v)"},
                                 Reading{"sat.rtz.f8e4m3fn(v)", "(call sat.rtz.f8e4m3fn v)"},
                                 Reading{"each.f32(a * b)", "(call each.f32 (* a b))"},
                                 Reading{"any.y(a, b)", "(call any.y a b)"},
                                 Reading{"quant.fixed.double(v, m, e)", "(call quant.fixed.double v m e)"},
                                 Reading{"t[i]", "(item t i)"},
                                 Reading{"t[i + 1][j]", "(item (item t (+ i 1)) j)"},
                                 Reading{"f(x)[0]", "(item (call f x) 0)"}})
    expect_reading(reading);
}

TEST(Expressions, Precedence) {
  for (const Reading& reading : {Reading{"a + b * c", "(+ a (* b c))"},
                                 Reading{"(a + b) * c", "(* (+ a b) c)"},
                                 Reading{"a - b - c", "(- (- a b) c)"},
                                 Reading{"a - (b - c)", "(- a (- b c))"},
                                 Reading{"a / b * c", "(* (/ a b) c)"},
                                 Reading{"a / (b * c)", "(/ a (* b c))"},
                                 Reading{"(a - b) - c", "(- (- a b) c)", "a - b - c"},
                                 Reading{"-a^2", "(- (^ a 2))"},
                                 Reading{"(-a)^2", "(^ (- a) 2)"},
                                 Reading{"2^-k", "(^ 2 (- k))"},
                                 Reading{"2^3^4", "(^ 2 (^ 3 4))"},
                                 Reading{"(2^3)^4", "(^ (^ 2 3) 4)"},
                                 Reading{"2^-k^2", "(^ 2 (- (^ k 2)))"},
                                 Reading{"2^(a + b)", "(^ 2 (+ a b))"},
                                 Reading{"a^b[i]", "(^ a (item b i))"},
                                 Reading{"a * -b", "(* a (- b))"},
                                 Reading{"--a", "(- (- a))"},
                                 Reading{"a - -b", "(- a (- b))"},
                                 Reading{"-(a * b)", "(- (* a b))"},
                                 Reading{"-a * b", "(* (- a) b)"},
                                 Reading{"a<-b", "(< a (- b))", "a < -b"},
                                 Reading{"a + b == c * d", "(== (+ a b) (* c d))"},
                                 Reading{"(a == b) == (c == d)", "(== (== a b) (== c d))"},
                                 Reading{"a in [b, c]", "(in a (list b c))"},
                                 Reading{"x is quant", "(is quant x)"},
                                 Reading{"(x is quant) == (y is quant)", "(== (is quant x) (is quant y))"},
                                 Reading{"not a == b", "(not (== a b))"},
                                 Reading{"not not a", "(not (not a))"},
                                 Reading{"(not a) == b", "(== (not a) b)"},
                                 Reading{"a or b and c", "(or a (and b c))"},
                                 Reading{"(a or b) and c", "(and (or a b) c)"},
                                 Reading{"not a and b or c", "(or (and (not a) b) c)"},
                                 Reading{"not (a or b)", "(not (or a b))"},
                                 Reading{"a <= b and b != c", "(and (<= a b) (!= b c))"},
                                 Reading{"a or (b or c)", "(or a (or b c))"}})
    expect_reading(reading);
}

TEST(Expressions, Conditionals) {
  for (const Reading& reading : {Reading{"if a then b else c", "(if a b c)"}, Reading{"if a then b else if c then d else e", "(if a b (if c d e))"},
                                 Reading{"if a then if b then c else d else e", "(if a (if b c d) e)"}, Reading{"(if a then b else c) + d", "(+ (if a b c) d)"},
                                 Reading{"if a then b else c + d", "(if a b (+ c d))"}, Reading{"f(if a then b else c)", "(call f (if a b c))"},
                                 Reading{"if if a then b else c then d else e", "(if (if a b c) d e)"}, Reading{"-(if a then b else c)", "(- (if a b c))"}})
    expect_reading(reading);
}

TEST(Expressions, Aggregates) {
  for (const Reading& reading :
       {Reading{"sum(x * w)", "(sum (* x w))"}, Reading{"product(x)", "(product x)"}, Reading{"min(x)", "(min x)"},
        Reading{"max[whole](abs(x))", "(max [whole] (call abs x))"}, Reading{"min(a, b)", "(call min a b)"}, Reading{"max(a, b, c)", "(call max a b c)"},
        Reading{"sum[f32](x)", "(sum [f32] x)"}, Reading{"sum[sat.i14](x)", "(sum [sat.i14] x)"}, Reading{"sum[f32, pairwise](x)", "(sum [f32] [pairwise] x)"},
        Reading{"sum[blocks(2, feature)](x)", "(sum [blocks 2 feature] x)"},
        Reading{"sum[order(feature, spatial), f32](x)", "(sum [order feature spatial] [f32] x)"},
        Reading{"fold[body, any](x, start)", "(fold [body] [any] x start)"}, Reading{"fold[fixed.next](x)", "(fold [fixed.next] x)"},
        Reading{"min[any](x)", "(min [any] x)"}})
    expect_reading(reading);
}

TEST(Expressions, KindsAreTold) {
  const auto kind = [](const char* text) { return (*parse_expression(text, "test"))->kind; };
  EXPECT_EQ(kind("min(a)"), ExprKind::aggregate);
  EXPECT_EQ(kind("min(a, b)"), ExprKind::call);
  EXPECT_EQ(kind("index"), ExprKind::constant);
  EXPECT_EQ(kind("x.count"), ExprKind::name);
  EXPECT_EQ(kind("-1"), ExprKind::unary);
}

TEST(Expressions, NumbersAreExact) {
  const auto value = [](const char* text) { return (*parse_expression(text, "test"))->value; };
  EXPECT_EQ(value("0.1") * Real(10), Real(1));
  EXPECT_EQ(value("1e-6") * Real(1000000), Real(1));
  EXPECT_EQ(value("0x7FFF"), Real(32767));
  EXPECT_EQ(value("0x1.8p-3"), Real(3) / Real(16));
  EXPECT_EQ(value("340282346638528859811704183484516925440"), Real::dyadic(0xffffff, 104));
}

TEST(Expressions, IntegerLiteralsHaveNoPoint) {
  const auto integer = [](const char* text) { return is_integer_literal(**parse_expression(text, "test")); };
  EXPECT_TRUE(integer("12"));
  EXPECT_TRUE(integer("0x10"));
  EXPECT_TRUE(integer("1e3"));
  EXPECT_FALSE(integer("12.0"));
  EXPECT_FALSE(integer("1e-6"));
}

TEST(Expressions, NumbersWithoutTextArePrintedExactly) {
  Expr number;
  number.value = Real(-3) / Real(7);
  EXPECT_EQ(print(number), "(-3/7)");
  number.value = Real(-5);
  EXPECT_EQ(print(number), "-5");
  Expr power;
  power.kind = ExprKind::binary;
  power.text = "^";
  power.args = {std::make_shared<const Expr>(number), std::make_shared<const Expr>(number)};
  EXPECT_EQ(print(power), "(-5)^-5");
}

}  // namespace
}  // namespace tiebreak::notation
