// SPDX-License-Identifier: Apache-2.0
// What each form of Relay's text becomes: the features that TVM's own test of its parser goes through, in texts of our own.
#include <gtest/gtest.h>

#include "interpreter/relay/relay.hpp"

namespace tiebreak {
namespace {

struct Form {
  const char* name;
  const char* text;
  const char* body;  ///< of the printed function, without the line of its return
};

std::string printed(const std::string& text) {
  const auto parsed = parse_program(text, "t.relay");
  if (!parsed) return to_text(parsed.error());
  if (parsed->functions.size() != 1) return std::to_string(parsed->functions.size()) + " functions";
  return print_mlir(parsed->functions[0]);
}

/// The operations alone.
std::string operations(const std::string& text) {
  const std::string whole = printed(text);
  const std::size_t begin = whole.find("{\n"), end = whole.rfind("  func.return");
  return begin == std::string::npos || end == std::string::npos ? whole : whole.substr(begin + 2, end - begin - 2);
}

const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {"LineComments", "fn (%x: int8) {\n  // one\n  add(%x, // two\n  %x)\n}",
       "  %result = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"BlockComments", "fn (%x: int8) { /* one /* two */ three */ add(%x, /* four */ %x) }",
       "  %result = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Integers", "fn () { add(5, -5) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<-5> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %result = \"relay.add\"(%unnamed, %unnamed_1) : (tensor<i32>, tensor<i32>) -> !tiebreak.unknown\n"},
      {"WideIntegers", "fn () { f(1i64, -2i16, 3i8, 2147483647) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<-2> : tensor<i16>}> : () -> tensor<i16>\n"
       "  %unnamed_2 = \"stablehlo.constant\"() <{value = dense<3> : tensor<i8>}> : () -> tensor<i8>\n"
       "  %unnamed_3 = \"stablehlo.constant\"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %result = \"relay.f\"(%unnamed, %unnamed_1, %unnamed_2, %unnamed_3) : (tensor<i64>, tensor<i16>, tensor<i8>, tensor<i32>) -> !tiebreak.unknown\n"},
      {"Floats", "fn () { f(1f, 0.25f, -1e-05f, 3.5e2f, 4f64, 0.5f16, 1f32) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<0.25> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_2 = \"stablehlo.constant\"() <{value = dense<-1.0e-05> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_3 = \"stablehlo.constant\"() <{value = dense<350.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_4 = \"stablehlo.constant\"() <{value = dense<4.0> : tensor<f64>}> : () -> tensor<f64>\n"
       "  %unnamed_5 = \"stablehlo.constant\"() <{value = dense<0.5> : tensor<f16>}> : () -> tensor<f16>\n"
       "  %unnamed_6 = \"stablehlo.constant\"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %result = \"relay.f\"(%unnamed, %unnamed_1, %unnamed_2, %unnamed_3, %unnamed_4, %unnamed_5, %unnamed_6) : (tensor<f32>, tensor<f32>, tensor<f32>, "
       "tensor<f32>, tensor<f64>, tensor<f16>, tensor<f32>) -> !tiebreak.unknown\n"},
      {"Infinities", "fn () { f(inff, -inff, nanf) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_2 = \"stablehlo.constant\"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %result = \"relay.f\"(%unnamed, %unnamed_1, %unnamed_2) : (tensor<f32>, tensor<f32>, tensor<f32>) -> !tiebreak.unknown\n"},
      {"Truths", "fn () { f(True, False) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>\n"
       "  %result = \"relay.f\"(%unnamed, %unnamed_1) : (tensor<i1>, tensor<i1>) -> !tiebreak.unknown\n"},
      {"Let", "fn (%x: int8) { let %a = add(%x, %x); let %b: int8 = %a; subtract(%b, %a) }",
       "  %a = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> tensor<i8>\n"
       "  %result = \"relay.subtract\"(%a, %a) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Graph", "fn (%x: int8) { %0 = add(%x, %x); %1 = add(%0, %x); %1 }",
       "  %0 = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"
       "  %1 = \"relay.add\"(%0, %x) : (!tiebreak.unknown, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Calls", "fn (%x: int8) { add(multiply(%x, %x), (%x)) }",
       "  %unnamed = \"relay.multiply\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"
       "  %result = \"relay.add\"(%unnamed, %x) : (!tiebreak.unknown, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Tuples", "fn (%x: int8) { %0 = (%x, (add(%x, %x),)); %1 = %0.1; f(%0.0, %1.0, %0.1.0) }",
       "  %_0.1.0 = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"
       "  %result = \"relay.f\"(%x, %_0.1.0, %_0.1.0) : (tensor<i8>, !tiebreak.unknown, !tiebreak.unknown) -> !tiebreak.unknown\n"},
      {"TupleOfCall", "fn (%x: Tensor[(4), int8]) { %0 = split(%x, indices_or_sections=2) /* ty=(Tensor[(2), int8], Tensor[(2), int8]) */; add(%0.1, %0.0) }",
       "  %0, %_0.1 = \"relay.split\"(%x) <{indices_or_sections = 2 : i64}> : (tensor<4xi8>) -> (tensor<2xi8>, tensor<2xi8>)\n"
       "  %result = \"relay.add\"(%_0.1, %0) : (tensor<2xi8>, tensor<2xi8>) -> !tiebreak.unknown\n"},
      {"FirstMemberOfCall", "fn (%x: int8) { %0 = split(%x); f(%0.0) }",
       "  %0, %_0.1 = \"relay.split\"(%x) : (tensor<i8>) -> (!tiebreak.unknown, !tiebreak.unknown)\n"
       "  %result = \"relay.f\"(%0) : (!tiebreak.unknown) -> !tiebreak.unknown\n"},
      {"MembersOfCall", "fn (%x: int8) { %0 = split(%x); f(%0.2, split(%x).1) }",
       "  %0, %_0.1, %_0.2 = \"relay.split\"(%x) : (tensor<i8>) -> (!tiebreak.unknown, !tiebreak.unknown, !tiebreak.unknown)\n"
       "  %unnamed, %unnamed_1 = \"relay.split\"(%x) : (tensor<i8>) -> (!tiebreak.unknown, !tiebreak.unknown)\n"
       "  %result = \"relay.f\"(%_0.2, %unnamed_1) : (!tiebreak.unknown, !tiebreak.unknown) -> !tiebreak.unknown\n"},
      {"TuplesInTurns", "fn (%x: int8, %y: int8) { qnn.concatenate((%x, %y), (1f, 2f), (3, 4), 5f, 6, axis=1) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_1 = \"stablehlo.constant\"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_2 = \"stablehlo.constant\"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %unnamed_3 = \"stablehlo.constant\"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %unnamed_4 = \"stablehlo.constant\"() <{value = dense<5.0> : tensor<f32>}> : () -> tensor<f32>\n"
       "  %unnamed_5 = \"stablehlo.constant\"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>\n"
       "  %result = \"qnn.concatenate\"(%unnamed_4, %unnamed_5, %x, %unnamed, %unnamed_2, %y, %unnamed_1, %unnamed_3) <{axis = 1 : i64}> : (tensor<f32>, "
       "tensor<i32>, tensor<i8>, tensor<f32>, tensor<i32>, tensor<i8>, tensor<f32>, tensor<i32>) -> !tiebreak.unknown\n"},
      {"Function", "fn (%x: int8) { let %f = fn (%a: int8) -> int8 { add(%a, %x) }; %f(%f(%x)) }",
       "  %unnamed = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> tensor<i8>\n"
       "  %result = \"relay.add\"(%unnamed, %x) : (tensor<i8>, tensor<i8>) -> tensor<i8>\n"},
      {"FunctionAtOnce", "fn (%x: int8) { fn (%a) { add(%a, %x) }(%x) }",
       "  %result = \"relay.add\"(%x, %x) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"FusedFunction",
       "fn (%x: int8) { %1 = fn (%p0: int8, Primitive=1, hash=\"e1\") -> int8 { %0 = add(%p0, 1i8); relay.op.f(%0) } /* ty=fn (int8) -> int8 */; %1(%x) /* "
       "ty=int8 */ }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>\n"
       "  %0 = \"relay.add\"(%x, %unnamed) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"
       "  %result = \"relay.op.f\"(%0) : (!tiebreak.unknown) -> tensor<i8>\n"},
      {"Global", "def @main(%x: int8) { @f(%x, 2i8) } def @f(%a: int8, %b: int8) { add(%a, %b) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<2> : tensor<i8>}> : () -> tensor<i8>\n"
       "  %result = \"relay.add\"(%x, %unnamed) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"FreeVariables", "free_var %x: int8;\nfree_var %y: int8;\n%0 = add(%x, %y);\nadd(%0, %0)",
       "  %0 = \"relay.add\"(%x, %y) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"
       "  %result = \"relay.add\"(%0, %0) : (!tiebreak.unknown, !tiebreak.unknown) -> !tiebreak.unknown\n"},
      {"Shadowed", "fn (%x: int8) { let %f = fn (%x: int8) { add(%x, 1i8) }; %f(%x) }",
       "  %unnamed = \"stablehlo.constant\"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>\n"
       "  %result = \"relay.add\"(%x, %unnamed) : (tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Attributes",
       "fn (%x: int8) { f(%x, axis=-1, a=-127f, b=0.1f, c=True, d=None, e=[[0, 1], (2,)], g=\"NHWC\", out_dtype=\"int8\", compute_dtype=\"None\", "
       "rounding=\"None\", dtype=\"\") }",
       "  %result = \"relay.f\"(%x) <{a = -127 : i64, axis = -1 : i64, b = 0.1 : f64, c = true, e = [[0 : i64, 1 : i64], [2 : i64]], g = "
       "\"NHWC\", out_dtype = i8}> : (tensor<i8>) -> !tiebreak.unknown\n"},
      {"MetaAttributes", "fn (%x: int8) { f(%x, meta[relay.attrs.Anything][2], device=meta[VirtualDevice][0]) }",
       "  %result = \"relay.f\"(%x) <{attrs = \"relay.attrs.Anything.2\", device = \"VirtualDevice.0\"}> : (tensor<i8>) -> !tiebreak.unknown\n"},
      {"Metadata", "#[version = \"0.0.5\"]\ndef @main(%x: int8) { %x }\n#[metadata]\n{ \"anything\": [\"}\"] }", ""},
      {"Annotated", "fn (%x: int8 /* ty=int8 */) { f(%x) /* ty=Tensor[(2), float16] span=a.py:1:2 */ /* ty=Tensor[(2), float16] */ }",
       "  %result = \"relay.f\"(%x) : (tensor<i8>) -> tensor<2xf16>\n"},
      {"NamesWithPoints", "fn (%input.1: int8, %conv/weight: int8, %a.b: (int8, int8)) { f(%input.1, %conv/weight, %a.b.1) }",
       "  %result = \"relay.f\"(%input.1, %conv_weight, %a.b.1) : (tensor<i8>, tensor<i8>, tensor<i8>) -> !tiebreak.unknown\n"},
      {"Types", "fn (%a: Tensor[(), float32], %b: Tensor[(1, ?), bool], %c: bfloat16, %d: Tensor[(2,), uint8]) { f(%a, %b, %c, %d) }",
       "  %result = \"relay.f\"(%a, %b, %c, %d) : (tensor<f32>, tensor<1x?xi1>, tensor<bf16>, tensor<2xui8>) -> !tiebreak.unknown\n"},
  };
  return all;
}

class RelayForms : public testing::TestWithParam<Form> {};

TEST_P(RelayForms, BecomeOperations) { EXPECT_EQ(operations(GetParam().text), GetParam().body) << printed(GetParam().text); }

INSTANTIATE_TEST_SUITE_P(All, RelayForms, testing::ValuesIn(forms()), [](const auto& each) { return each.param.name; });

TEST(RelayText, IsToldFromMlir) {
  for (const char* text :
       {"#[version = \"0.0.5\"]\ndef @main() { 1 }", "  // a\n/* b */ fn () { 1 }", "free_var %x: int8; %x", "def @f() { 1 }", "let %a = 1; %a"}) {
    EXPECT_TRUE(is_relay(text)) << text;
  }
  for (const char* text : {"", "#map = 1", "func.func @f() { return }", "%0 = stablehlo.abs %x : tensor<i8>", "fnord.op %x : i8", "module {}", "// fn\n"}) {
    EXPECT_FALSE(is_relay(text)) << text;
  }
}

/// A function that another calls is no program; its name is free in the program's values.
TEST(RelayText, HasTheProgramsThatNobodyCalls) {
  const auto parsed =
      parse_relay("def @half(%x: int8) { right_shift(%x, 1i8) }\ndef @a(%x: int8) { @half(%x) }\ndef @b(%x: int8) { @half(@half(%x)) }", "t.relay");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  ASSERT_EQ(parsed->functions.size(), 2u);
  EXPECT_EQ(parsed->functions[0].name, "a");
  EXPECT_EQ(parsed->functions[1].operations.size(), 2u);
}

TEST(RelayText, HasInputsConstantsAndResultsByName) {
  const auto parsed = parse_relay(
      "fn (%x: Tensor[(?, 8), float32], %t: (int8, int8)) {\n"
      "  %0 = nn.dense(%x, meta[relay.Constant][3] /* ty=Tensor[(8, 8), int8] */);\n"
      "  (%0, add(%t.0, %t.1), add(meta[relay.Constant][3], meta[relay.Constant][0]))\n}\n"
      "// %x: [[1]]\n// %result.1: 3\n// %0 = nothing(%x)\n",
      "t.relay");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const Program& program = parsed->functions[0];
  std::string inputs, outputs;
  for (ValueId id : program.inputs) inputs += program.values[static_cast<std::size_t>(id)].name + " ";
  for (ValueId id : program.outputs) outputs += program.values[static_cast<std::size_t>(id)].name + " ";
  EXPECT_EQ(inputs, "x t.0 t.1 meta.relay.Constant.3 meta.relay.Constant.0 ");
  EXPECT_EQ(outputs, "0 result.1 result.2 ");
  EXPECT_EQ(program.operations[0].where, "t.relay:2:8");
  ASSERT_EQ(parsed->example.before.size(), 1u);
  ASSERT_EQ(parsed->example.after.size(), 1u);
  EXPECT_EQ(parsed->example.after[0].name, "result.1");
  EXPECT_EQ(to_text(*program.values[static_cast<std::size_t>(program.inputs[3])].type), "tensor<8x8xi8>");
  EXPECT_FALSE(program.values[static_cast<std::size_t>(program.inputs[4])].type);
}

}  // namespace
}  // namespace tiebreak
