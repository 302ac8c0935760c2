// SPDX-License-Identifier: Apache-2.0
// Runs that are divided, repeated, interrupted and taken up again, and backends that misbehave, as a user meets them.
#include <signal.h>

#include <nlohmann/json.hpp>
#include <set>

#include "testsuite/unit/exchange/sample.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandRuns : public CommandTest {
 protected:
  std::vector<std::string> check(const std::string& backend, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"check", quantize_cases(), "--backend", backend, "--profile", "onnx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::vector<std::string> faulty(const std::string& fault, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = check("faulty", {"--backend-option=--fault", "--backend-option=" + fault});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  /// The adapter with a fault, for shell backends.
  static std::string answer(const std::string& fault) { return TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault " + fault + " run \"$1\" \"$2\""; }
  static std::set<std::string> lines(const std::string& text) {
    std::set<std::string> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) found.insert(line);
    return found;
  }
  nlohmann::json json(const std::string& name) { return nlohmann::json::parse(read(name)); }
};

TEST_F(CommandRuns, ShardsTogetherAreEverything) {
  std::set<std::string> all = lines(run({"case", "list", "onnx.QuantizeLinear/*"}).out), parts;
  ASSERT_GT(all.size(), 20U);
  std::size_t count = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    std::set<std::string> part = lines(run({"check", "--list", "onnx.QuantizeLinear/*", "--shard", shard}).out);
    EXPECT_GT(part.size(), all.size() / 6);
    count += part.size();
    parts.insert(part.begin(), part.end());
  }
  EXPECT_EQ(parts, all);
  EXPECT_EQ(count, all.size());
}

TEST_F(CommandRuns, AShardWithoutCasesIsNoMistake) {
  int cases = 0;
  for (const char* index : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    environment = {std::string("TEST_SHARD_INDEX=") + index, "TEST_TOTAL_SHARDS=8", "TEST_SHARD_STATUS_FILE=" + path("status")};
    CommandOutcome outcome = run(faulty("none", {"--json=" + path("r.json")}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(path("status")));
    nlohmann::json report = json("r.json");
    EXPECT_EQ(report["context"]["shard"], std::to_string(std::stoi(index) + 1) + "/8");
    cases += static_cast<int>(report["cases"].size());
  }
  EXPECT_EQ(cases, 2);
  environment = {"TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=4", "GTEST_SHARD_INDEX=0", "GTEST_TOTAL_SHARDS=4"};
  EXPECT_EQ(run(faulty("none")).code, 2);
  EXPECT_EQ(run(faulty("none", {"--shard", "1/1"})).code, 0);
  environment.clear();
  EXPECT_EQ(run(faulty("none", {"--shard", "1/2", "-k", "onnx.Add/*"})).code, 4) << "of nothing there are no shards";
}

TEST_F(CommandRuns, IsolatedCasesHaveProcessesOfTheirOwn) {
  std::string cases = write("many.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ { "for": {"n": "1 .. 40"}, "name": "n$n",
    "inputs": { "x": {"type": "f32", "shape": ["$n"], "rule": "constant", "value": 1}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } } ] })");
  std::string backend = shell_backend("counting", "echo run >> " + path("runs") + "\n" + answer("none"));
  EXPECT_EQ(run({"check", cases, "--backend", backend}).code, 0);
  std::size_t together = read("runs").size() / 4;
  EXPECT_LT(together, 20U);
  CommandOutcome apart = run({"check", cases, "--backend", backend, "--isolate", "--json=" + path("r.json")});
  EXPECT_EQ(apart.code, 0) << apart.out << apart.err;
  EXPECT_EQ(read("runs").size() / 4, together + 40);
  EXPECT_EQ(json("r.json")["context"]["isolate"], "true");
  // A backend that always crashes is asked about every case, too, and the commands to reproduce say how.
  std::string crash = shell_backend("crash", "kill -KILL $$");
  CommandOutcome killed = run({"check", cases, "--backend", crash, "--isolate"});
  EXPECT_EQ(killed.code, 5);
  EXPECT_EQ(killed.out.find("not run alone"), std::string::npos) << killed.out;
  EXPECT_NE(killed.out.find("--isolate"), std::string::npos) << killed.out;
}

TEST_F(CommandRuns, ABackendThatContradictsItselfFails) {
  std::string moody = shell_backend("moody", "if [ -e " + path("once") + " ]; then F=half-away; else F=none; touch " + path("once") + "; fi\n" +
                                                 TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault $F run \"$1\" \"$2\"");
  CommandOutcome outcome = run(check(moody, {"--repeat", "3", "-k", "*/ties", "--json=" + path("r.json")}));
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("the backend contradicts itself: output y: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("--repeat 3"), std::string::npos) << outcome.out;
  EXPECT_EQ(json("r.json")["context"]["repeat"], "3");
  EXPECT_EQ(run(faulty("none", {"--repeat", "3"})).code, 0);
  EXPECT_EQ(run(faulty("none", {"--repeat", "0"})).code, 2);
}

TEST_F(CommandRuns, FailuresRunAgain) {
  std::vector<std::string> remembered{"--state", path("state.json")};
  EXPECT_EQ(run(faulty("half-away", remembered)).code, 1);
  std::vector<std::string> again{"check", "--backend",     "faulty",  "--backend-option=--fault", "--backend-option=half-away", "--profile",
                                 "onnx",  "--last-failed", "--state", path("state.json")};
  CommandOutcome failing = run(again);
  EXPECT_EQ(failing.code, 1) << failing.err;
  EXPECT_NE(failing.out.find("1 case: 0 conform, 1 fail"), std::string::npos) << failing.out;
  again[4] = "--backend-option=none";
  EXPECT_EQ(run(again).code, 0);
  CommandOutcome nothing = run(again);
  EXPECT_EQ(nothing.code, 4);
  EXPECT_NE(nothing.err.find("no failure of faulty is remembered"), std::string::npos) << nothing.err;
}

TEST_F(CommandRuns, NoStateIsKeptUnasked) {
  environment = {"XDG_STATE_HOME=" + path("home"), "HOME=" + path("home")};
  EXPECT_EQ(run(faulty("half-away")).code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("home")));
  CommandOutcome none = run(faulty("half-away", {"--last-failed"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--state FILE"), std::string::npos) << none.err;
  std::filesystem::create_directories(path("home/tiebreak"));
  EXPECT_EQ(run(faulty("half-away")).code, 1);
  EXPECT_TRUE(std::filesystem::exists(path("home/tiebreak/last-failed.json")));
  EXPECT_EQ(run(faulty("half-away", {"--last-failed"})).code, 1);
}

TEST_F(CommandRuns, CasesOfAnEarlierReport) {
  EXPECT_EQ(run(faulty("half-away", {"--json=" + path("r.json")})).code, 1);
  std::vector<std::string> again{"check", "--backend", "faulty", "--profile", "onnx", "--from", path("r.json")};
  EXPECT_NE(run(again).out.find("2 cases: 2 conform"), std::string::npos);
  again.insert(again.end(), {"--status", "fail"});
  EXPECT_NE(run(again).out.find("1 case: 1 conform"), std::string::npos);
  again.back() = "inconclusive";
  EXPECT_EQ(run(again).code, 4);
  again.back() = "failed";
  EXPECT_EQ(run(again).code, 2);
}

TEST_F(CommandRuns, AnInterruptKeepsWhatWasJudged) {
  // The first batch is answered, the second never.
  std::string backend = shell_backend(
      "half", "if [ -e " + path("once") + " ]; then touch " + path("started") + "; exec sleep 100; fi\ntouch " + path("once") + "\n" + answer("half-away"));
  CommandOutcome outcome = run_and_signal(check(backend, {"--json=" + path("r.json")}), path("started"), SIGINT);
  EXPECT_EQ(outcome.code, 130) << outcome.out << outcome.err;
  nlohmann::json report = json("r.json");
  EXPECT_EQ(report["incomplete"], true);
  EXPECT_EQ(report["counts"]["fail"], 1);
  EXPECT_EQ(report["counts"]["not_run"], 1);
  // What is left can be run later.
  CommandOutcome rest = run({"check", "--backend", "faulty", "--profile", "onnx", "--from", path("r.json"), "--status", "not_run"});
  EXPECT_NE(rest.out.find("1 case: 1 conform"), std::string::npos) << rest.out << rest.err;
}

TEST_F(CommandRuns, ReportsAreTheSameForAnyNumberOfAdapters) {
  std::string first;
  for (const char* jobs : {"1", "2", "5"}) {
    std::string name = std::string("r") + jobs + ".json";
    run({"check", "onnx.QuantizeLinear/*", "--backend", "faulty", "--backend-option=--fault", "--backend-option=wrap", "--profile", "onnx", "-j", jobs,
         "--json=" + path(name), "-q"});
    nlohmann::json report = json(name);
    report.erase("context");
    if (first.empty()) first = report.dump();
    EXPECT_EQ(report.dump(), first) << jobs;
  }
}

/// What a response file makes of one case.
class CommandAnswers : public CommandRuns {
 protected:
  CommandOutcome answered_with(const std::string& type, const std::string& shape_name, const Shape& shape, const std::vector<std::uint64_t>& codes,
                               const std::vector<std::string>& more = {}) {
    std::string cases = write("one.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.DequantizeLinear", "cases": [ { "name": "one", "inputs": {
      "x": {"type": "i8", "shape": [2], "data": [1, 2]}, "x_scale": {"type": "f32", "shape": [], "data": ["nan"]} } } ] })");
    ExchangeCase answer;
    answer.id = "onnx.DequantizeLinear/one";
    answer.status = "ok";
    Tensor tensor = *Tensor::zeros({*ElementType::parse(type), shape, std::nullopt});
    for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), codes[i]);
    answer.outputs = {sample::named("y", tensor)};
    ExchangeFile file;
    file.kind = "response";
    file.cases = {answer};
    EXPECT_TRUE(write_exchange(file, path("prepared.h5")));
    std::vector<std::string> words{"check",     cases, "--backend", shell_backend("fixed-" + shape_name, "cp " + path("prepared.h5") + " \"$2\""),
                                   "--profile", "onnx"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(CommandAnswers, NanPayloadsShapesAndTypes) {
  EXPECT_EQ(answered_with("f32", "nan", {2}, {0x7fc00000, 0x7fc00000}).code, 0);
  EXPECT_EQ(answered_with("f32", "payload", {2}, {0xffc12345, 0x7f800001}).code, 0) << "a signalling nan with a payload is nan";
  EXPECT_EQ(answered_with("f32", "number", {2}, {0x7fc00000, 0x3f800000}).code, 1);
  EXPECT_EQ(answered_with("f32", "infinite", {2}, {0x7fc00000, 0x7f800000}).code, 1);
  CommandOutcome shape = answered_with("f32", "shape", {3}, {0, 0, 0});
  EXPECT_EQ(shape.code, 5);
  EXPECT_NE(shape.out.find("output y has shape [3], not [2]"), std::string::npos) << shape.out;
  CommandOutcome type = answered_with("f64", "type", {2}, {0, 0});
  EXPECT_EQ(type.code, 5);
  EXPECT_NE(type.out.find("output y has type f64, not f32"), std::string::npos) << type.out;
}

TEST_F(CommandAnswers, NansInReportsHaveTheirBitsAndNoTokens) {
  // A quiet nan with a payload is right, the number beside it is not; once more with --repeat, under which nans are no contradiction.
  CommandOutcome outcome =
      answered_with("f32", "mixed", {2}, {0xffc12345, 0x3f800000}, {"--json=" + path("r.json"), "--junit", path("r.xml"), "--repeat", "2"});
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("1 of 2 differ"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("0x7fc00000 0x3f800000"), std::string::npos) << outcome.out;
  nlohmann::json output = json("r.json")["cases"][0]["outputs"][0];  // a NaN token would not be read
  EXPECT_EQ(output["first"][0]["expected"], "nan");
  EXPECT_EQ(output["histogram"]["nan"], 1);
}

TEST_F(CommandRuns, KilledHangingAndGreedyAdapters) {
  CommandOutcome killed = run(check(shell_backend("killed", "kill -KILL $$"), {"-j", "2"}));
  EXPECT_EQ(killed.code, 5);
  EXPECT_NE(killed.out.find("crashed with SIGKILL"), std::string::npos) << killed.out;
  CommandOutcome greedy = run(check(shell_backend("greedy", "exec dd if=/dev/zero of=/dev/null bs=1G count=1"), {"--memory", "200"}));
  EXPECT_EQ(greedy.code, 5);
  EXPECT_NE(greedy.out.find("exited with status 1"), std::string::npos) << greedy.out;
  CommandOutcome hung = run(check(shell_backend("hung", "trap '' TERM; while :; do sleep 1; done"), {"--timeout", "0.3", "-j", "2"}));
  EXPECT_EQ(hung.code, 5);
  EXPECT_NE(hung.out.find("no answer after 0.3 s"), std::string::npos) << hung.out;
  // One case that kills its process hides no other.
  CommandOutcome one = run(check(shell_backend("one", "grep -q QuantizeLinear/ties \"$1\" && kill -KILL $$\n" + answer("none"))));
  EXPECT_EQ(one.code, 5);
  EXPECT_NE(one.out.find("1 conform, 0 fail, 0 unsupported, 1 inconclusive"), std::string::npos) << one.out;
}

}  // namespace
}  // namespace tiebreak
