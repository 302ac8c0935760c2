// SPDX-License-Identifier: Apache-2.0
// Functions of ONNX models: their nodes in the place of the calls.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/program/onnx_wire.hpp"

namespace tiebreak {
namespace {

using wire::function;
using wire::step;

const std::string d = wire::in_domain("d");

std::string attribute_named(const std::string& name, const std::string& reference, int type) {
  return wire::attribute(name, wire::block(21, reference) + wire::integer(20, type));
}
std::string whole(const std::string& name, std::int64_t value) { return wire::attribute(name, wire::integer(20, 2) + wire::integer(3, value)); }
/// AttributeProto with a whole number, as a default in the message of a function.
std::string default_whole(const std::string& name, std::int64_t value) {
  return wire::block(11, wire::block(1, name) + wire::integer(20, 2) + wire::integer(3, value));
}

/// x -> y.
Result<Program> read_calls(const std::string& functions, const std::string& nodes) {
  const std::string graph = nodes + wire::block(11, wire::value_info("x")) + wire::block(12, wire::value_info("y"));
  return read_onnx(wire::bytes(wire::model(graph) + wire::imports("d", 1) + functions), "m.onnx");
}

/// `y = op(x, -)` a line, with the attributes.
std::string lines(const Program& program) {
  const auto name = [&](ValueId id) { return id < 0 ? "-" : program.values[static_cast<std::size_t>(id)].name; };
  std::string text;
  for (const Operation& operation : program.operations) {
    std::string operands, results;
    for (const ValueId id : operation.operands) operands += (operands.empty() ? "" : ", ") + name(id);
    for (const ValueId id : operation.results) results += (results.empty() ? "" : ", ") + name(id);
    text += results + " = " + operation.op.substr(operation.op.find('.') + 1) + "(" + operands + ")";
    for (const auto& [word, attribute] : operation.attributes) text += " " + word + "=" + to_text(attribute);
    text += "\n";
    for (const Region& region : operation.regions) text += "{\n" + lines(region.program) + "}\n";
  }
  return text;
}

std::string lines(const Result<Program>& program) { return program ? lines(*program) : to_text(program.error()); }

const std::string twice = function("twice", {"a"}, {"b"}, step("Add", {"a", "h"}, {"b"}) + step("Neg", {"a"}, {"h"}));

TEST(OnnxFunctions, NodesStandInThePlaceOfTheCall) {
  const auto program = read_calls(twice, wire::node("twice", {"m"}, {"y"}, d) + wire::node("twice", {"x"}, {"m"}, wire::block(3, "first") + d));
  EXPECT_EQ(lines(program),
            "first/h = Neg(x)\n"
            "m = Add(x, first/h)\n"
            "twice_node/h = Neg(m)\n"
            "y = Add(m, twice_node/h)\n");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->operations[3].where, "m.onnx: node 'twice_node' (twice): node 'Add_node' (Add)");
  EXPECT_EQ(program->operations[3].version, 13);
  EXPECT_EQ(program->outputs, program->operations[3].results);
}

TEST(OnnxFunctions, FunctionsCallFunctions) {
  const std::string four = function("four", {"a"}, {"c"}, step("twice", {"a"}, {"b"}, d) + step("twice", {"b"}, {"c"}, wire::block(3, "") + d));
  EXPECT_EQ(lines(read_calls(four + twice, wire::node("four", {"x"}, {"y"}, d))),
            "four_node/twice_node/h = Neg(x)\n"
            "four_node/b = Add(x, four_node/twice_node/h)\n"
            "four_node/twice_1/h = Neg(four_node/b)\n"
            "y = Add(four_node/b, four_node/twice_1/h)\n");
}

TEST(OnnxFunctions, NamesStayUnique) {
  EXPECT_EQ(lines(read_calls(
                twice, wire::node("twice", {"x"}, {"m"}, d) + wire::node("twice", {"m"}, {"twice_node/h"}, d) + wire::node("Abs", {"twice_node/h"}, {"y"}))),
            "twice_node/h_2 = Neg(x)\n"
            "m = Add(x, twice_node/h_2)\n"
            "twice_node/h_3 = Neg(m)\n"
            "twice_node/h = Add(m, twice_node/h_3)\n"
            "y = Abs(twice_node/h)\n");
}

const std::string inner = function(
    "inner", {"a"}, {"b"}, step("A", {"a"}, {"b"}, attribute_named("p", "q", 2) + attribute_named("to", "r", 2)) + wire::block(6, "q") + default_whole("r", 1));

TEST(OnnxFunctions, AttributesAreGivenByReference) {
  const std::string outer =
      function("outer", {"a"}, {"b"},
               step("inner", {"a"}, {"b"}, attribute_named("q", "s", 2) + attribute_named("r", "t", 2) + d) + wire::block(6, "s") + wire::block(6, "t"));
  const auto read = [&](const std::string& op, const std::string& given) { return lines(read_calls(inner + outer, wire::node(op, {"x"}, {"y"}, given + d))); };
  EXPECT_EQ(read("inner", whole("q", 7)), "y = A(x) p=7 to=f32\n");
  EXPECT_EQ(read("inner", whole("q", 7) + whole("r", 3)), "y = A(x) p=7 to=i8\n");
  EXPECT_EQ(read("inner", ""), "y = A(x) to=f32\n");
  EXPECT_EQ(read("outer", whole("s", 5) + whole("t", 2)), "y = A(x) p=5 to=u8\n");
  EXPECT_EQ(read("outer", whole("s", 5)), "y = A(x) p=5 to=f32\n");
}

TEST(OnnxFunctions, ConstantsTakeAttributes) {
  const std::string constant =
      function("scaled", {"a"}, {"b"},
               step("Constant", {}, {"k"}, attribute_named("value_int", "factor", 2)) + step("Mul", {"a", "k"}, {"b"}) + wire::block(6, "factor"));
  const auto program = read_calls(constant, wire::node("scaled", {"x"}, {"y"}, whole("factor", 6) + d));
  EXPECT_EQ(lines(program), "y = Mul(x, scaled_node/k)\n");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->values[static_cast<std::size_t>(program->operations[0].operands[1])].constant->value(0).to_int64(), 6);
}

TEST(OnnxFunctions, WhatACallLeavesOutIsAbsent) {
  const std::string clip = function("clip", {"a", "low", "high"}, {"b", "n", "c"},
                                    step("Clip", {"a", "low", "high"}, {"b"}) + step("Neg", {"b"}, {"n"}) + step("Abs", {"n"}, {"c"}));
  EXPECT_EQ(lines(read_calls(clip, wire::node("clip", {"x", "", "x"}, {"", "", "y"}, d))),
            "clip_node/b = Clip(x, -, x)\n"
            "clip_node/n = Neg(clip_node/b)\n"
            "y = Abs(clip_node/n)\n");
  EXPECT_EQ(lines(read_calls(clip, wire::node("clip", {"x"}, {"y"}, d))),
            "y = Clip(x, -, -)\n"
            "clip_node/n = Neg(y)\n"
            "clip_node/c = Abs(clip_node/n)\n");
}

/// What has a name already keeps it: an input that is returned, a value that is returned twice.
TEST(OnnxFunctions, AValueOfTwoNamesIsCopied) {
  const std::string both = function("both", {"a"}, {"a", "b", "b"}, step("Neg", {"a"}, {"b"}));
  EXPECT_EQ(lines(read_calls(both, wire::node("both", {"x"}, {"p", "q", "r"}, d) + wire::node("Sum", {"p", "q", "r"}, {"y"}))),
            "q = Neg(x)\n"
            "p = Identity(x)\n"
            "r = Identity(q)\n"
            "y = Sum(p, q, r)\n");
}

/// An attribute that is a graph with one node, NAME_y = OP(FROM).
std::string branch(const std::string& name, const std::string& op, const std::string& from, const std::string& more = {}) {
  return wire::attribute(name,
                         wire::integer(20, 5) + wire::block(6, wire::node(op, {from}, {name + "_y"}, more) + wire::block(12, wire::value_info(name + "_y"))));
}

TEST(OnnxFunctions, InGraphsOfNodesAndWithThem) {
  EXPECT_EQ(lines(read_calls(twice, wire::node("If", {"x"}, {"y"}, branch("then_branch", "twice", "x", d) + branch("else_branch", "Abs", "x")))),
            "y = If(x)\n"
            "{\ntwice_node/h = Neg(x)\nthen_branch_y = Add(x, twice_node/h)\n}\n"
            "{\nelse_branch_y = Abs(x)\n}\n");
  const std::string choose = function(
      "choose", {"c", "a"}, {"b"},
      step("Neg", {"c"}, {"h"}) + step("If", {"c"}, {"b"}, branch("then_branch", "A", "h", attribute_named("p", "q", 2)) + branch("else_branch", "Abs", "a")) +
          wire::block(6, "q"));
  const auto program = read_calls(choose, wire::node("choose", {"x", "x"}, {"y"}, whole("q", 4) + d));
  EXPECT_EQ(lines(program),
            "choose_node/h = Neg(x)\n"
            "y = If(x)\n"
            "{\nchoose_node/then_branch_y = A(choose_node/h) p=4\n}\n"
            "{\nchoose_node/else_branch_y = Abs(x)\n}\n");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->operations[1].regions[1].captured, program->inputs);
  EXPECT_EQ(lines(read_calls(choose, wire::node("choose", {"x"}, {"y"}, d))),
            "choose_node/h = Neg(x)\n"
            "y = If(x)\n"
            "{\nchoose_node/then_branch_y = A(choose_node/h)\n}\n"
            "{\nchoose_node/else_branch_y = Abs(-)\n}\n");
}

TEST(OnnxFunctions, OverloadsAndNamesOfOperators) {
  const auto named = [](const std::string& name, const std::string& domain, const std::string& overload, const std::string& op) {
    return wire::block(25, wire::block(1, name) + wire::block(4, "a") + wire::block(5, "b") + step(op, {"a"}, {"b"}) +
                               wire::block(9, wire::block(1, "") + wire::integer(2, 13)) + wire::block(10, domain) +
                               (overload.empty() ? "" : wire::block(13, overload)));
  };
  const std::string functions = named("f", "d", "", "Neg") + named("f", "d", "o", "Abs") + named("Relu", "", "", "Max");
  EXPECT_EQ(lines(read_calls(functions, wire::node("f", {"x"}, {"m"}, d) + wire::node("f", {"m"}, {"n"}, wire::block(8, "o") + d) +
                                            wire::node("Relu", {"n"}, {"o"}) + wire::node("Abs", {"o"}, {"y"}))),
            "m = Neg(x)\n"
            "n = Abs(m)\n"
            "o = Max(n)\n"
            "y = Abs(o)\n");
}

/// The types that a function states, and those of the call's results, which go before them.
TEST(OnnxFunctions, StatedTypes) {
  const auto info = [](int field, const std::string& name, int extent) {
    return wire::block(field,
                       wire::block(1, name) + wire::block(2, wire::block(1, wire::integer(1, 1) + wire::block(2, wire::block(1, wire::integer(1, extent))))));
  };
  const std::string typed = function("twice", {"a"}, {"b"}, step("Neg", {"a"}, {"h"}) + step("Add", {"a", "h"}, {"b"}) + info(12, "h", 2) + info(12, "b", 2));
  const auto program = read_calls(typed, wire::node("twice", {"x"}, {"m"}, d) + wire::node("twice", {"m"}, {"y"}, d) + info(13, "m", 3));
  ASSERT_TRUE(program) << to_text(program.error());
  std::string types;
  for (const ProgramValue& value : program->values) types += value.name + ": " + (value.type ? to_text(*value.type) : "-") + "\n";
  EXPECT_EQ(types,
            "x: -\n"
            "twice_node/h: tensor<2xf32>\n"
            "m: tensor<3xf32>\n"
            "twice_node/h_2: tensor<2xf32>\n"
            "y: tensor<2xf32>\n");
}

std::string chain(int count) {
  std::string functions;
  for (int i = 0; i < count; ++i)
    functions +=
        function("f" + std::to_string(i), {"a"}, {"b"}, step(i + 1 < count ? "f" + std::to_string(i + 1) : "Neg", {"a"}, {"b"}, i + 1 < count ? d : ""));
  return functions;
}

/// Each function calls the next ten times.
std::string tree(int count) {
  std::string functions;
  for (int i = 0; i < count; ++i) {
    std::string steps;
    for (int k = 0; k < 10; ++k) steps += step("f" + std::to_string(i + 1), {"a"}, {"b" + std::to_string(k)}, d);
    functions += function("f" + std::to_string(i), {"a"}, {"b0"}, steps);
  }
  return functions + function("f" + std::to_string(count), {"a"}, {"b"}, step("Neg", {"a"}, {"b"}));
}

TEST(OnnxFunctions, DepthAndNumberAreLimited) {
  EXPECT_TRUE(read_calls(chain(200), wire::node("f0", {"x"}, {"y"}, d)));
  EXPECT_TRUE(read_calls(tree(4), wire::node("f0", {"x"}, {"y"}, d)));
  const auto deep = read_calls(chain(201), wire::node("f0", {"x"}, {"y"}, d));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, Errc::limit);
  EXPECT_EQ(deep.error().what, "functions call each other more than 200 deep");
  const auto many = read_calls(tree(7), wire::node("f0", {"x"}, {"y"}, d));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Errc::limit);
  EXPECT_EQ(many.error().what, "the calls of functions expand to too many nodes: more than 1048576 with what they name");
  EXPECT_TRUE(many.error().where.starts_with("m.onnx: node 'f0_node' (f0): node 'f1_node' (f1)")) << many.error().where;
  const std::string large = wire::attribute("t", wire::integer(20, 3) + wire::block(4, std::string(std::size_t{3} << 20, 'a')));
  std::string steps;
  for (int k = 0; k < 100; ++k) steps += step("A", {"a"}, {"b" + std::to_string(k)}, attribute_named("t", "t", 3));
  const auto copied = read_calls(function("f", {"a"}, {"b0"}, steps + wire::block(6, "t")), wire::node("f", {"x"}, {"y"}, large + d));
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().what, "the calls of functions copy more than 256 MiB of constants and attributes");
  // An initializer of a graph in a function is there once for each call.
  const std::string weights = wire::block(5, wire::tensor("w", {std::int64_t{3} << 20}, 3, wire::raw(std::string(std::size_t{3} << 20, 'a'))));
  const std::string graph = wire::integer(20, 5) + wire::block(6, wire::node("Neg", {"w"}, {"n"}) + weights + wire::block(12, wire::value_info("n")));
  std::string calls;
  for (int k = 0; k < 100; ++k) calls += wire::node("f", {"x"}, {k == 0 ? "y" : "y" + std::to_string(k)}, d);
  const auto initializers =
      read_calls(function("f", {"a"}, {"b"}, step("If", {"a"}, {"b"}, wire::attribute("then_branch", graph) + wire::attribute("else_branch", graph))), calls);
  ASSERT_FALSE(initializers);
  EXPECT_EQ(initializers.error().what, copied.error().what);
  EXPECT_EQ(initializers.error().where, "m.onnx: node 'f_node' (f): node 'If_node' (If)");
}

TEST(OnnxFunctions, Defects) {
  struct Defect {
    std::string functions, nodes, what, where;
  };
  const std::string call = "m.onnx: node 'f_node' (f)", own = "m.onnx: function 'd.f'", calls = wire::node("f", {"x"}, {"y"}, d);
  const std::string f = function("f", {"a"}, {"b"}, step("Neg", {"a"}, {"b"}) + wire::block(6, "q"));
  const std::vector<Defect> defects{
      {function("f", {"a"}, {"b"}, step("f", {"a"}, {"b"}, d)), calls, "the function calls itself: d.f calls d.f", own},
      {function("f", {"a"}, {"b"}, step("g", {"a"}, {"b"}, d)) + function("g", {"a"}, {"b"}, step("If", {"a"}, {"b"}, branch("then_branch", "f", "a", d))),
       calls, "the function calls itself: d.f calls d.g calls d.f", own},
      {twice, calls, "the model has no function 'd.f', but others of its domain", call},
      {function("f", {"a"}, {"b"}, step("g", {"a"}, {"b"}, d)), calls, "the model has no function 'd.g', but others of its domain",
       own + ": node 'g_node' (g)"},
      {f, wire::node("f", {"x"}, {"y"}, wire::block(8, "o") + d), "the model has no function 'd.f:o', but others of its domain", call},
      {f + f, calls, "the function is defined twice", own},
      {function("", {"a"}, {"a"}, ""), calls, "a function without a name", "m.onnx"},
      {function("f", {"a", "a"}, {"a"}, ""), calls, "the input 'a' stands twice", own},
      {function("f", {""}, {"b"}, step("Neg", {}, {"b"})), calls, "an input without a name", own},
      {function("f", {"a"}, {"b"}, step("Neg", {"a"}, {"c"})), calls, "the output 'b' is not defined", own},
      {function("f", {"a"}, {"b"}, step("Neg", {"q"}, {"b"})), calls, "'q' is not defined", own + ": node 'Neg_node' (Neg)"},
      {function("f", {"a"}, {"b"}, step("Neg", {"x"}, {"b"})), calls, "'x' is not defined", own + ": node 'Neg_node' (Neg)"},
      {function("f", {"a"}, {"a"}, step("Neg", {"a"}, {"a"})), calls, "'a' is defined twice", own + ": node 'Neg_node' (Neg)"},
      {function("f", {"a"}, {"b"}, step("A", {"b"}, {"b"})), calls, "this node reads its own result", own + ": node 'A_node' (A)"},
      {function("f", {"a"}, {"b"}, step("Neg", {"a"}, {"b"}, wire::in_domain("e"))), calls, "the function imports no opset of the domain 'e'",
       call + ": node 'Neg_node' (Neg)"},
      {function("f", {"a"}, {"b"}, step("Neg", {"a"}, {"b"}) + wire::block(9, wire::block(1, "e") + wire::integer(2, -1))), calls,
       "the opset version -1 is absurd", own},
      {function("f", {"a"}, {"a"}, wire::block(6, "q") + default_whole("q", 1)), calls, "the attribute 'q' stands twice", own},
      {function("f", {"a"}, {"a"}, wire::block(11, wire::block(1, "q") + wire::block(21, "r"))), calls,
       "the default of the attribute 'q' is a reference to another", own},
      {function("f", {"a"}, {"a"}, wire::block(11, wire::block(1, "q") + wire::integer(20, 5) + wire::block(6, wire::node("Neg", {"a"}, {"b"})))), calls,
       "graphs are not supported as attributes of functions", own + ": attribute 'q'"},
      {f, wire::node("f", {"x", "x"}, {"y"}, d), "the call has 2 inputs, the function has 1", call},
      {f, wire::node("f", {"x"}, {"y", "z"}, d), "the call has 2 outputs, the function has 1", call},
      {f, wire::node("f", {"x"}, {"y"}, whole("r", 1) + d), "the function has no attribute 'r'", call},
      {f, wire::node("f", {"x"}, {"y"}, whole("q", 1) + whole("q", 1) + d), "the attribute 'q' stands twice", call},
      {f, wire::node("f", {"x"}, {"y"}, branch("q", "Neg", "x") + d), "graphs are not supported as attributes of functions", call + ": attribute 'q'"},
      {f, wire::node("f", {"x"}, {"y"}, attribute_named("q", "r", 2) + d), "a reference to the attribute 'r' of a function stands outside of functions",
       call + ": attribute 'q'"},
      {"", wire::node("A", {"x"}, {"y"}, attribute_named("q", "r", 2)), "a reference to the attribute 'r' of a function stands outside of functions",
       "m.onnx: node 'A_node' (A): attribute 'q'"},
      {function("f", {"a"}, {"b"}, step("A", {"a"}, {"b"}, attribute_named("p", "q", 1)) + wire::block(6, "q")),
       wire::node("f", {"x"}, {"y"}, whole("q", 1) + d), "the call gives another kind of value to the function's attribute 'q'",
       call + ": node 'A_node' (A): attribute 'p'"},
      {function("f", {"a", "c"}, {"c"}, ""), calls, "the output 'c' is an input of the function that the call leaves out", call},
      {function("f", {"a"}, {"b"}, step("Constant", {}, {"b"}, attribute_named("value_int", "q", 2)) + wire::block(6, "q")), calls,
       "a Constant has one attribute and one output", call + ": node 'Constant_node' (Constant)"},
  };
  for (const Defect& defect : defects) {
    const auto program = read_calls(defect.functions, defect.nodes);
    ASSERT_FALSE(program) << defect.what;
    EXPECT_TRUE(program.error().what.starts_with(defect.what)) << defect.what << ": " << to_text(program.error());
    EXPECT_EQ(program.error().where, defect.where) << defect.what;
  }
}

}  // namespace
}  // namespace tiebreak
