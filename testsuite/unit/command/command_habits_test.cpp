// SPDX-License-Identifier: Apache-2.0
// What people do with what the command prints: they paste it, pipe it, and run a little before they run everything.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandHabits : public CommandTest {
 protected:
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) found.push_back(line);
    return found;
  }
  /// The rest of each line that has `label` in it.
  static std::vector<std::string> after(const std::string& label, const std::string& text) {
    std::vector<std::string> found;
    for (const std::string& line : lines(text)) {
      const std::size_t place = line.find(label);
      if (place != std::string::npos) found.push_back(line.substr(line.find("tiebreak ", place)));
    }
    return found;
  }
  /// As pasted at a prompt.
  CommandOutcome paste(const std::string& line, const std::string& expected_code) {
    const std::string script = write("paste.sh", "PATH=" TIEBREAK_BINARY_DIR ":$PATH\nTIEBREAK_SPEC=" TIEBREAK_SOURCE_DIR "/spec; export TIEBREAK_SPEC\n" +
                                                     line + " >" + path("pasted") + " 2>&1\necho $? >" + path("code") + "\n");
    EXPECT_EQ(std::system(("sh " + script).c_str()), 0) << line;
    CommandOutcome outcome;
    outcome.out = read("pasted");
    EXPECT_EQ(read("code"), expected_code + "\n") << line << "\n" << outcome.out;
    return outcome;
  }
  static std::map<std::string, int> by_op(const std::vector<std::string>& ids) {
    std::map<std::string, int> count;
    for (const std::string& id : ids) ++count[id.substr(0, id.find('/'))];
    return count;
  }
};

TEST_F(CommandHabits, AListIsASelection) {
  const std::vector<std::string> ids = lines(run({"check", "--list", "-k", "*/ties/*"}).out);
  ASSERT_GT(ids.size(), 20U);
  std::vector<std::string> again{"check", "--list"};
  again.insert(again.end(), ids.begin(), ids.end());
  EXPECT_EQ(lines(run(again).out), ids);
  again = {"check", "--backend", "faulty", "--profile", "onnx", "--json=" + path("r.json"), "-q"};
  again.insert(again.end(), ids.begin(), ids.end());
  run(again);
  EXPECT_EQ(nlohmann::json::parse(read("r.json"))["cases"].size(), ids.size());
}

TEST_F(CommandHabits, SmokeTakesAFewOfEachOpAndFullTakesMore) {
  const std::vector<std::string> all = lines(run({"check", "--list"}).out);
  const std::vector<std::string> smoke = lines(run({"check", "--list", "--level", "smoke"}).out);
  EXPECT_EQ(by_op(smoke).size(), by_op(all).size()) << "every op is there";
  for (const auto& [op, count] : by_op(smoke)) EXPECT_EQ(count, std::min(2, by_op(all).at(op))) << op;
  // What smoke takes of one op does not depend on the others, and a shard is a part of it.
  EXPECT_EQ(lines(run({"check", "--list", "--level", "smoke", "-k", "onnx.QuantizeLinear/*"}).out).size(), 2U);
  std::multiset<std::string> parts;
  for (const char* shard : {"1/2", "2/2"})
    for (const std::string& id : lines(run({"check", "--list", "--level", "smoke", "--shard", shard}).out)) parts.insert(id);
  EXPECT_EQ(parts, std::multiset<std::string>(smoke.begin(), smoke.end()));
  EXPECT_EQ(run({"check", "--list", "--level", "quick"}).code, 2);
}

TEST_F(CommandHabits, SmokeRunsWhatItLists) {
  const std::vector<std::string> listed = lines(run({"check", "--list", "--level", "smoke", "-k", "onnx.Q*"}).out);
  EXPECT_EQ(run({"check", "--level", "smoke", "-k", "onnx.Q*", "--backend", "reference", "--profile", "onnx", "--json=" + path("r.json")}).code, 0);
  const nlohmann::json report = nlohmann::json::parse(read("r.json"));
  std::set<std::string> ran;
  for (const auto& one : report["cases"]) ran.insert(one["id"].get<std::string>());
  EXPECT_EQ(ran, std::set<std::string>(listed.begin(), listed.end()));
  EXPECT_EQ(report["context"]["level"], "smoke");
}

TEST_F(CommandHabits, OpsThatABackendDoesNotListAreNotComputed) {
  CommandOutcome outcome = run({"check", "onnx.MatMulInteger/*", "--backend", "faulty", "--profile", "onnx"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.out.find("the backend does not list this op"), std::string::npos) << outcome.out;
}

TEST_F(CommandHabits, EveryLineThatReproducesCanBePasted) {
  // Spaces and quotes in names are what pasting breaks on.
  std::filesystem::create_directories(path("it's a folder"));
  const std::string cases = path("it's a folder/cases.json");
  std::filesystem::rename(quantize_cases(), cases);
  const std::string backend = shell_backend("my 'own' backend", TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault half-away run \"$1\" \"$2\"");
  const CommandOutcome failed = run({"check", cases, "--backend", backend, "--profile", "onnx"});
  ASSERT_EQ(failed.code, 1) << failed.out << failed.err;
  const std::vector<std::string> again = after("again ", failed.out), why = after("why ", failed.out);
  ASSERT_EQ(again.size(), 1U) << failed.out;
  ASSERT_EQ(why.size(), 1U) << failed.out;
  EXPECT_NE(paste(again[0], "1").out.find("1 case: 0 conform, 1 fail"), std::string::npos);
  EXPECT_NE(paste(why[0], "0").out.find("y_scale"), std::string::npos);
  // A case without an answer has its line, too, and JSON has the same command.
  const std::string crash = shell_backend("crash on demand", "kill -SEGV $$");
  const CommandOutcome crashed = run({"check", cases, "--backend", crash, "--profile", "onnx", "--json=" + path("r.json")});
  EXPECT_EQ(crashed.code, 5);
  const nlohmann::json report = nlohmann::json::parse(read("r.json"));
  for (const auto& one : report["cases"])
    EXPECT_NE(paste(one["reproduce"].get<std::string>(), "5").out.find("1 case: 0 conform, 0 fail, 0 unsupported, 1 inconclusive"), std::string::npos);
}

TEST_F(CommandHabits, ThreeWhenTheEnginesDisagree) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer wants to be loaded first";
#endif
  const std::string library = TIEBREAK_BINARY_DIR "/flush_to_zero.so";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << library << " is not built";
  const std::string cases =
      write("subnormal.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.DequantizeLinear", "cases": [ { "name": "subnormal", "inputs": {
    "x": {"type": "i8", "shape": [2], "data": [1, 2]}, "x_scale": {"type": "f32", "shape": [], "data": ["0x1p-140"]} } } ] })");
  const std::vector<std::string> both{"check", cases, "--backend", "reference", "--profile", "onnx", "--engine", "both"};
  EXPECT_EQ(run(both).code, 0);
  environment = {"LD_PRELOAD=" + library};
  const CommandOutcome outcome = run(both);
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("the engines differ: y[0]"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("please report it"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"eval", "onnx.DequantizeLinear", "--input", "x=[1]:i8", "--input", "x_scale=0x1p-140:f32", "--engine", "both"}).code, 3);
}

}  // namespace
}  // namespace tiebreak
