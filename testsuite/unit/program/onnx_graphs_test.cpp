// SPDX-License-Identifier: Apache-2.0
// Graphs inside ONNX nodes: regions that capture what they read of the graphs around them.
#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/program/onnx_wire.hpp"

namespace tiebreak {
namespace {

constexpr const char* nested = R"(func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>) {
  %k = "stablehlo.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %y = "onnx.If"(%c) <{version = 16 : i64}> ({
    %a = "onnx.Add"(%x, %k) <{version = 16 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %b = "onnx.If"(%c) <{version = 16 : i64}> ({
      %d = "onnx.Mul"(%a, %k) <{version = 16 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "onnx.Yield"(%d) : (tensor<2xf32>) -> ()
    }, {
      %e = "onnx.Neg"(%a) <{version = 16 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
      "onnx.Yield"(%e) : (tensor<2xf32>) -> ()
    }) : (tensor<i1>) -> tensor<2xf32>
    "onnx.Yield"(%b) : (tensor<2xf32>) -> ()
  }, {
    %f = "onnx.Neg"(%x) <{version = 16 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
    "onnx.Yield"(%f) : (tensor<2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
})";

std::vector<std::string> names(const Program& program, const std::vector<ValueId>& ids) {
  std::vector<std::string> found;
  for (ValueId id : ids) found.push_back(program.values[static_cast<std::size_t>(id)].name);
  return found;
}

TEST(OnnxGraphs, RegionsAreWrittenAndReadAgain) {
  const auto parsed = parse_mlir(nested, "m.mlir");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  const auto bytes = write_onnx_model(parsed->functions.front());
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  const auto read = read_onnx(*bytes, "m.onnx");
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_EQ(read->operations.size(), 1U);
  const Operation& outer = read->operations.front();
  ASSERT_EQ(outer.regions.size(), 2U);
  EXPECT_EQ(names(*read, outer.regions[0].captured), (std::vector<std::string>{"x", "k", "c"}));
  EXPECT_EQ(names(*read, outer.regions[1].captured), (std::vector<std::string>{"x"}));
  const Program& then = outer.regions[0].program;
  ASSERT_EQ(then.operations.size(), 2U);
  EXPECT_EQ(then.operations[1].op, "onnx.If");
  EXPECT_EQ(names(then, then.operations[1].regions[0].captured), (std::vector<std::string>{"a", "k"}));
  EXPECT_EQ(then.operations[1].regions[1].program.operations[0].op, "onnx.Neg");
  const auto again = write_onnx_model(*read);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *bytes);
}

/// An attribute that is a graph of one node, NAME_y = Neg(FROM).
std::string branch(const std::string& name, const std::string& from) {
  const std::string graph = wire::node("Neg", {from}, {name + "_y"}) + wire::block(12, wire::value_info(name + "_y"));
  return wire::attribute(name, wire::integer(20, 5) + wire::block(6, graph));
}

Result<Program> read_graph(const std::string& nodes) {
  return read_onnx(wire::bytes(wire::model(nodes + wire::block(11, wire::value_info("x")) + wire::block(12, wire::value_info("y")))), "m.onnx");
}

/// A node that only a graph inside another node reads comes before it, and the regions stand in the order of the operator's text.
TEST(OnnxGraphs, ANodeRunsAfterWhatItsGraphsRead) {
  const auto program = read_graph(wire::node("If", {"x"}, {"y"}, branch("else_branch", "a") + branch("then_branch", "x")) + wire::node("Neg", {"x"}, {"a"}));
  ASSERT_TRUE(program) << to_text(program.error());
  ASSERT_EQ(program->operations.size(), 2U);
  EXPECT_EQ(program->operations[0].op, "onnx.Neg");
  ASSERT_EQ(program->operations[1].regions.size(), 2U);
  EXPECT_EQ(names(*program, program->operations[1].regions[0].captured), (std::vector<std::string>{"x"}));
  EXPECT_EQ(names(*program, program->operations[1].regions[1].captured), (std::vector<std::string>{"a"}));
}

TEST(OnnxGraphs, Defects) {
  struct Defect {
    std::string nodes, what, where;
  };
  const std::string both = branch("else_branch", "x") + branch("then_branch", "x");
  const std::string place = "m.onnx: node 'If_node' (If)";
  const std::vector<Defect> defects{
      {wire::node("If", {"x"}, {"y"}, branch("else_branch", "x")), "the graph 'then_branch' is missing", place},
      {wire::node("If", {"x"}, {"y"}, both + branch("body", "x")), "the operator has no graph 'body'", place},
      {wire::node("If", {"x"}, {"y"}, both + branch("else_branch", "x")), "the attribute 'else_branch' stands twice", place},
      {wire::node("If", {"x"}, {"y"}, branch("else_branch", "x") + branch("then_branch", "q")), "'q' is not defined", place},
      {wire::node("If", {"x"}, {"y"}, branch("else_branch", "x") + branch("then_branch", "y")), "this node reads its own result", place},
      {wire::node("If", {"x"}, {"y"},
                  branch("else_branch", "x") + wire::attribute("then_branch", wire::integer(20, 5) + wire::block(6, wire::block(12, wire::value_info("q"))))),
       "'q' is not defined", place},
      {wire::node("If", {"x"}, {"y"}, branch("else_branch", "x") + wire::attribute("then_branch", wire::integer(20, 5))), "an attribute without a type",
       place + ": attribute 'then_branch'"},
      {wire::node("Neg", {"x"}, {"then_branch_y"}) + wire::node("If", {"x"}, {"y"}, both), "'then_branch_y' is defined twice",
       place + ": node 'Neg_node' (Neg)"},
  };
  for (const Defect& defect : defects) {
    const auto program = read_graph(defect.nodes);
    ASSERT_FALSE(program) << defect.what;
    EXPECT_NE(program.error().what.find(defect.what), std::string::npos) << program.error().what;
    EXPECT_EQ(program.error().where, defect.where) << defect.what;
  }
}

}  // namespace
}  // namespace tiebreak
