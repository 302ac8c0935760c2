// SPDX-License-Identifier: Apache-2.0
// eval --legal and --interval: sets of a fold, intervals of a sum, and what a profile binds.
#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandLegal : public CommandTest {};

const std::string reduce_text = R"(// %x: [100, 100, -50, 7]
// %s: 0
%r = "stablehlo.reduce"(%x, %s) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<i8:f32, 0.5>>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    "stablehlo.return"(%0) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
}) {dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
)";

TEST_F(CommandLegal, SetsOfAFold) {
  const std::string file = write("reduce.mlir", reduce_text);
  EXPECT_NE(run({"eval", file, "--legal", "--profile", "stablehlo-spec"}).out.find("// right for %r: {84, 127}"), std::string::npos);
  EXPECT_NE(run({"eval", file, "--legal"}).out.find("the profile leaves nothing open"), std::string::npos) << "reference binds the order";
  EXPECT_NE(run({"eval", file, "--interval"}).out.find("// right for %r: {84, 127}"), std::string::npos);
  const CommandOutcome outcome = run({"eval", file, "--legal", "--profile", "stablehlo-spec", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["cases"][0]["outputs"][0]["right"][0], "{84, 127}");
}

TEST_F(CommandLegal, IntervalsOfASum) {
  const std::vector<std::string> dot{"eval",        "stablehlo.dot_general",          "--input",     "lhs=[[1e8,1,-1e8]]:f32",
                                     "--input",     "rhs=[[1],[1],[1]]:f32",          "--attribute", "lhs_contracting_dimensions=[1]",
                                     "--attribute", "rhs_contracting_dimensions=[0]", "--result",    "tensor<1x1xf32>"};
  std::vector<std::string> legal = dot, interval = dot;
  legal.insert(legal.end(), {"--legal", "--profile", "stablehlo-spec"});
  interval.push_back("--interval");
  EXPECT_NE(run(legal).out.find(" .. "), std::string::npos);
  EXPECT_NE(run(interval).out.find("exact sum 1"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
