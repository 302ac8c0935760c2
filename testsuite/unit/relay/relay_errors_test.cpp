// SPDX-License-Identifier: Apache-2.0
// Bad Relay texts: one clear error each, with its line and column, and no crash on hostile ones.
#include <gtest/gtest.h>

#include "interpreter/relay/relay.hpp"

namespace tiebreak {
namespace {

struct Bad {
  const char* name;
  std::string text;
  Errc code;
  const char* where;
  const char* what;  ///< start of the message
};

std::string in_function(const std::string& body) { return "fn (%x: Tensor[(2), int8]) {\n" + body + "}"; }

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Functions that each call the one before twice.
std::string doubling() {
  std::string text = "let %f0 = fn (%a) { add(%a, %a) };\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "%f" + std::to_string(i - 1);
    text += "let %f" + std::to_string(i) + " = fn (%a) { " + before + "(" + before + "(%a)) };\n";
  }
  return in_function(text + "%f39(%x)");
}

const std::vector<Bad>& bad() {
  static const std::vector<Bad> all{
      {"Empty", " // nothing\n", Errc::syntax, "t.relay:2:1", "expected an expression, found the end of the text"},
      {"Truncated", "fn (%x: int8) { add(%x,", Errc::syntax, "t.relay:1:15", "no closing '}' for this '{'"},
      {"TruncatedParameters", "def @main(%x", Errc::syntax, "t.relay:1:10", "no closing ')' for this '('"},
      {"TruncatedExpression", "free_var %x: int8;\nadd(%x,", Errc::syntax, "t.relay:2:8", "expected an expression, found the end of the text"},
      {"OpenComment", "fn () { /* a /* b */ 1 }", Errc::syntax, "t.relay:1:9", "this comment does not end"},
      {"OpenString", in_function("cast(%x, dtype=\"int8)"), Errc::syntax, "t.relay:2:16", "this string does not end"},
      {"Character", in_function("add(%x, $)"), Errc::syntax, "t.relay:2:9", "a character that Relay does not have"},
      {"Unknown", in_function("add(%x, %z)"), Errc::unknown_name, "t.relay:2:9", "%z is not defined here"},
      {"OutOfScope", in_function("let %f = fn (%a) { let %b = %a; %b };\nadd(%f(%x), %b)"), Errc::unknown_name, "t.relay:3:13", "%b is not defined here"},
      {"ReadsItself", in_function("%0 = add(%0, %x);\n%0"), Errc::unknown_name, "t.relay:2:10", "%0 is not defined here"},
      {"Twice", in_function("%0 = add(%x, %x);\n%0 = add(%x, %x);\n%0"), Errc::syntax, "t.relay:3:1", "%0 is defined twice"},
      {"ParameterTwice", "fn (%x: int8, %x: int8) { %x }", Errc::syntax, "t.relay:1:15", "%x is defined twice"},
      {"FunctionTwice", "def @f() { 1 }\ndef @f() { 1 }", Errc::syntax, "t.relay:2:5", "@f is defined twice"},
      {"NoFunction", in_function("@g(%x)"), Errc::unknown_name, "t.relay:2:1", "the text has no function @g"},
      {"Cycle", "def @f(%x: int8) { @g(%x) }\ndef @g(%x: int8) { @f(%x) }", Errc::unsupported, "t.relay:2:20", "a function that calls itself"},
      {"TooFew", in_function("let %f = fn (%a, %b) { %a };\n%f(%x)"), Errc::type, "t.relay:3:1", "too few arguments: %b is not given"},
      {"TooMany", in_function("let %f = fn (%a) { %a };\n%f(%x, %x)"), Errc::type, "t.relay:3:1", "the function takes 1 arguments and is given 2"},
      {"ArgumentType", in_function("let %f = fn (%a: int8) { %a };\n%f(%x)"), Errc::type, "t.relay:2:14",
       "this is tensor<2xi8> where its type is stated as tensor<i8>"},
      {"StatedType", in_function("%0 = %x /* ty=Tensor[(3), int8] */;\n%0"), Errc::type, "t.relay:2:6",
       "this is tensor<2xi8> where its type is stated as tensor<3xi8>"},
      {"StatedLiteral", in_function("add(%x, 1f /* ty=int8 */)"), Errc::type, "t.relay:2:9", "this is tensor<f32> where its type is stated as tensor<i8>"},
      {"StatedTuple", in_function("(%x, %x) /* ty=(int8,) */"), Errc::type, "t.relay:2:1", "this is a tuple where its type is stated as that of a tuple"},
      {"ResultType", "fn (%x: int8) -> int16 { %x }", Errc::type, "t.relay:1:15", "this is tensor<i8> where its type is stated as tensor<i16>"},
      {"Member", in_function("%0 = (%x, %x);\n%0.2"), Errc::type, "t.relay:3:1", "a tuple of 2 has no member 2"},
      {"NoTuple", in_function("%x.0"), Errc::type, "t.relay:2:1", "this is no tuple and has no members"},
      {"Members", in_function("%0 = split(%x);\n%0.99999"), Errc::limit, "t.relay:3:1", "an operator has at most 4096 results"},
      {"Called", in_function("%x(%x)"), Errc::type, "t.relay:2:3", "only operators and functions can be called"},
      {"Uneven", in_function("qnn.concatenate((%x, %x), (1f,), 1f)"), Errc::type, "t.relay:2:1", "the tuples of this call are not of one length"},
      {"Nested", in_function("concatenate(((%x, %x), %x))"), Errc::unsupported, "t.relay:2:1", "a tuple within a tuple as an operand"},
      {"AttributeTwice", in_function("mean(%x, axis=[0], axis=[0])"), Errc::syntax, "t.relay:2:20", "the attribute 'axis' stands twice"},
      {"AttributeWord", in_function("mean(%x, axis=all)"), Errc::unsupported, "t.relay:2:15", "the value 'all' of the attribute 'axis'"},
      {"DataType", in_function("cast(%x, dtype=\"int8x4\")"), Errc::unsupported, "t.relay:2:16", "the data type \"int8x4\" is not supported"},
      {"Suffix", in_function("add(%x, 1.5)"), Errc::syntax, "t.relay:2:9", "the number '1.5' has no suffix that Relay knows"},
      {"Unsigned", in_function("add(%x, 1u8)"), Errc::syntax, "t.relay:2:9", "the number '1u8' has no suffix that Relay knows"},
      {"Range", in_function("add(%x, 128i8)"), Errc::type, "t.relay:2:9", "128 is not a value of i8"},
      {"Huge", "fn (%x: Tensor[(99999, 99999), int8]) { %x }", Errc::limit, "t.relay:1:15", ""},
      {"HugeExtent", "fn (%x: Tensor[(99999999999999999999), int8]) { %x }", Errc::limit, "t.relay:1:17", "the extent 99999999999999999999 is too large"},
      {"NegativeExtent", "fn (%x: Tensor[(-1), int8]) { %x }", Errc::syntax, "t.relay:1:17", "expected an extent"},
      {"Element", "fn (%x: Tensor[(1), i8]) { %x }", Errc::unsupported, "t.relay:1:21", "'i8' is no type of Relay"},
      {"Infix", in_function("%x + %x"), Errc::unsupported, "t.relay:2:4", "operators between operands are not supported"},
      {"If", in_function("if (True) { %x } else { %x }"), Errc::unsupported, "t.relay:2:1", "'if' in an expression is not supported"},
      {"TypeParameters", "def @id[A](%x: A) -> A { %x }", Errc::unsupported, "t.relay:1:8", "functions with type parameters"},
      {"TypeDefinition", "def @f() { 1 }\ntype List[A] { Nil }", Errc::unsupported, "t.relay:2:1", "'type' is not supported"},
      {"GivesFunction", in_function("fn (%a) { %a }"), Errc::unsupported, "t.relay:1:28", "a function that gives a function"},
      {"Behind", in_function("%x") + " add", Errc::syntax, "t.relay:2:5", "unexpected 'add' at the end of a program"},
      {"Version", "#[verzion = \"0\"]", Errc::syntax, "t.relay:1:3", "expected 'version'"},
      {"DeepExpression", in_function(repeated("(", 300) + "%x" + repeated(")", 300)), Errc::limit, "t.relay:2:200", "expressions nested deeper than 200"},
      {"DeepType", "fn (%x: " + repeated("(", 300), Errc::syntax, "t.relay:1:4", "no closing"},
      {"DeepStatedType", in_function("%x /* ty=" + repeated("(", 300) + " */"), Errc::limit, "t.relay:2:208", "types nested deeper than 200"},
      {"DeepAttribute", in_function("f(%x, a=" + repeated("[", 300) + ")"), Errc::limit, "t.relay:2:207", "attributes nested deeper than 200"},
      {"DeepComment", repeated("/*", 300), Errc::limit, "t.relay:1:1", "comments nested deeper than 200"},
      {"Doubling", doubling(), Errc::limit, "t.relay:2:29", "this text makes more than 262144 operations"},
      {"ValueOfNothing", in_function("add(%x, %x)") + "\n// %z: 1\n", Errc::syntax, "t.relay:3", "a comment gives a value for %z"},
  };
  return all;
}

class RelayErrors : public testing::TestWithParam<Bad> {};

TEST_P(RelayErrors, OneErrorWithItsPlace) {
  const Bad& bad = GetParam();
  const auto parsed = parse_relay(bad.text, "t.relay");
  ASSERT_FALSE(parsed) << bad.text;
  EXPECT_EQ(parsed.error().code, bad.code) << to_text(parsed.error());
  EXPECT_EQ(parsed.error().where, bad.where) << to_text(parsed.error());
  EXPECT_EQ(parsed.error().what.substr(0, std::string(bad.what).size()), bad.what);
}

INSTANTIATE_TEST_SUITE_P(All, RelayErrors, testing::ValuesIn(bad()), [](const auto& each) { return each.param.name; });

/// A function that cannot be read does not keep the others from being read.
TEST(RelayFunctions, AreReadOneByOne) {
  const auto functions = parse_relay_functions("def @a(%x: int8) { add(%x, %y) }\ndef @b(%x: int8) { %x }", "t.relay");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_FALSE(functions[0].program);
  EXPECT_EQ(functions[0].where, "t.relay:1:5");
  EXPECT_EQ(functions[0].program.error().where, "t.relay:1:28");
  EXPECT_TRUE(functions[1].program);
}

}  // namespace
}  // namespace tiebreak
