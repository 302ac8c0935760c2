// SPDX-License-Identifier: Apache-2.0
// Bad texts: one clear error each, with its line and column, and no crash on hostile ones.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

struct Bad {
  const char* name;
  const char* text;
  Errc code;
  const char* where;
  const char* what;  ///< start of the message
};

const std::vector<Bad>& bad() {
  static const std::vector<Bad> all{
      {"Empty", "  // nothing\n", Errc::syntax, "t.mlir:2:1", "the text has no function and no operation"},
      {"UnknownWord", "add %0 : tensor<2xi8>", Errc::syntax, "t.mlir:1:1", "'add' is not an operation"},
      {"MissingType", "%1 = stablehlo.add %0, %0", Errc::syntax, "t.mlir:1:26", "expected ':' and the types of stablehlo.add, found the end of the text"},
      {"UndefinedInFunction", "func.func @f() {\n  %1 = stablehlo.abs %0 : tensor<i8>\n  return\n}", Errc::syntax, "t.mlir:2:22",
       "%0 is not defined before this use"},
      {"DefinedTwice", "%1 = stablehlo.abs %0 : tensor<i8>\n%1 = stablehlo.abs %0 : tensor<i8>", Errc::syntax, "t.mlir:2:1", "%1 is defined twice"},
      {"UsedBeforeDefinition", "%1 = stablehlo.abs %2 : tensor<i8>\n%2 = stablehlo.abs %1 : tensor<i8>", Errc::syntax, "t.mlir:2:1",
       "%2 is defined twice, or used before"},
      {"ReadsItself", "%1 = stablehlo.abs %1 : tensor<i8>", Errc::syntax, "t.mlir:1:1", "%1 is defined twice, or used before"},
      {"TypeMismatch", "%1 = stablehlo.abs %0 : tensor<i8>\n%2 = stablehlo.abs %1 : tensor<i16>", Errc::type, "t.mlir:2:20",
       "%1 has the type tensor<i8> but is used as tensor<i16>"},
      {"TooFewTypes", "%2 = \"stablehlo.add\"(%0, %1) : (tensor<i8>) -> tensor<i8>", Errc::type, "t.mlir:1:6",
       "stablehlo.add has 2 operands and 1 operand types"},
      {"TooManyResults", "%2, %3 = \"stablehlo.add\"(%0) : (tensor<i8>) -> tensor<i8>", Errc::type, "t.mlir:1:48",
       "stablehlo.add has 2 results and 1 result types"},
      {"PrettyTypes", "%2 = stablehlo.add %0, %1 : tensor<i8>, tensor<i8>", Errc::type, "t.mlir:1:29", "stablehlo.add has 2 operands and 2 types"},
      {"UnknownType", "%1 = stablehlo.abs %0 : tensor<2xi99>", Errc::syntax, "t.mlir:1:34", "unknown type 'i99'"},
      {"DynamicLiteral", "%0 = stablehlo.constant dense<0> : tensor<2x?xi8>", Errc::type, "t.mlir:1:31", "a dimension of the shape [2, ?] is not known"},
      {"Unranked", "%1 = stablehlo.abs %0 : tensor<*xi8>", Errc::unsupported, "t.mlir:1:32", "tensors without a rank are not supported"},
      {"Encoding", "%1 = stablehlo.abs %0 : tensor<?xi8, #stablehlo.bounds<3>>", Errc::unsupported, "t.mlir:1:36", "tensor encodings are not supported"},
      {"Tuple", "%1 = stablehlo.tuple %0 : tuple<tensor<i8>>", Errc::unsupported, "t.mlir:1:27", "the type 'tuple' is not supported"},
      {"GenericFunction", "\"func.func\"() ({\n}) : () -> ()", Errc::unsupported, "t.mlir:1:1", "func.func among operations is not supported"},
      {"Successors", "\"my.op\"()[^bb1] : () -> ()", Errc::unsupported, "t.mlir:1:10", "successors are not supported"},
      {"PrecisionFormat", "%1 = stablehlo.reduce_precision %0, format = m2e2 : tensor<f32>", Errc::syntax, "t.mlir:1:46", "a format is written as e8m7"},
      {"DenseResource", "%0 = stablehlo.constant dense_resource<a> : tensor<2xi8>", Errc::unsupported, "t.mlir:1:25",
       "the attribute 'dense_resource<...>' is not supported"},
      {"ArrowTypes", "%1 = chlo.erf %0 : tensor<i8>, tensor<i8> -> tensor<i8>", Errc::type, "t.mlir:1:20",
       "chlo.erf has 1 operands and 1 results, and other numbers of types"},
      {"Complex", "%1 = stablehlo.abs %0 : tensor<2xcomplex<f32>>", Errc::unsupported, "t.mlir:1:34", "the type 'complex' is not supported"},
      {"Token", "%1 = stablehlo.abs %0 : !stablehlo.token", Errc::unsupported, "t.mlir:1:25", "the type '!stablehlo.token' is not supported"},
      {"RegionWithoutReturn", "%1 = \"stablehlo.reduce\"(%0) ({\n}) : (tensor<i8>) -> tensor<i8>", Errc::syntax, "t.mlir:2:1",
       "a region ends with stablehlo.return"},
      {"OpenRegion", "\"my.op\"() ({\n stablehlo.return\n", Errc::syntax, "t.mlir:3:1", "expected '}' at the end of a region"},
      {"TwoBlocks", "\"my.op\"() ({\n^a:\n%1 = my.a %0 : tensor<i8>\n^b:\n}) : () -> ()", Errc::unsupported, "t.mlir:4:1", "a region with more than one block"},
      {"Block", "func.func @f() {\n^a:\n return }", Errc::unsupported, "t.mlir:2:1", "blocks are not supported"},
      {"RegionTwice", "func.func @f(%x: tensor<i8>) {\n\"my.op\"() ({\n^a(%y: tensor<i8>, %y: tensor<i8>):\n stablehlo.return }) : () -> ()\n return }",
       Errc::syntax, "t.mlir:3:20", "%y is defined twice"},
      {"RegionUndefined", "func.func @f() {\n\"my.op\"() ({\n %1 = my.a %z : tensor<i8>\n stablehlo.return }) : () -> ()\n return }", Errc::syntax,
       "t.mlir:3:12", "%z is not defined before this use"},
      {"RegionType", "func.func @f(%x: tensor<i8>) {\n\"my.op\"() ({\n %1 = my.a %x : tensor<i16>\n stablehlo.return }) : () -> ()\n return }", Errc::type,
       "t.mlir:3:12", "%x has the type tensor<i8> but is used as tensor<i16>"},
      {"RegionHides",
       "func.func @f(%x: tensor<i8>) {\n\"my.op\"() ({\n %1 = my.a %x : tensor<i8>\n %x = my.a %1 : tensor<i8>\n stablehlo.return }) : () -> ()\n return }",
       Errc::syntax, "t.mlir:4:2", "%x is defined twice, or used before its definition"},
      {"RegionResultOutside",
       "func.func @f(%x: tensor<i8>) -> tensor<i8> {\n\"my.op\"() ({\n %1 = my.a %x : tensor<i8>\n stablehlo.return }) : () -> ()\n return %1 : tensor<i8> }",
       Errc::syntax, "t.mlir:5:9", "%1 is not defined before this use"},
      {"ReduceWithoutInit", "%1 = stablehlo.reduce(%0 : %c) across dimensions = [0] : (tensor<i8>) -> tensor<i8>", Errc::syntax, "t.mlir:1:26",
       "expected 'init' of stablehlo.reduce, found ':'"},
      {"ReduceWithoutBody", "%1 = stablehlo.reduce(%0 init: %c) across dimensions = [0] : (tensor<1xi8>, tensor<i8>) -> tensor<i8>\n", Errc::syntax,
       "t.mlir:2:1", "expected 'reducer' of stablehlo.reduce, found the end"},
      {"ReduceAppliesTwo",
       "%1:2 = stablehlo.reduce(%0 init: %c), (%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1xi8>, tensor<1xi8>, tensor<i8>, "
       "tensor<i8>) -> (tensor<i8>, tensor<i8>)",
       Errc::syntax, "t.mlir:1:53", "'applies' takes one operand and one initial value"},
      {"ReducerPair", "%1 = stablehlo.reduce(%0 init: %c) across dimensions = [0] : (tensor<1xi8>, tensor<i8>) -> tensor<i8>\nreducer(%a: tensor<i8>) {",
       Errc::syntax, "t.mlir:2:9", "a reducer takes pairs"},
      {"WhileWithoutDo", "%1 = stablehlo.while(%a = %0) : tensor<i1>\ncond { stablehlo.return %a : tensor<i1> }", Errc::syntax, "t.mlir:2:42",
       "expected 'do' of stablehlo.while, found the end"},
      {"WhileTypes", "%1 = stablehlo.while(%a = %0, %b = %0) : tensor<i1>\ncond {", Errc::type, "t.mlir:1:40", "stablehlo.while has 2 operands and 1 types"},
      {"WhileResults", "%1 = stablehlo.while(%a = %0, %b = %0) : tensor<i1>, tensor<i1>\ncond {", Errc::type, "t.mlir:1:40",
       "stablehlo.while has 2 operands and 1 results"},
      {"CallOfNothing", "func.func @f() {\n  call @g() : () -> ()\n  return\n}", Errc::unknown_name, "t.mlir:2:3", "no function @g in this text"},
      {"CallOfItself", "func.func @f() {\n  call @g() : () -> ()\n  return\n}\nfunc.func @g() {\n  func.call @f() : () -> ()\n  return\n}", Errc::unsupported,
       "t.mlir:6:3", "the function @f calls itself"},
      {"CallOfTwo", "func.func @f() {\n  call @g() : () -> ()\n  return\n}\nfunc.func @g() { return }\nfunc.func @g() { return }", Errc::syntax, "t.mlir:2:3",
       "the function @g is defined twice"},
      {"CallWithout", "func.func @f() {\n  \"func.call\"() : () -> ()\n  return\n}", Errc::syntax, "t.mlir:2:3", "a call names its function"},
      {"CallArguments", "func.func @f() {\n  call @g() : () -> ()\n  return\n}\nfunc.func @g(%x: tensor<i8>) { return }", Errc::type, "t.mlir:2:3",
       "@g has 1 arguments and 0 results, the call 0 and 0"},
      {"CallTypes", "func.func @f(%y: tensor<i16>) {\n  call @g(%y) : (tensor<i16>) -> ()\n  return\n}\nfunc.func @g(%x: tensor<i8>) { return }", Errc::type,
       "t.mlir:2:3", "argument 0 of @g has another type"},
      {"CallResult",
       "func.func @f() {\n  %0 = call @g() : () -> tensor<i8>\n  return\n}\nfunc.func @g() -> tensor<i16> {\n%0 = my.a : tensor<i16>\nreturn %0 : tensor<i16> "
       "}",
       Errc::type, "t.mlir:2:8", "result 0 of @g has another type"},
      {"SecondPart", "func.func @f() { return }\n// -----\nfunc.func @f() {\n add }", Errc::syntax, "t.mlir:4:2", "'add' is not an operation"},
      {"GiantShape", "%1 = stablehlo.abs %0 : tensor<99999x99999xi8>", Errc::limit, "t.mlir:1:31", "shape [99999, 99999] has more than 2^31 elements"},
      {"GiantSplat", "%0 = stablehlo.constant dense<0> : tensor<99999999999xi8>", Errc::limit, "t.mlir:1:42",
       "shape [99999999999] has more than 2^31 elements"},
      {"BigSplat", "%0 = stablehlo.constant dense<0> : tensor<99999999xi8>", Errc::limit, "t.mlir:1:31",
       "the literals and attributes of this text take more than 67108864 elements"},
      {"Overflow", "%0 = stablehlo.abs %1 : tensor<99999999999999999999xi8>", Errc::limit, "t.mlir:1:32", "the number 99999999999999999999 is too large"},
      {"OutOfRange", "%0 = stablehlo.constant dense<[1, 200]> : tensor<2xi8>", Errc::type, "t.mlir:1:35", "element 1: 200 is not a value of i8 (-128..127)"},
      {"FloatOverflow", "%0 = stablehlo.constant dense<1.0e40> : tensor<f32>", Errc::type, "t.mlir:1:31", "1.0e40 is out of the range of f32"},
      {"WrongBits", "%0 = stablehlo.constant dense<0x7FC0> : tensor<f32>", Errc::type, "t.mlir:1:31",
       "0x7FC0 is not a bit pattern of f32, which has 8 hex digits"},
      {"WrongShape", "%0 = stablehlo.constant dense<[[1, 2], [3]]> : tensor<2x2xi8>", Errc::type, "t.mlir:1:31",
       "a list at depth 2 has 1 items, where tensor<2x2xi8> has 2"},
      {"WrongRawSize", "%0 = stablehlo.constant dense<\"0x0102\"> : tensor<3xi8>", Errc::type, "t.mlir:1:31", "2 raw bytes for tensor<3xi8>, which takes 3"},
      {"OddRaw", "%0 = stablehlo.constant dense<\"0x010\"> : tensor<3xi8>", Errc::syntax, "t.mlir:1:31", "raw elements are a string"},
      {"OpenDense", "%0 = stablehlo.constant dense<[1, 2 : tensor<3xi8>", Errc::syntax, "t.mlir:1:31", "no closing '>' for this"},
      {"OpenString", "%0 = \"stablehlo.abs", Errc::syntax, "t.mlir:1:6", "this string does not end"},
      {"NegativeScale", "%1 = stablehlo.abs %0 : tensor<2x!quant.uniform<i8:f32, -1.0>>", Errc::constraint, "t.mlir:1:31",
       "C5: scale must be positive and finite, got -1"},
      {"BadZeroPoint", "%1 = stablehlo.abs %0 : tensor<2x!quant.uniform<i8:f32, 1.0:200>>", Errc::constraint, "t.mlir:1:31", "C7: zero point 200"},
      {"RaggedScales", "%1 = stablehlo.abs %0 : tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:1}, {{1.0, 1.0}, {1.0}}>>", Errc::constraint, "t.mlir:1:83",
       "C13: 1 parameters beside a list of 2"},
      {"QuantizedCode", "%0 = stablehlo.constant dense<-128> : tensor<!quant.uniform<i8<-127:127>:f32, 1.0>>", Errc::type, "t.mlir:1:31",
       "-128 is outside the storage range -127:127"},
      {"DuplicateAttribute", "%1 = \"my.op\"(%0) {a = 1, a = 2} : (tensor<i8>) -> tensor<i8>", Errc::syntax, "t.mlir:1:26", "the attribute 'a' stands twice"},
      {"NoAlias", "%1 = stablehlo.abs %0 : !q", Errc::unknown_name, "t.mlir:1:25", "no type alias '!q'"},
      {"AfterReturn", "%1 = stablehlo.abs %0 : tensor<i8>\nreturn %1 : tensor<i8>\n%2 = stablehlo.abs %1 : tensor<i8>", Errc::syntax, "t.mlir:3:6",
       "an operation after the return"},
      {"ReturnCount", "func.func @f(%0: tensor<i8>) -> tensor<i8> {\n  return\n}", Errc::type, "t.mlir:1:11", "@f has 1 results and returns 0"},
      {"ReturnType", "func.func @f(%0: tensor<i8>) -> tensor<i16> {\n  return %0 : tensor<i8>\n}", Errc::type, "t.mlir:1:11",
       "@f returns tensor<i8> where its type says tensor<i16>"},
      {"OpenFunction", "func.func @f() {\n", Errc::syntax, "t.mlir:2:1", "expected '}' at the end of a function"},
      {"OpenModule", "module {\nfunc.func @f() { return }\n", Errc::syntax, "t.mlir:3:1", "expected '}' at the end of a module"},
      {"DefinedNone", "%none = stablehlo.abs %0 : tensor<i8>", Errc::syntax, "t.mlir:1:1", "%none stands for an absent operand"},
      {"NoneTyped", "%1 = stablehlo.abs %none : tensor<i8>", Errc::type, "t.mlir:1:20", "the absent operand is %none of type none"},
      {"HugeExponent", "%0 = stablehlo.constant dense<1.0e99999> : tensor<f32>", Errc::limit, "t.mlir:1:31",
       "the number 1.0e99999 has too many digits or too large an exponent"},
      {"ExampleName", "// %q: [1]\n%1 = stablehlo.abs %0 : tensor<i8>", Errc::syntax, "t.mlir:1", "a comment gives a value for %q"},
      {"ExampleBrackets", "// %0: [1\n%1 = stablehlo.abs %0 : tensor<i8>", Errc::syntax, "t.mlir:1", "the brackets of the value of %0"},
      {"ConvolutionDimensions", "%2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0]x[0, i, o]->[b, f, 0] : (tensor<i8>, tensor<i8>) -> tensor<i8>",
       Errc::syntax, "t.mlir:1:55", "dimension numbers of the input need b and f"},
  };
  return all;
}

class BadText : public testing::TestWithParam<std::size_t> {};
TEST_P(BadText, HasOneErrorWithItsPlace) {
  const Bad& test = bad()[GetParam()];
  const auto parsed = parse_mlir(test.text, "t.mlir");
  ASSERT_FALSE(parsed) << test.text;
  EXPECT_TRUE(parsed.error().what.starts_with(test.what)) << parsed.error().what;
  EXPECT_EQ(parsed.error().where, test.where) << parsed.error().what;
  EXPECT_EQ(to_word(parsed.error().code), std::string(to_word(test.code)));
}
INSTANTIATE_TEST_SUITE_P(Mlir, BadText, testing::Range(std::size_t{0}, bad().size()), [](const auto& test) { return std::string(bad()[test.param].name); });

TEST(Mlir, PlacesCountFromTheFirstLine) { EXPECT_EQ(parse_mlir("\n  add", "page.md", 40).error().where, "page.md:41:3"); }

TEST(Mlir, DeepNestingIsRefused) {
  const auto deep = [](const std::string& open, std::size_t depth) {
    std::string text = R"("my.op"() {a = )";
    for (std::size_t i = 0; i < depth; ++i) text += open;
    return text;
  };
  EXPECT_EQ(parse_mlir(deep("[", 100'000), "t").error().code, Errc::limit);
  EXPECT_EQ(parse_mlir(deep("{a = ", 100'000), "t").error().code, Errc::limit);
  EXPECT_EQ(parse_mlir(deep("#a.b<c = ", 100'000), "t").error().code, Errc::limit);
  EXPECT_EQ(parse_mlir(deep("dense<" + std::string(100'000, '['), 1) + "> : tensor<2xi8>", "t").error().code, Errc::limit);
  EXPECT_FALSE(parse_mlir("%0 = stablehlo.abs %1 : " + std::string(100'000, '('), "t"));
  EXPECT_FALSE(parse_mlir("!q = !quant.uniform<i8:f32:0, " + std::string(100'000, '{'), "t"));
  std::string modules;
  for (int i = 0; i < 100'000; ++i) modules += "module {";
  EXPECT_EQ(parse_mlir(modules, "t").error().code, Errc::limit);
  std::string nested = "!a = i8\n!b = tensor<2x";
  for (int i = 0; i < 100'000; ++i) nested += "tensor<2x";
  EXPECT_EQ(parse_mlir(nested, "t").error().code, Errc::limit);
}

TEST(Mlir, TextsBeyondTheLimitAreRefused) {
  EXPECT_EQ(parse_mlir(std::string((std::size_t{16} << 20) + 1, ' '), "t").error().code, Errc::limit);
  EXPECT_FALSE(parse_mlir(std::string(100'000, '9'), "t"));
  EXPECT_EQ(parse_mlir("%0 = stablehlo.constant dense<" + std::string(100'000, '9') + "> : tensor<i8>", "t").error().code, Errc::limit);
}

TEST(Mlir, DeepRegionsAndCallsAreRefused) {
  std::string regions;
  for (int i = 0; i < 100'000; ++i) regions += "\"my.op\"() ({\n";
  EXPECT_EQ(parse_mlir(regions, "t").error().code, Errc::limit);
  std::string whiles;
  for (int i = 0; i < 100'000; ++i) whiles += "stablehlo.while() cond {";
  EXPECT_EQ(parse_mlir(whiles, "t").error().code, Errc::limit);
  std::string chain = "func.func @f0() { return }\n";
  for (int i = 1; i < 10'000; ++i) chain = "func.func @f" + std::to_string(i) + "() {\n call @f" + std::to_string(i - 1) + "() : () -> ()\n return }\n" + chain;
  EXPECT_EQ(parse_mlir(chain, "t").error().code, Errc::limit);
  std::string doubling = "func.func @f0() {\n %0 = my.a : tensor<i8>\n return }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string twice = " call @f" + std::to_string(i - 1) + "() : () -> ()\n";
    doubling += "func.func @f" + std::to_string(i) + "() {\n" + twice + twice + " return }\n";
  }
  EXPECT_EQ(parse_mlir(doubling, "t").error().code, Errc::limit);
}

TEST(Mlir, CapturesThroughManyRegionsArePaidFor) {
  std::string text = "func.func @f(%x: tensor<i8>) {\n";
  for (int i = 0; i < 190; ++i) text += "\"my.op\"() ({\n";
  for (int i = 0; i < 20'000; ++i) text += "%y" + std::to_string(i) + " = my.a %x : tensor<i8>\n";
  for (int i = 0; i < 190; ++i) text += "stablehlo.return }) : () -> ()\n";
  text += "return }";
  const auto one = parse_mlir(text, "t");  // one value, captured once a region
  ASSERT_TRUE(one) << to_text(one.error());
  std::string many = "func.func @f() {\n";
  for (int i = 0; i < 20'000; ++i) many += "%x" + std::to_string(i) + " = my.a : tensor<i8>\n";
  for (int i = 0; i < 190; ++i) many += "\"my.op\"() ({\n";
  for (int i = 0; i < 20'000; ++i) many += "%y" + std::to_string(i) + " = my.a %x" + std::to_string(i) + " : tensor<i8>\n";
  EXPECT_EQ(parse_mlir(many, "t").error().code, Errc::limit);
}

std::string doubled(std::string text, int times) {
  for (int i = 0; i < times; ++i) text += text;
  return text;
}

TEST(Mlir, SmallTextsThatStandForMuchAreRefused) {
  std::string splats;
  for (int i = 0; i < 100; ++i) splats += "%" + std::to_string(i) + " = stablehlo.constant dense<0> : tensor<999999xi64>\n";
  EXPECT_EQ(parse_mlir(splats, "t").error().code, Errc::limit);
  std::string doubling = "#a0 = [1, 1]\n";
  for (int i = 1; i < 60; ++i) doubling += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + ", #a" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(parse_mlir(doubling, "t").error().code, Errc::limit);
  std::string chain = "#a0 = [1]\n";
  for (int i = 1; i < 1000; ++i) chain += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(parse_mlir(chain, "t").error().code, Errc::limit);
  EXPECT_EQ(parse_mlir("\"my.op\"() {a = [" + doubled("1,", 21) + "1]} : () -> ()", "t").error().code, Errc::limit);
  std::string types = "!q = !quant.uniform<i8:f32:0, {1.0";
  for (int i = 1; i < 10'000; ++i) types += ",1.0";
  types += "}>\n%r:4096 = my.op %x : tensor<10000x!q>";
  EXPECT_EQ(parse_mlir(types, "t").error().code, Errc::limit);
}

TEST(Mlir, EveryPrefixAndEveryFlippedByteEndsWithoutACrash) {
  const std::string text = R"(!q = !quant.uniform<i8<-127:127>:f32:1, {0.1:3, 0.2}>
// %x: [[1, 2]]
%c = stablehlo.constant dense<"0x0102"> : tensor<1x2x!q>
%y:2 = "my.op"(%x, %c) <{a = [1, {b = dense<1> : tensor<2xi64>}], c = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}> : (tensor<1x2x!q>, tensor<1x2x!q>) -> (tensor<i8>, tensor<f32>)
// %y#0 @ onnx: 3
%z:2 = stablehlo.while(%a = %c, %b = %p) : tensor<1x2x!q>, tensor<i1> cond { stablehlo.return %b : tensor<i1> } do { stablehlo.return %c, %b : tensor<1x2x!q>, tensor<i1> }
%w = stablehlo.reduce(%z#0 init: %i) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x2x!q>, tensor<i8>) -> tensor<?xi8>
%g = "stablehlo.gather"(%y#1, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<f32>, tensor<i64>) -> tensor<f32>
%m = "stablehlo.map"(%y#1) ({ ^bb0(%e: tensor<f32>): %n = stablehlo.add %e, %y#1 : tensor<f32>
"stablehlo.return"(%n) : (tensor<f32>) -> () }) {dimensions = array<i64>} : (tensor<f32>) -> tensor<f32>
)";
  ASSERT_TRUE(parse_mlir(text, "t")) << to_text(parse_mlir(text, "t").error());
  for (std::size_t size = 0; size < text.size(); ++size) static_cast<void>(parse_mlir(text.substr(0, size), "t"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char c : {'\0', '"', '<', '>', '[', '}', '%', '9', '\xFF', '/', 'x', ':'}) {
      std::string changed = text;
      changed[at] = c;
      const auto parsed = parse_mlir(changed, "t");
      if (parsed && !parsed->functions.empty()) static_cast<void>(print_mlir(parsed->functions[0]));
    }
  }
}

}  // namespace
}  // namespace tiebreak
