// SPDX-License-Identifier: Apache-2.0
// A backend's answers kept in a folder, and the folder in the backend's place, as a user meets them.
#include <signal.h>

#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

class CommandRecord : public CommandTest {
 protected:
  CommandOutcome check(const std::string& backend, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"check", quantize_cases(), "--backend", backend, "--profile", "onnx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  CommandOutcome record(const std::string& folder, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--record", path(folder)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return check("reference", arguments);
  }
  std::string recorded() const { return "recorded:" + path("answers"); }
  nlohmann::json json(const std::string& name) { return nlohmann::json::parse(read(name)); }
};

TEST_F(CommandRecord, TheRecordAnswersAsTheBackendDid) {
  const CommandOutcome live = record("answers", {"--json=" + path("live.json")});
  ASSERT_EQ(live.code, 0) << live.out << live.err;
  EXPECT_NE(live.err.find("tiebreak: 2 answers recorded in " + path("answers")), std::string::npos) << live.err;
  const CommandOutcome again = check(recorded(), {"--json=" + path("again.json")});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_EQ(json("live.json")["counts"], json("again.json")["counts"]);
  EXPECT_EQ(json("live.json")["cases"][0]["outputs"], json("again.json")["cases"][0]["outputs"]);
  const nlohmann::json context = json("again.json")["context"];
  EXPECT_EQ(context["backend"], "reference");
  EXPECT_EQ(context["backend_version"], json("live.json")["context"]["backend_version"]);
  EXPECT_EQ(std::string(context["backend_recorded"]).substr(0, 12), "by tiebreak ");
  EXPECT_NE(check(recorded()).out.find(", recorded by tiebreak "), std::string::npos) << "the text says it, too";
}

TEST_F(CommandRecord, ARecordIsTheSameForEveryNumberOfWorkers) {
  ASSERT_EQ(record("answers").code, 0);
  ASSERT_EQ(record("several", {"-j", "4"}).code, 0);
  for (const char* file : {"recorded.json", "onnx.QuantizeLinear.h5"})
    EXPECT_EQ(read(std::string("answers/") + file), read(std::string("several/") + file)) << file;
}

TEST_F(CommandRecord, WhatIsNotThereIsNotRecorded) {
  ASSERT_EQ(record("answers", {"-k", "*/plain"}).code, 0);
  const CommandOutcome some = check(recorded(), {"--json=" + path("r.json")});
  EXPECT_EQ(some.code, 5) << some.out;
  EXPECT_EQ(json("r.json")["counts"]["not_recorded"], 1);
  EXPECT_EQ(json("r.json")["counts"]["conform"], 1);
  EXPECT_NE(check(recorded()).out.find("not recorded"), std::string::npos);
  EXPECT_EQ(check(recorded(), {"--allow-unsupported"}).code, 0);
  EXPECT_EQ(check(recorded(), {"--allow-unsupported", "-k", "*/ties"}).code, 5) << "nothing was judged";
  EXPECT_EQ(check(recorded(), {"--junit", path("r.xml"), "--html", path("r.html"), "--markdown", path("r.md")}).code, 5);
  EXPECT_NE(read("r.xml").find("not_recorded: the record has no answer to this request"), std::string::npos);
  EXPECT_NE(read("r.html").find("Not recorded"), std::string::npos);
  EXPECT_NE(read("r.md").find("1 not recorded"), std::string::npos);
  EXPECT_EQ(run({"identify", "--backend", recorded(), "--op", "onnx.QuantizeLinear"}).code, 5);
}

TEST_F(CommandRecord, OtherSemanticsAreJudgedByTheSameAnswers) {
  ASSERT_EQ(check("reference", {"--backend-option=--profile", "--backend-option=onnx", "--record", path("answers")}).code, 0);
  EXPECT_EQ(run({"check", quantize_cases(), "--backend", recorded(), "--profile", "onnx"}).code, 0);
  const CommandOutcome other = run({"check", quantize_cases(), "--backend", recorded(), "--profile", "onnx:tie=away"});
  EXPECT_EQ(other.code, 1) << other.out << other.err;
}

TEST_F(CommandRecord, IdentifyAsksItsRecordTheSameQuestions) {
  const std::vector<std::string> op{"--op", "onnx.QuantizeLinear", "--backend-option=--profile", "--backend-option=onnx"};
  std::vector<std::string> live{"identify", "--backend", "reference", "--record", path("answers"), "--json=" + path("live.json")};
  live.insert(live.end(), op.begin(), op.end());
  const CommandOutcome first = run(live);
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  const CommandOutcome again = run({"identify", "--backend", recorded(), "--op", "onnx.QuantizeLinear", "--json=" + path("again.json")});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  for (const char* part : {"verdict", "answers", "explaining", "choices"}) EXPECT_EQ(json("live.json")[part], json("again.json")[part]) << part;
  EXPECT_EQ(run({"identify", "--backend", "reference", "--record", path("all")}).code, 2) << "of a table nothing is recorded";
}

TEST_F(CommandRecord, ADamagedRecordIsOneErrorOfTheUsersData) {
  ASSERT_EQ(record("answers").code, 0);
  std::string bytes = read("answers/onnx.QuantizeLinear.h5");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  write("answers/onnx.QuantizeLinear.h5", bytes);
  const CommandOutcome damaged = check(recorded());
  EXPECT_EQ(damaged.code, 2);
  EXPECT_EQ(damaged.out, "");
  EXPECT_NE(damaged.err.find("answers/onnx.QuantizeLinear.h5"), std::string::npos) << damaged.err;
  EXPECT_EQ(check("recorded:" + path("absent")).code, 2);
  EXPECT_EQ(check("recorded:" + path("")).code, 2) << "a folder that is none";
}

TEST_F(CommandRecord, WhatCannotBeWrittenIsKnownBeforeTheRun) {
  const std::string backend = shell_backend("counting", "echo run >> " + path("runs"));
  write("mine.txt", "");
  for (const std::string& folder : {path("mine.txt"), path("no/such/folder"), path("")}) {
    const CommandOutcome outcome = check(backend, {"--record", folder});
    EXPECT_EQ(outcome.code, 2) << folder << outcome.err;
  }
  EXPECT_FALSE(fs::exists(path("runs")));
  ASSERT_EQ(record("answers").code, 0);
  EXPECT_EQ(check(recorded(), {"--record", path("copy")}).code, 2) << "a record of a record";
  EXPECT_FALSE(fs::exists(path("copy")));
}

TEST_F(CommandRecord, AnInterruptedRunLeavesAValidFolder) {
  const std::string answer = TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault none run \"$1\" \"$2\"";
  const std::string slow =
      shell_backend("slow", "if [ -e " + path("first") + " ]; then touch " + path("second") + "; sleep 30; fi\ntouch " + path("first") + "\n" + answer);
  const CommandOutcome outcome =
      run_and_signal({"check", quantize_cases(), "--backend", slow, "--profile", "onnx", "--isolate", "--record", path("answers")}, path("second"), SIGINT);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  ASSERT_TRUE(fs::exists(path("answers/recorded.json"))) << outcome.err;
  EXPECT_EQ(json("answers/recorded.json")["complete"], false);
  const CommandOutcome again = check(recorded(), {"--json=" + path("r.json")});
  EXPECT_EQ(again.code, 5) << again.err;
  EXPECT_EQ(json("r.json")["counts"]["conform"], 1);
  EXPECT_NE(std::string(json("r.json")["context"]["backend_recorded"]).find("; incomplete"), std::string::npos);
}

TEST_F(CommandRecord, ARecordAmongCasesIsNoSource) {
  fs::create_directory(path("sources"));
  fs::copy_file(quantize_cases(), path("sources/cases.json"));
  ASSERT_EQ(run({"check", path("sources"), "--backend", "reference", "--profile", "onnx", "--record", path("sources/answers")}).code, 0);
  const CommandOutcome again = run({"check", path("sources"), "--backend", "recorded:" + path("sources/answers"), "--profile", "onnx"});
  EXPECT_EQ(again.code, 0) << again.err;
}

}  // namespace
}  // namespace tiebreak
