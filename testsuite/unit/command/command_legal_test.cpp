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

TEST_F(CommandLegal, SetsThatATextStates) {
  const std::vector<std::string> rescale{
      "eval",        "tosa.RESCALE", "--legal",        "--input", "input=[1,509,510]:i16", "--input",     "multiplier=1073741824:i32",  "--input",
      "shift=31:i8", "--input",      "input_zp=0:i16", "--input", "output_zp=0:i8",        "--attribute", "rounding_mode=INEXACT_ROUND"};
  EXPECT_NE(run(rescale).out.find("// right for %output: [0 .. 1, 127, 127]"), std::string::npos) << run(rescale).out;
  const std::vector<std::string> root{"eval", "tosa.RSQRT", "--legal", "--input", "input1=[0.3]:f32"};
  std::vector<std::string> text = root;
  text.insert(text.end(), {"--profile", "tosa-1.0"});
  EXPECT_NE(run(root).out.find("the profile leaves nothing open"), std::string::npos) << run(root).out;
  EXPECT_NE(run(text).out.find("[0x1.d363cep+0 .. 0x1.d363d4p+0]"), std::string::npos) << run(text).out;
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
