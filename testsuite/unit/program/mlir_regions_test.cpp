// SPDX-License-Identifier: Apache-2.0
// Regions: what a body is, what it captures, and that pretty and generic forms are one program. Calls and parts of texts.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"

namespace tiebreak {
namespace {

Program read(const std::string& text) {
  auto parsed = parse_mlir(text, "t.mlir");
  if (parsed) return std::move(parsed->functions.at(0));
  ADD_FAILURE() << to_text(parsed.error()) << "\n" << text;
  return {};
}

std::string printed_program(const std::string& text) {
  const std::string first = print_mlir(read(text));
  EXPECT_EQ(print_mlir(read(first)), first);
  return first;
}

std::vector<std::string> names(const Program& program, const std::vector<ValueId>& ids) {
  std::vector<std::string> all;
  for (ValueId id : ids) all.push_back(program.values[static_cast<std::size_t>(id)].name);
  return all;
}

using Names = std::vector<std::string>;

TEST(MlirRegions, AReducerInEveryForm) {
  const std::string generic = R"(
    %r = "stablehlo.reduce"(%x, %c) ({
      ^bb0(%accumulator: tensor<i64>, %element: tensor<i64>):
        %result = "stablehlo.add"(%accumulator, %element) : (tensor<i64>, tensor<i64>) -> tensor<i64>
        "stablehlo.return"(%result) : (tensor<i64>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>)";
  const std::string expected = printed_program(generic);
  EXPECT_EQ(expected, R"(func.func @main(%x: tensor<1x6xi64>, %c: tensor<i64>) -> (tensor<1xi64>) {
  %r = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
    ^bb0(%accumulator: tensor<i64>, %element: tensor<i64>):
      %result = "stablehlo.add"(%accumulator, %element) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%result) : (tensor<i64>) -> ()
  }) : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  func.return %r : tensor<1xi64>
}
)");
  EXPECT_EQ(
      expected,
      printed_program("%r = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>"));
  EXPECT_EQ(expected, printed_program(R"(%r = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
     reducer(%accumulator: tensor<i64>, %element: tensor<i64>)  {
      %result = stablehlo.add %accumulator, %element : tensor<i64>
      stablehlo.return %result : tensor<i64>
    })"));
}

TEST(MlirRegions, AVariadicReducerTakesItsAccumulatorsFirst) {
  const Program program = read(R"(%r:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0]
      : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%p: tensor<f32>, %q: tensor<f32>) (%s: tensor<i32>, %t: tensor<i32>) {
      stablehlo.return %q, %s : tensor<f32>, tensor<i32>
    })");
  const Operation& reduce = program.operations.at(0);
  EXPECT_EQ(names(program, reduce.operands), (Names{"x", "y", "a", "b"}));
  const Program& body = reduce.regions.at(0).program;
  EXPECT_EQ(names(body, body.inputs), (Names{"p", "s", "q", "t"}));
  EXPECT_EQ(names(body, body.outputs), (Names{"q", "s"}));
  EXPECT_TRUE(reduce.regions[0].captured.empty());
}

TEST(MlirRegions, AWhileInBothForms) {
  const std::string pretty = R"(func.func @f(%n: tensor<i64>) -> tensor<i64> {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %r:2 = stablehlo.while(%i = %one, %sum = %n) : tensor<i64>, tensor<i64> attributes {my.mark}
    cond {
      %go = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i64>
      %more = stablehlo.add %sum, %one : tensor<i64>
      stablehlo.return %next, %more : tensor<i64>, tensor<i64>
    }
    return %r#1 : tensor<i64>
  })";
  const Program program = read(pretty);
  const Operation& loop = program.operations.at(0);
  ASSERT_EQ(loop.regions.size(), 2U);
  const Region& condition = loop.regions[0];
  EXPECT_EQ(names(condition.program, condition.program.inputs), (Names{"i", "sum", "n"}));
  EXPECT_EQ(names(program, condition.captured), (Names{"n"}));
  const Region& step = loop.regions[1];
  EXPECT_EQ(names(step.program, step.program.inputs), (Names{"i", "sum", "one"}));  // captured once, though used twice
  EXPECT_EQ(names(program, step.captured), (Names{"one"}));
  EXPECT_FALSE(step.program.values[static_cast<std::size_t>(step.program.inputs[2])].constant);
  EXPECT_EQ(printed_program(pretty), printed_program(R"(func.func @f(%n: tensor<i64>) -> tensor<i64> {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %r:2 = "stablehlo.while"(%one, %n) <{my.mark}> ({
      ^bb0(%i: tensor<i64>, %sum: tensor<i64>):
        %go = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
    }, {
      ^other(%i: tensor<i64>, %sum: tensor<i64> loc("here")):
        %next = stablehlo.add %i, %one : tensor<i64>
        %more = stablehlo.add %sum, %one : tensor<i64>
        "stablehlo.return"(%next, %more) : (tensor<i64>, tensor<i64>) -> ()
    }) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    return %r#1 : tensor<i64>
  })"));
}

TEST(MlirRegions, RegionsWithoutArgumentsAndRegionsInside) {
  const std::string text = R"(func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
    %r = "stablehlo.if"(%p) ({
      %s = "stablehlo.case"(%k) ({
        %z = stablehlo.add %x, %t : tensor<f32>
        stablehlo.return %z : tensor<f32>
      }, {
        stablehlo.return %y : tensor<f32>
      }) : (tensor<i32>) -> tensor<f32>
      stablehlo.return %s : tensor<f32>
    }, {
      %c = stablehlo.constant dense<2.0> : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %r : tensor<f32>
  })";
  std::string whole = text;
  whole.replace(whole.find("%r = "), 0, "%k = stablehlo.constant dense<0> : tensor<i32>\n    %t:2 = \"my.two\"() : () -> (tensor<f32>, tensor<f32>)\n    ");
  const Program program = read(whole);
  const Region& outer = program.operations.at(1).regions.at(0);
  EXPECT_EQ(names(program, outer.captured), (Names{"x", "t#0", "y", "k"}));  // what the inner regions take comes through
  EXPECT_EQ(names(outer.program, outer.program.inputs), (Names{"x", "t#0", "y", "k"}));
  const Region& inner = outer.program.operations.at(0).regions.at(0);
  EXPECT_EQ(names(outer.program, inner.captured), (Names{"x", "t#0"}));
  const Region& second = program.operations.at(1).regions.at(1);
  EXPECT_TRUE(second.captured.empty());
  EXPECT_TRUE(second.program.values.at(0).constant);
  printed_program(whole);
}

TEST(MlirRegions, ABareSnippetCapturesItsInputs) {
  const Program program = read(R"(%r = "stablehlo.map"(%x) ({
      ^bb0(%e: tensor<i8>):
        %s = stablehlo.add %e, %offset : tensor<i8>
        stablehlo.return %s : tensor<i8>
    }) {dimensions = array<i64: 0>} : (tensor<2xi8>) -> tensor<2xi8>)");
  EXPECT_EQ(names(program, program.inputs), (Names{"offset", "x"}));
  EXPECT_EQ(names(program, program.outputs), (Names{"r"}));  // %offset is used, by the region
}

TEST(MlirRegions, NamesOfBodiesDoNotHideOthersWhenPrinted) {
  const std::string text = printed_program(R"(func.func @f(%x: tensor<i8>) -> tensor<i8> {
    %r = "my.op"(%x) ({
      ^bb0(%y: tensor<i8>):
        %z = my.a %y, %x : tensor<i8>
        stablehlo.return %z : tensor<i8>
    }, {
      ^bb0(%y: tensor<i8>):
        stablehlo.return %y : tensor<i8>
    }) : (tensor<i8>) -> tensor<i8>
    %y = my.a %r : tensor<i8>
    %0 = my.a %y : tensor<i8>
    return %0 : tensor<i8>
  })");
  EXPECT_NE(text.find("^bb0(%y_1: tensor<i8>)"), std::string::npos) << text;
  EXPECT_NE(text.find("^bb0(%y_2: tensor<i8>)"), std::string::npos) << text;
}

TEST(MlirCalls, AreReplacedByWhatTheyCall) {
  const std::string text = R"(module {
    func.func public @main() -> (tensor<2xi8>, tensor<2xi8>) {
      %0 = call @inputs() : () -> tensor<2xi8>
      %1:2 = func.call @both(%0) : (tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
      %2 = "stablehlo.if"(%p) ({
        %3 = func.call @inputs() : () -> tensor<2xi8>
        stablehlo.return %3 : tensor<2xi8>
      }, {
        stablehlo.return %1#0 : tensor<2xi8>
      }) : (tensor<i1>) -> tensor<2xi8>
      return %1#1, %2 : tensor<2xi8>, tensor<2xi8>
    }
    func.func private @inputs() -> tensor<2xi8> {
      %c = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
      return %c : tensor<2xi8>
    }
    func.func private @both(%arg0: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
      %0 = stablehlo.abs %arg0 : tensor<2xi8>
      return %arg0, %0 : tensor<2xi8>, tensor<2xi8>
    }
  })";
  std::string whole = text;
  whole.replace(whole.find("%0 = call"), 0, "%p = stablehlo.constant dense<true> : tensor<i1>\n      ");
  const auto functions = parse_mlir_functions(whole, "t.mlir");
  ASSERT_EQ(functions.size(), 3U);
  ASSERT_TRUE(functions[0].program) << to_text(functions[0].program.error());
  EXPECT_FALSE(functions[0].is_private || functions[0].is_called);
  EXPECT_TRUE(functions[1].is_private && functions[1].is_called);
  const Program& program = *functions[0].program;
  ASSERT_EQ(program.operations.size(), 2U);
  EXPECT_EQ(program.operations[0].op, "stablehlo.abs");
  EXPECT_EQ(names(program, program.outputs), (Names{"1#1", "2"}));
  EXPECT_EQ(names(program, program.operations[0].operands), (Names{"0"}));
  EXPECT_EQ(names(program, program.operations[0].results), (Names{"1#1"}));  // %0 of @both, under the name that it has here
  const Region& taken = program.operations[1].regions.at(0);
  EXPECT_TRUE(taken.captured.empty());
  ASSERT_EQ(taken.program.outputs.size(), 1U);
  EXPECT_TRUE(taken.program.values[static_cast<std::size_t>(taken.program.outputs[0])].constant);
  EXPECT_EQ(names(program, program.operations[1].regions.at(1).captured), (Names{"0"}));
  const std::string first = print_mlir(program);
  EXPECT_EQ(print_mlir(read(first)), first);
}

TEST(MlirCalls, NamesInsideGiveWayToTheCallers) {
  const Program program = read(R"(func.func @main(%x: tensor<i8>) -> tensor<i8> {
      %0 = call @f(%x) : (tensor<i8>) -> tensor<i8>
      %2 = call @f(%0) : (tensor<i8>) -> tensor<i8>
      return %2 : tensor<i8>
    }
    func.func @f(%x: tensor<i8>) -> tensor<i8> {
      %2 = my.a %x : tensor<i8>
      %3 = my.b %2 : tensor<i8>
      return %3 : tensor<i8>
    })");
  Names all;
  for (const ProgramValue& value : program.values) all.push_back(value.name);
  EXPECT_EQ(all, (Names{"x", "f.2", "0", "f.2.1", "2"}));
  EXPECT_NE(print_mlir(program).find("func.return %2 "), std::string::npos);
}

TEST(MlirParts, EachPartHasItsOwnFunctions) {
  const std::string text =
      "// RUN: nothing\n\n// -----\n#a = 1\nfunc.func @f() { return }\n // -----\n#a = 2\nfunc.func @f() {\n return }\n// ---- not a split\n";
  const auto parsed = parse_mlir(text, "t.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->functions.size(), 2U);
  EXPECT_EQ(parse_mlir_functions(text, "t.mlir").at(1).where, "t.mlir:8:11");
}

TEST(MlirParts, WhatCannotBeReadDoesNotKeepTheRestFromBeingRead) {
  const auto functions = parse_mlir_functions(R"(func.func @a(%x: tensor<2xcomplex<f32>>) -> (tensor<i8> {a = "}"}) attributes {b = {}} {
      return %x : tensor<i8>
    }
    func.func @b() -> tensor<!quant.uniform<i8:f32:0, {1.0}>> {
      // a brace in a comment }
      "my.op"() {a = "{"} : () -> ()
    }
    func.func @c() {
      func.call @a() : () -> ()
      return
    }
    func.func @d() {
      return
    }
// -----
    garbage
// -----
    func.func @e() {
      return
    })",
                                              "t.mlir");
  ASSERT_EQ(functions.size(), 6U);
  EXPECT_EQ(functions[0].program.error().where, "t.mlir:1:27");
  EXPECT_EQ(functions[1].program.error().code, Errc::constraint);
  EXPECT_EQ(functions[2].program.error().what, "the type 'complex' is not supported");  // of what it calls
  EXPECT_TRUE(functions[3].program);
  EXPECT_EQ(functions[3].name, "d");
  EXPECT_EQ(functions[4].name, "");
  EXPECT_EQ(functions[4].program.error().where, "t.mlir:16:5");
  EXPECT_EQ(functions[5].name, "e");
  EXPECT_TRUE(functions[5].program);
}

TEST(MlirParts, TheBudgetIsOneForAllParts) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += "%0 = stablehlo.constant dense<0> : tensor<19999999xi8>\n// -----\n";
  EXPECT_EQ(parse_mlir(text, "t").error().code, Errc::limit);
  const auto functions = parse_mlir_functions(text, "t");
  ASSERT_EQ(functions.size(), 5U);
  EXPECT_TRUE(functions[2].program);
  EXPECT_EQ(functions[3].program.error().code, Errc::limit);
}

}  // namespace
}  // namespace tiebreak
