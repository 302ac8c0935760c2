// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM end whatever is computed, at once, with what there is by then. Each of these computations takes minutes if it is left alone.
#include <signal.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandInterrupt : public CommandTest {
 protected:
  /// A small case, then a product whose exact evaluation takes 2 * 10^8 steps.
  std::string long_case() {
    return write("long.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.MatMulInteger", "cases": [
      { "name": "short", "inputs": { "A": {"type": "u8", "shape": [1, 1], "data": [3]}, "B": {"type": "i8", "shape": [1, 1], "data": [5]} } },
      { "name": "long", "inputs": { "A": {"type": "u8", "shape": [600, 600], "rule": "random"}, "B": {"type": "i8", "shape": [600, 600], "rule": "random"} } } ] })");
  }
  CommandOutcome ended(const std::vector<std::string>& arguments, int signal = SIGINT) {
    constexpr double before = 3, soon = 3;  // a second on a machine that has nothing else to do
    const CommandOutcome outcome = run_and_signal_after(arguments, before, signal);
    EXPECT_EQ(outcome.code, signal == SIGINT ? 130 : 143) << arguments[0] << "\n" << outcome.out << outcome.err;
    EXPECT_LT(outcome.seconds_after_signal, soon) << arguments[0];
    return outcome;
  }
};

TEST_F(CommandInterrupt, Eval) {
  const CommandOutcome outcome = ended({"eval", long_case(), "--engine", "exact"});
  EXPECT_NE(outcome.out.find("%Y: [[15]]"), std::string::npos) << "what was computed before is printed\n" << outcome.out << outcome.err;
  ended({"eval", long_case(), "--engine", "exact"}, SIGTERM);
}

TEST_F(CommandInterrupt, Explain) {
  ended({"explain", "onnx.MatMulInteger/long", "--source", write("deep.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.MatMulInteger",
    "cases": [ { "name": "long", "inputs": { "A": {"type": "u8", "shape": [1, 30000000], "rule": "random"}, "B": {"type": "i8", "shape": [30000000, 1], "rule": "random"} } } ] })")});
}

TEST_F(CommandInterrupt, CheckOfAModel) {
  Program program;  // of the same product
  const TensorType left{*ElementType::parse("u8"), {600, 600}, {}}, right{*ElementType::parse("i8"), {600, 600}, {}},
      sum{*ElementType::parse("i32"), {600, 600}, {}};
  program.values = {ProgramValue{"a", left}, ProgramValue{"b", right}, ProgramValue{"y", sum}};
  program.inputs = {0, 1};
  program.outputs = {2};
  program.operations = {Operation{"onnx.MatMulInteger", {0, 1}, {2}, {}, 10, ""}};
  const auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  write("product.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  const CommandOutcome outcome =
      ended({"check", path("product.onnx"), "--per-layer", "--backend", "reference", "--profile", "onnx", "--engine", "exact", "--json=" + path("r.json")});
  EXPECT_NE(read("r.json").find("\"incomplete\": true"), std::string::npos) << outcome.out << outcome.err;
}

TEST_F(CommandInterrupt, CheckOfCases) {
  const CommandOutcome outcome = ended({"check", long_case(), "--backend", "reference", "--engine", "exact", "--json=" + path("r.json")});
  EXPECT_NE(outcome.out.find("not run"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(read("r.json").find("\"incomplete\": true"), std::string::npos);
}

TEST_F(CommandInterrupt, GoldenBuild) {
  ended({"golden", "build", long_case(), "-o", path("golden"), "--engine", "exact"});
  EXPECT_FALSE(std::filesystem::exists(path("golden/manifest.json")));
}

TEST_F(CommandInterrupt, Score) { ended({"score", long_case(), "--profile", "onnx"}); }

TEST_F(CommandInterrupt, Diff) {
  const std::vector<std::string> words{"diff", "tflite-ref-double", "tflite-ref-single", "--input", "y_scale=1..4096/30000:f32", "--json=" + path("d.json")};
  for (const int signal : {SIGINT, SIGTERM}) {
    const CommandOutcome outcome = ended(words, signal);
    EXPECT_NE(outcome.out.find("differ on "), std::string::npos) << "the sets that were compared\n" << outcome.out;
    const std::size_t last = outcome.out.find("incomplete: interrupted after ");
    ASSERT_NE(last, std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(" of 90000 parameter sets", last), std::string::npos) << outcome.out;
    EXPECT_NE(read("d.json").find("\"incomplete\": true"), std::string::npos);
  }
}

TEST_F(CommandInterrupt, MatrixOfDifferences) {
  const CommandOutcome outcome = ended({"diff", "--matrix", "--svg", path("map.svg")});
  EXPECT_NE(outcome.out.find("incomplete: interrupted after "), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("interrupted at"), std::string::npos) << "no semantics is left out for that\n" << outcome.out;
  EXPECT_FALSE(std::filesystem::exists(path("map.svg")));
}

TEST_F(CommandInterrupt, Identify) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const CommandOutcome outcome =
        ended({"identify", "--backend", "reference", "--op", "onnx.QuantizeLinear", "--confirm", "100000000", "--json=" + path("i.json")}, signal);
    EXPECT_NE(outcome.out.find("explains all "), std::string::npos) << "what was known by then\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.find("cannot be evaluated"), std::string::npos) << "an interrupt refutes nothing\n" << outcome.out;
    EXPECT_NE(outcome.out.find("incomplete: interrupted"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE(read("i.json").find("\"incomplete\": true"), std::string::npos);
  }
}

TEST_F(CommandInterrupt, IdentifyOfManyOps) {
  const CommandOutcome outcome = ended({"identify", "--backend", "reference", "--op", "onnx.*", "--confirm", "100000", "--json=" + path("s.json")});
  EXPECT_NE(outcome.out.find("interrupted"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(read("s.json").find("tiebreak.survey/1"), std::string::npos) << "the rows that were finished";
}

TEST_F(CommandInterrupt, SpecVerify) {
  const std::string ones = "stablehlo.constant dense<1.0> : tensor<1500x1500xf32>\n";
  const std::string text = write(
      "text.md", "# Short\n```mlir\n// %x: 1\n// %y: 2\n%z = stablehlo.add %x, %y : tensor<i8>\n// %z: 3\n```\n# Long\n```mlir\n%a = " + ones + "%b = " + ones +
                     "%c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1500x1500xf32>, tensor<1500x1500xf32>) -> "
                     "tensor<1500x1500xf32>\n// %c: []\n```\n");
  const CommandOutcome outcome = ended({"spec", "verify", text});
  EXPECT_NE(outcome.out.find("1 example"), std::string::npos) << outcome.out << outcome.err;
}

TEST_F(CommandInterrupt, InputsThatAreBeingMade) {
  ended({"eval", write("inputs.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ { "name": "large",
    "inputs": { "x": {"type": "f32", "shape": [20000, 20000], "rule": "random"}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } } ] })")});
}

}  // namespace
}  // namespace tiebreak
