// SPDX-License-Identifier: Apache-2.0
// Parts of a model, a run that is stopped, and what a terminal shows of it.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/small_model_commands.hpp"

namespace tiebreak {
namespace {

class CommandLayers : public SmallModelCommands {
 protected:
  void SetUp() override {
    SmallModelCommands::SetUp();
    if (IsSkipped()) return;
  }
  std::vector<std::string> per_layer(const std::string& model, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"check", path(model + ".onnx"), "--per-layer", "--profile", "onnx", "--json=" + path("r.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  const std::vector<std::string> by_reference_{"--backend", "reference", "--backend-option=--profile", "--backend-option=onnx"};
  CommandOutcome check(std::vector<std::string> more) {
    more.insert(more.end(), by_reference_.begin(), by_reference_.end());
    return run(per_layer("cnn.qoperator", more));
  }
  nlohmann::json report() { return nlohmann::json::parse(read("r.json")); }
  std::vector<std::string> ids() {
    std::vector<std::string> all;
    const nlohmann::json found = report();
    for (const auto& test : found["cases"]) all.push_back(test["id"]);
    return all;
  }

  /// A small product, then one whose exact evaluation takes minutes, with all types stated.
  void write_long_model() {
    const auto type = [](const char* element, std::int64_t extent) { return TensorType{*ElementType::parse(element), {extent, extent}, {}}; };
    Program program;
    program.values = {ProgramValue{"a", type("u8", 2)},   ProgramValue{"b", type("i8", 2)},   ProgramValue{"small", type("i32", 2)},
                      ProgramValue{"c", type("u8", 600)}, ProgramValue{"d", type("i8", 600)}, ProgramValue{"large", type("i32", 600)}};
    program.inputs = {0, 1, 3, 4};
    program.outputs = {2, 5};
    program.operations = {Operation{"onnx.MatMulInteger", {0, 1}, {2}, {}, 10, ""}, Operation{"onnx.MatMulInteger", {3, 4}, {5}, {}, 10, ""}};
    const auto bytes = write_onnx_model(program);
    ASSERT_TRUE(bytes) << to_text(bytes.error());
    write("long.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  }
};

TEST_F(CommandLayers, ARangeOfLayersIsJudged) {
  CommandOutcome outcome = check({"--layers", "1..3"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(ids(),
            (std::vector<std::string>{"cnn.qoperator/01.stem-conv", "cnn.qoperator/02.stem-pool", "cnn.qoperator/03.body-conv", "cnn.qoperator/outputs"}));
  EXPECT_NE(report()["cases"][3]["reproduce"].get<std::string>().find("--layers 1..3"), std::string::npos) << "its results are the outputs";
  outcome = check({"--layers", "/side/conv..", "--until", "4"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(ids(), (std::vector<std::string>{"cnn.qoperator/04.side-conv", "cnn.qoperator/outputs"}));
  EXPECT_NE(report()["cases"][1]["reproduce"].get<std::string>().find("--until 4"), std::string::npos);
  outcome = check({"--until", "body-conv", "--list"});
  EXPECT_EQ(outcome.out,
            "cnn.qoperator/00.image-input_q\ncnn.qoperator/01.stem-conv\ncnn.qoperator/02.stem-pool\ncnn.qoperator/03.body-conv\ncnn.qoperator/outputs\n");
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--layers", "wrong/"}, {"--layers", "9..3"}, {"--until", "body-conw"}, {"--until", "400"}}) {
    outcome = check(wrong);
    EXPECT_EQ(outcome.code, 2) << wrong[1];
    EXPECT_EQ(outcome.err.rfind("tiebreak: ", 0), 0U) << outcome.err;
  }
}

TEST_F(CommandLayers, AStoppedRunLeavesTheLayersThatWereJudged) {
  write_long_model();
  // Two questions: all values, and the model as it is. Then the reference runs: a small layer, and a long one in which the signal comes.
  const std::string backend =
      shell_backend("two", "\"" TIEBREAK_BINARY_DIR "/tiebreak-adapter-reference\" --profile onnx run \"$@\" || exit 1\n[ -e " + path("first") +
                               " ] && (setsid sh -c 'sleep 2; : > " + path("ready") + "' >/dev/null 2>&1 &)\n: > " + path("first"));
  const CommandOutcome outcome = run_and_signal(per_layer("long", {"--backend", backend, "--engine", "exact"}), path("ready"), SIGTERM);
  EXPECT_EQ(outcome.code, 143) << outcome.out << outcome.err;
  EXPECT_LT(outcome.seconds_after_signal, 3) << "a second on a machine that has nothing else to do";
  const nlohmann::json found = report();
  EXPECT_EQ(found["incomplete"], true);
  EXPECT_EQ(found["models"][0]["stopped"], "long/1.large") << found["models"];
  EXPECT_EQ(found["cases"][0]["status"], "conform");
  EXPECT_EQ(found["cases"][1]["status"], "not_run");
  EXPECT_EQ(found["models"][0]["layers"][0]["values"][0]["local"]["compared"], 4);
  EXPECT_NE(outcome.out.find("stopped before long/1.large: 1 of 2 layers was judged"), std::string::npos) << outcome.out;
  const CommandOutcome again = run({"report", "show", path("r.json")});
  EXPECT_EQ(again.code, 0) << "the report is read back";
  EXPECT_NE(again.out.find("stopped before long/1.large"), std::string::npos) << again.out;
}

TEST_F(CommandLayers, AnInterruptEndsTheBackendsRunToo) {
  write_long_model();
  const std::string backend = shell_backend("hangs", ": > " + path("ready") + "\nsleep 600");
  const CommandOutcome outcome = run_and_signal(per_layer("long", {"--backend", backend}), path("ready"), SIGINT);
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_LT(outcome.seconds_after_signal, 3);
  EXPECT_EQ(report()["models"][0]["stopped"], "long/0.small");
  EXPECT_EQ(outcome.out.find("does not run"), std::string::npos) << "an interrupt says nothing about the backend\n" << outcome.out;
}

TEST_F(CommandLayers, AnInterruptEndsTheDrawingOfInputsToo) {
  const TensorType codes{*ElementType::parse("u8"), {12000, 12000}, {}}, scale{*ElementType::parse("f32"), {}, {}};
  Program program;
  program.values = {ProgramValue{"x", codes}, ProgramValue{"s", scale}, ProgramValue{"y", std::nullopt}};
  program.inputs = {0, 1};
  program.outputs = {2};
  program.operations = {Operation{"onnx.DequantizeLinear", {0, 1}, {2}, {}, 13, ""}};
  program.values[2].type = TensorType{scale.element, codes.shape, {}};
  const auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  write("wide.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  const CommandOutcome outcome = run_and_signal_after(per_layer("wide", {"--backend", "reference"}), 2, SIGINT);
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  EXPECT_LT(outcome.seconds_after_signal, 3);
}

/// The command with standard error on a terminal of its own; what it wrote there.
std::string on_a_terminal(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return "no terminal";
  const std::string name = ::ptsname(master);
  const pid_t child = ::fork();
  if (child == 0) {
    const int terminal = ::open(name.c_str(), O_RDWR | O_NOCTTY), nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(terminal, STDERR_FILENO);
    for (const auto& [variable, value] : environment) ::setenv(variable.c_str(), value.c_str(), 1);
    std::vector<std::string> words{TIEBREAK_BINARY_DIR "/tiebreak"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  std::string text;
  char block[4096];
  for (ssize_t got = 0; (got = ::read(master, block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(got));  // ends when the child does
  ::waitpid(child, nullptr, 0);
  ::close(master);
  return text;
}

TEST_F(CommandLayers, ATerminalShowsTheLayerAndTheShareDone) {
  std::vector<std::string> words = per_layer("cnn.qoperator", by_reference_);
  const std::map<std::string, std::string> places{{"TIEBREAK_SPEC", TIEBREAK_SOURCE_DIR "/spec"}, {"TIEBREAK_ADAPTERS", TIEBREAK_BINARY_DIR}};
  const std::string shown = on_a_terminal(words, places);
  if (shown == "no terminal") GTEST_SKIP() << "no pseudo-terminal";
  EXPECT_NE(shown.find("layer 1 of "), std::string::npos) << shown;
  EXPECT_NE(shown.find(": 0 % done"), std::string::npos) << shown;
  EXPECT_NE(shown.find("body/conv"), std::string::npos) << shown;
  words.push_back("--quiet");
  EXPECT_EQ(on_a_terminal(words, places).find("layer "), std::string::npos);
  EXPECT_EQ(check({}).err.find("layer "), std::string::npos) << "never in a file";
}

/// ONNX names no order of a sum: what the text computes is not all that is right, and the layer says how much of it is other.
TEST_F(CommandLayers, SumsInAnotherOrderAreRight) {
  const auto type = [](std::int64_t rows, std::int64_t columns) { return TensorType{*ElementType::parse("f32"), {rows, columns}, {}}; };
  Program program;
  program.values = {ProgramValue{"a", type(4, 96)}, ProgramValue{"b", type(96, 5)}, ProgramValue{"y", type(4, 5)}};
  program.inputs = {0, 1};
  program.outputs = {2};
  program.operations = {Operation{"onnx.MatMul", {0, 1}, {2}, {}, 13, ""}};
  const auto bytes = write_onnx_model(program);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  write("sum.onnx", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  const CommandOutcome outcome = run(per_layer("sum", {"--backend", "reference", "--backend-option=--profile", "--backend-option=onnxruntime-x64"}));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const nlohmann::json layer = report()["models"][0]["layers"][0]["values"][0]["local"];
  const auto right = layer.value("right", 0);
  EXPECT_GT(right, 0) << layer;
  EXPECT_EQ(layer["different"], right);
  EXPECT_FALSE(layer.contains("worst")) << layer;
  EXPECT_NE(outcome.out.find("  0, " + std::to_string(right) + " right "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("the model as it is: 0 elements of y differ; " + std::to_string(right) + " more are other results, and right"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace tiebreak
