// SPDX-License-Identifier: Apache-2.0
// N02: every message says what was read and what was expected, with its line and column. Hostile texts end in an error, not in a crash.
#include <gtest/gtest.h>

#include "interpreter/notation/notation.hpp"

namespace tiebreak::notation {
namespace {

struct Fault {
  const char* text;
  const char* what;
  const char* where;
  const char* hint = "";
};

void expect_fault(const Fault& fault) {
  const testing::ScopedTrace trace(__FILE__, __LINE__, fault.text);
  const Result<Module> module = parse_module(fault.text, "a.b", "p.md");
  ASSERT_FALSE(module.has_value());
  EXPECT_EQ(module.error().what, std::string("N02 ") + fault.what);
  EXPECT_EQ(module.error().where, fault.where);
  EXPECT_EQ(module.error().hint, fault.hint);
}

TEST(SyntaxErrors, Words) {
  for (const Fault& fault :
       {Fault{"def a = 2x\n", "'2x' is not a number", "p.md:1:9", "numbers are 12, 0.1, 1e-6, 0x7FFF, 0x1.8p-3; a product is written with '*'"},
        Fault{"def a = 0x\n", "'0x' is not a number", "p.md:1:9", "numbers are 12, 0.1, 1e-6, 0x7FFF, 0x1.8p-3; a product is written with '*'"},
        Fault{"def a = 1e\n", "'1e' is not a number", "p.md:1:9", "numbers are 12, 0.1, 1e-6, 0x7FFF, 0x1.8p-3; a product is written with '*'"},
        Fault{"def a = .5\n", "a number that begins with '.'", "p.md:1:9", "write the 0 before the point"},
        Fault{"def a =\t1\n", "a tab", "p.md:1:8", "indent with spaces"},
        Fault{"def a = \xc3\xa9\n", "a character that is not ASCII", "p.md:1:9", "formulas are ASCII; prose goes outside the block"},
        Fault{"def a = !b\n", "unknown character '!'", "p.md:1:9", "write 'not', or '!=' for a comparison"},
        Fault{"def a = b & c\n", "unknown character '&'", "p.md:1:11"}, Fault{"def a = \x01\n", "unknown character 0x01", "p.md:1:9"},
        Fault{"def a = \"b\n", "a string that is not closed on its line", "p.md:1:9"}})
    expect_fault(fault);
}

TEST(SyntaxErrors, Brackets) {
  for (const Fault& fault :
       {Fault{"def a = (1\ndef b = 2\n", "'(' is never closed", "p.md:1:9"}, Fault{"def a = (1", "'(' is never closed", "p.md:1:9"},
        Fault{"def a = 1)\n", "')' closes nothing", "p.md:1:10"}, Fault{"def a = (1]\n", "']' cannot close '(' of line 1, column 9", "p.md:1:11"}})
    expect_fault(fault);
}

TEST(SyntaxErrors, Statements) {
  for (const Fault& fault :
       {Fault{"chioce a: b = 1\n", "expected a statement, read 'chioce'", "p.md:1:1", "did you mean 'choice'?"},
        Fault{"format f = float(exponent 8)\n", "expected a statement, read 'format'", "p.md:1:1", "formats are built in; a page does not define them"},
        Fault{"y = 1\n", "expected 'op' or a definition of the page, read 'y'", "p.md:1:1",
              "a module has use, def, choice, alternative and claim; a formula belongs below an 'op' line"},
        Fault{"op a.b(x) -> y\nuse q\n", "expected a statement of an op, read 'use'", "p.md:2:1", "'use' belongs above the first op of the page"},
        Fault{"op a.b(x) -> y\n  y = x\n", "expected the end of the statement, read 'y'", "p.md:2:3",
              "a line that is indented deeper continues the statement above it"},
        Fault{"op a.b(x) -> y\ny = x z\n", "expected the end of the statement, read 'z'", "p.md:2:7"},
        Fault{"op a.b(x) y\n", "expected '->', read 'y'", "p.md:1:11"}, Fault{"op a.b(x: ) -> y\n", "expected a type, read ')'", "p.md:1:11"},
        Fault{"op a.b(x: quant(S:E) | quant(S:E)) -> y\n", "a second 'quant(...)' for 'x'", "p.md:1:24", "declare a type variable: types S: i8 u8"},
        Fault{"op a.b(x[3]) -> y\n", "expected an index or '*', read '3'", "p.md:1:10"},
        Fault{"def if = 1\n", "'if' is a word of the notation and cannot be the name of a definition", "p.md:1:5"},
        Fault{"def a.b = 1\n", "expected the name of a definition without a dot, read 'a.b'", "p.md:1:5"},
        Fault{"def a = 1 where b\n", "expected '=', read the end of the statement", "p.md:1:18"},
        Fault{"choice a = 1\n", "expected ':', read '='", "p.md:1:10"}, Fault{"def a(b = 1\n", "'(' is never closed", "p.md:1:6"},
        Fault{"def a(b c) = 1\n", "expected ',' or ')', read 'c'", "p.md:1:9"}, Fault{"claim c(a): true\n", "expected ':', read ')'", "p.md:1:10"}})
    expect_fault(fault);
}

TEST(SyntaxErrors, Expressions) {
  for (const Fault& fault :
       {Fault{"def a = \n", "expected an expression, read the end of the statement", "p.md:1:8"},
        Fault{"def a = +1\n", "expected an expression, read '+'", "p.md:1:9", "there is no unary '+'"},
        Fault{"def a = b < c < d\n", "comparisons do not chain, read a second '<'", "p.md:1:15", "write a < b and b < c"},
        Fault{"def a = b == c is int\n", "comparisons do not chain, read a second 'is'", "p.md:1:16", "write a < b and b < c"},
        Fault{"def a = 1 + if b then c else d\n", "expected an expression, read 'if'", "p.md:1:13", "put the 'if' into parentheses"},
        Fault{"def a = if b then c\n", "expected 'else', read the end of the statement", "p.md:1:20"},
        Fault{"def a = f(b c)\n", "expected ',' or ')', read 'c'", "p.md:1:13"}, Fault{"def a = ()\n", "expected an expression, read ')'", "p.md:1:10"},
        Fault{"def a = sum(b, c)\n", "'sum' takes one expression, 2 were given", "p.md:1:9"},
        Fault{"def a = fold[f](b, c, d)\n", "'fold' takes an expression and a start, 3 were given", "p.md:1:9"},
        Fault{"def a = min + 1\n", "expected '(', read '+'", "p.md:1:13"}, Fault{"def a = sum[f32 b](c)\n", "expected ',' or ']', read 'b'", "p.md:1:17"},
        Fault{"def a = b then c\n", "expected the end of the statement, read 'then'", "p.md:1:11"},
        Fault{"def a = 1.5.x\n", "expected the end of the statement, read '.'", "p.md:1:12"},
        Fault{"def a = b is 3\n", "expected a kind (int, float, quant ...) after 'is', read '3'", "p.md:1:14"}})
    expect_fault(fault);
}

std::string repeated(const std::string& text, int times) {
  std::string whole;
  for (int i = 0; i < times; ++i) whole += text;
  return whole;
}

void expect_limit(const std::string& text, const std::string& what) {
  const Result<ExprPtr> parsed = parse_expression(text, "t");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().code, Errc::limit);
  EXPECT_EQ(parsed.error().what, what);
}

TEST(HostileTexts, NestingIsLimited) {
  EXPECT_TRUE(parse_expression(repeated("(", 199) + "1" + repeated(")", 199), "t").has_value());
  const std::string what = "N02 more than 200 levels of nesting";
  expect_limit(repeated("(", 200) + "1" + repeated(")", 200), what);
  expect_limit(repeated("(", 100000) + "1" + repeated(")", 100000), what);
  expect_limit(repeated("-", 100000) + "1", what);
  expect_limit(repeated("not ", 100000) + "a", what);
  expect_limit(repeated("2^", 100000) + "1", what);
  expect_limit(repeated("if a then b else ", 50000) + "c", what);
  expect_limit(repeated("f(", 100000) + "1" + repeated(")", 100000), what);
  expect_limit(repeated("a[", 100000) + "1" + repeated("]", 100000), what);
}

TEST(HostileTexts, ChainsAreLimited) {
  EXPECT_TRUE(parse_expression("a" + repeated(" + a", 999), "t").has_value());
  for (const char* more : {" + a", " * a", " and a", " or a", "[0]"}) {
    const Result<ExprPtr> parsed = parse_expression("a" + repeated(more, 100000), "t");
    ASSERT_FALSE(parsed.has_value()) << more;
    EXPECT_EQ(parsed.error().code, Errc::limit) << more;
  }
}

TEST(HostileTexts, LongListsAreRead) {
  const Result<ExprPtr> parsed = parse_expression("[0" + repeated(", 1", 50000) + "]", "t");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ((*parsed)->args.size(), 50001u);
}

TEST(HostileTexts, SizesAreLimited) {
  const Result<Module> module = parse_module(repeated("# comment\n", 110000), "m", "f");
  ASSERT_FALSE(module.has_value());
  EXPECT_EQ(module.error().code, Errc::limit);
  EXPECT_FALSE(parse_expression(repeated("9", 5000), "t").has_value());
  EXPECT_FALSE(parse_expression("1e999999999", "t").has_value());
}

TEST(HostileTexts, EveryPrefixOfAPageEndsInAnAnswer) {
  const std::string text =
      "use a.b as c(d = e)\ndef f(v) = if v < 0 then -v else v^2 where k = 1\nop a.b(x: quant(S:E)?[axis by 2] = 0) {k = \"s\"} region r "
      "-> y: T\n"
      "types T: f32\nq <- a.c(x)\ny = sum[f32, blocks(2)](x[0] * (1, 2)) + data \"f\"\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Result<Module> module = parse_module(text.substr(0, length), "m", "f");
    EXPECT_TRUE(module.has_value() || module.error().what.starts_with("N02 ")) << length;
  }
}

}  // namespace
}  // namespace tiebreak::notation
