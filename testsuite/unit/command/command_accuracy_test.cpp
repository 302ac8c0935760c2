// SPDX-License-Identifier: Apache-2.0
// tiebreak accuracy: exit codes, what is written, an interrupt.
#include <signal.h>

#include <nlohmann/json.hpp>

#include "interpreter/program/program.hpp"
#include "testsuite/arrays/npy.hpp"
#include "testsuite/unit/helpers/command_run.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {
namespace {

class CommandAccuracy : public CommandTest {
 protected:
  /// y = round(x) as u8; ties are 2.5 of the second input and 0.5 of the third.
  std::string quantizer() {
    Program program;
    program.name = "net";
    program.values = {{"x", TensorType{*ElementType::parse("f32"), {1, 3}, {}}},
                      {"scale", {}, exact_scalar("f32", Real(1))},
                      {"zero", {}, exact_scalar("u8", Real(0))},
                      {"y", TensorType{*ElementType::parse("u8"), {1, 3}, {}}}};
    program.inputs = {0};
    program.outputs = {3};
    program.operations = {{.op = "onnx.QuantizeLinear", .operands = {0, 1, 2}, .results = {3}, .attributes = {}, .version = 21, .where = ""}};
    const auto bytes = write_onnx_model(program);
    EXPECT_TRUE(bytes);
    write("x.npy", npy_bytes(floats_tensor({4, 3}, {0, 1, 2, 2.5, 3, 1, 7, 0, 0.5, 1.25, 1.5, 9})));
    return write("net.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  }
  CommandOutcome accuracy(std::vector<std::string> more) {
    std::vector<std::string> words{"accuracy", path("net.onnx"), "--data", path("x.npy")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  const std::vector<std::string> two_{"--profile", "onnx", "--profile", "onnx:tie=away"};
  std::vector<std::string> with(std::vector<std::string> more) const {
    more.insert(more.begin(), two_.begin(), two_.end());
    return more;
  }
};

TEST_F(CommandAccuracy, TheFirstLineIsTheResult) {
  quantizer();
  const CommandOutcome outcome = accuracy(two_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "4 inputs, profile onnx against profile onnx:tie=away: 16.7 % of codes differ, by at most 1; 1 of 4 arg max change; SQNR 18.8649 dB");
  EXPECT_EQ(accuracy(with({"--limit", "1"})).out.find("1 input, profile onnx against profile onnx:tie=away: none of 3 codes differs"), 0u);
}

TEST_F(CommandAccuracy, TheSameBytesForAnyJobs) {
  quantizer();
  const std::string alone = accuracy(with({"--json"})).out;
  EXPECT_EQ(accuracy(with({"--json", "-j", "3"})).out, alone);
  const auto report = nlohmann::json::parse(alone);
  EXPECT_EQ(report["schema"], "tiebreak.accuracy/1");
  EXPECT_EQ(report["differences"][0]["outputs"][0]["arg_max"]["inputs"][0]["name"], path("x.npy") + "[1]");
}

TEST_F(CommandAccuracy, OnlyAnOptionMakesADifferenceAFinding) {
  quantizer();
  EXPECT_EQ(accuracy(with({"--fail-over", "20%"})).code, 0);
  EXPECT_EQ(accuracy(with({"--fail-over", "16%"})).code, 1);
  EXPECT_EQ(accuracy(with({"--fail-over", "0.16"})).code, 1);
  EXPECT_EQ(accuracy(with({"--fail-over", "0"})).code, 1);
  EXPECT_EQ(accuracy({"--profile", "onnx", "--profile", "onnx", "--fail-over", "0"}).code, 0);
}

TEST_F(CommandAccuracy, BackendsAreAskedForTheWholeModel) {
  quantizer();
  CommandOutcome outcome = accuracy({"--profile", "onnx:tie=away", "--backend", "reference", "--markdown", path("r.md")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("profile onnx:tie=away against backend reference: none of 12 codes differs"), std::string::npos) << outcome.out;
  EXPECT_NE(read("r.md").find("backend reference"), std::string::npos);
  outcome = accuracy({"--profile", "onnx", "--backend", shell_backend("crash", "exit 3")});
  EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("did not answer 4 of 4 inputs"), std::string::npos) << outcome.out;
}

TEST_F(CommandAccuracy, Labels) {
  quantizer();
  write("labels.txt", "2\n0\n0\n0\n");
  const CommandOutcome outcome = accuracy(with({"--labels", path("labels.txt")}));
  EXPECT_NE(outcome.out.find("top 1 of y, profile onnx: 2 of 4 right (50 %)\ntop 1 of y, profile onnx:tie=away: 3 of 4 right (75 %)"), std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_EQ(accuracy(with({"--labels", path("labels.txt"), "--limit", "3"})).code, 0);
  write("labels.txt", "2\n0\n0\n");
  EXPECT_EQ(accuracy(with({"--labels", path("labels.txt")})).code, 2);
}

TEST_F(CommandAccuracy, BadInputIsOneErrorAndNothingIsWritten) {
  quantizer();
  write("odd.npy", npy_bytes(floats_tensor({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})));
  const std::vector<std::vector<std::string>> wrong{
      {"accuracy", path("net.onnx"), "--profile", "onnx"},
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "no-such"},
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "onnx:no=such"},
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "onnx:tie=away", "--data", path("odd.npy")},
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "onnx:tie=away", "--data", path("x.npy"), "--samples", "3"},
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "onnx:tie=away", "--fail-over", "much"},
      {"accuracy", path("nowhere.onnx"), "--profile", "onnx", "--profile", "onnx:tie=away"}};
  for (std::vector<std::string> words : wrong) {
    words.push_back("--json=" + path("r.json"));
    const CommandOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words.back() << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err.find("tiebreak: "), 0u) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("r.json")));
  }
}

TEST_F(CommandAccuracy, AnInterruptLeavesTheInputsThatWereDone) {
  quantizer();
  // Crashes at once for the first inputs, and then waits.
  const std::string backend = shell_backend(
      "waits", "echo >> " + path("calls") + "\nif [ $(wc -l < " + path("calls") + ") -gt 3 ]; then touch " + path("ready") + "; sleep 60; fi\nexit 3");
  constexpr double soon = 3;  // a second on a machine that has nothing else to do
  const CommandOutcome outcome = run_and_signal(
      {"accuracy", path("net.onnx"), "--profile", "onnx", "--profile", "onnx:tie=away", "--backend", backend, "--samples", "8", "--json=" + path("r.json")},
      path("ready"), SIGINT);
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_LT(outcome.seconds_after_signal, soon);
  EXPECT_NE(outcome.out.find("incomplete: interrupted after "), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find(" of 8 inputs ("), std::string::npos) << outcome.out;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["incomplete"], true);
  EXPECT_GT(report["done"], 0);
  EXPECT_LT(report["done"], 8);
}

}  // namespace
}  // namespace tiebreak
