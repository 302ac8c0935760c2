// SPDX-License-Identifier: Apache-2.0
// bits through the command: operands, ranges, cases, exit codes.
#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandBits : public CommandTest {};

TEST_F(CommandBits, WorstCaseDataAndPairs) {
  CommandOutcome pairs = run({"bits", "onnx.MatMulInteger", "--input", "A=255:tensor<1x64xu8>", "--input", "B=127:tensor<64x1xi8>", "--accumulator", "16",
                              "--order", "blocks:2", "--json"});
  EXPECT_EQ(pairs.code, 1) << pairs.err;
  const nlohmann::json report = nlohmann::json::parse(pairs.out);
  EXPECT_EQ(report["schema"], "tiebreak.bits/1");
  EXPECT_EQ(report["any_input"]["all"]["sum"]["greatest"], 2072640);
  EXPECT_EQ(report["these_inputs"]["all"]["sum"]["bits"], 22);
  EXPECT_EQ(report["accumulators"][1]["first"]["narrow_sum"], 1048544);
  CommandOutcome range = run({"bits", "onnx.MatMulInteger", "--range", "A=0..127:tensor<1x64xu8>", "--input", "B=64:tensor<64x1xi8>", "--accumulator", "u20"});
  EXPECT_EQ(range.code, 0) << range.err;
  EXPECT_NE(range.out.find("any input      0    520192    20"), std::string::npos) << range.out;
  EXPECT_NE(range.out.find("0 of 1"), std::string::npos) << range.out;
}

TEST_F(CommandBits, ACaseAndItsRange) {
  const std::string file = write("conv.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.ConvInteger", "cases": [
    { "name": "one", "inputs": { "x": {"type": "u8", "shape": [1, 1, 3], "data": [1, 2, 3]}, "w": {"type": "i8", "shape": [1, 1, 2], "data": [5, -1]} } } ] })");
  CommandOutcome outcome = run({"bits", "onnx.ConvInteger/one", "--source", file, "--range", "x=0..3"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("any input        -3        15     5"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("these inputs      3         7     4"), std::string::npos) << outcome.out;
}

TEST_F(CommandBits, WrongWords) {
  const std::vector<std::string> product{"bits", "onnx.MatMulInteger", "--input", "A=1:tensor<1x1xu8>", "--input", "B=1:tensor<1x1xi8>"};
  auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = product;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  EXPECT_EQ(with({"--range", "A=0..256"}).code, 2);
  EXPECT_EQ(with({"--range", "A"}).code, 2);
  EXPECT_NE(with({"--range", "C=0..1"}).err.find("no operand 'C'"), std::string::npos);
  EXPECT_EQ(with({"--accumulator", "1"}).code, 2);
  EXPECT_NE(with({"--accumulator", "16", "--order", "stp"}).err.find("did you mean 'step'?"), std::string::npos);
  EXPECT_EQ(run({"bits", "onnx.Neg", "--input", "X=[1]:i8"}).code, 2) << "no sum";
  EXPECT_EQ(run({"bits", "no-such-thing"}).code, 2);
}

}  // namespace
}  // namespace tiebreak
