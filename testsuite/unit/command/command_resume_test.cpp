// SPDX-License-Identifier: Apache-2.0
// A run that was stopped goes on from its report: what it judged is taken over, and the report is that of a single run.
#include <signal.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <regex>

#include "testsuite/unit/helpers/small_model_commands.hpp"

namespace tiebreak {
namespace {

class CommandResume : public SmallModelCommands {
 protected:
  void SetUp() override {
    SmallModelCommands::SetUp();
    if (IsSkipped()) return;
    backend();
  }
  /// The report goes to r.json in every run, so that the command line is the same; --resume leaves no trace in it.
  CommandOutcome check(const std::string& source, std::vector<std::string> more) {
    more.insert(more.begin(), {"check", source, "--json=" + path("r.json")});
    return run(more);
  }
  std::vector<std::string> on_model(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--per-layer", "--profile", parted_, "--backend", path("by_text")});
    return more;
  }
  /// The reference by the text, but for what `unless` does before it is asked.
  std::string backend(const std::string& unless = "") {
    return shell_backend("by_text", unless + "\n\"" TIEBREAK_BINARY_DIR "/tiebreak-adapter-reference\" --profile onnx run \"$@\"");
  }
  std::string report() const { return std::regex_replace(read("r.json"), std::regex("\"duration_seconds\": \"[^\"]*\""), ""); }
  /// The report kept under another name, with something changed in it.
  std::string kept(const std::function<void(nlohmann::json&)>& change = {}) {
    nlohmann::json found = nlohmann::json::parse(read("r.json"));
    if (change) change(found);
    return write("kept.json", found.dump());
  }
  /// A note in every verdict: it stays where the verdict is taken over.
  static void mark(nlohmann::json& report) {
    for (auto& test : report["cases"]) test["notes"] = nlohmann::json::array({"taken over"});
  }
  std::set<std::string> marked() const {
    std::set<std::string> ids;
    const nlohmann::json found = nlohmann::json::parse(read("r.json"));
    for (const auto& test : found["cases"])
      if (test.contains("notes") && test["notes"] == nlohmann::json::array({"taken over"})) ids.insert(test["id"]);
    return ids;
  }
  std::string model() const { return path("cnn.qoperator.onnx"); }

  const std::string parted_ = "onnx:onnx.QuantizeLinear/tie=zero";  // some layers fail
};

TEST_F(CommandResume, AModelThatWasStoppedGoesOnWhereItWas) {
  // Each layer is asked alone, and at one of them the backend hangs.
  const std::string alone = "grep -q cnn.qoperator/all \"$1\" && exit 1",
                    hangs = "grep -q cnn.qoperator/layer-2 \"$1\" && : > " + path("ready") + " && sleep 600";
  backend(alone);
  std::vector<std::string> words = on_model({"--until", "3"});
  ASSERT_EQ(check(model(), words).code, 1);
  const std::string whole = report();
  backend(alone + "\n" + hangs);
  words.insert(words.begin(), {"check", model(), "--json=" + path("r.json")});
  EXPECT_EQ(run_and_signal(words, path("ready"), SIGTERM).code, 143);
  EXPECT_TRUE(nlohmann::json::parse(read("r.json"))["incomplete"]);
  backend(alone);
  const CommandOutcome on = check(model(), on_model({"--until", "3", "--resume", path("r.json")}));
  EXPECT_EQ(on.code, 1) << on.out << on.err;
  EXPECT_EQ(report(), whole) << "from its own report on, which it replaces";
}

TEST_F(CommandResume, ARunThatWasKilledLeftWhatItJudged) {
  // The backend takes its time for one layer, hangs at the next, and the run has no time to say anything.
  const std::string alone = "grep -q cnn.qoperator/all \"$1\" && exit 1", slow = "grep -q cnn.qoperator/layer-2 \"$1\" && sleep 1.5",
                    hangs = "grep -q cnn.qoperator/layer-3 \"$1\" && : > " + path("ready") + " && sleep 600";
  backend(alone);
  std::vector<std::string> words = on_model({"--until", "5"});
  ASSERT_EQ(check(model(), words).code, 1);
  const std::string whole = report();
  backend(alone + "\n" + slow + "\n" + hangs);
  std::filesystem::remove(path("r.json"));
  words.insert(words.begin(), {"check", model(), "--json=" + path("r.json")});
  run_and_signal(words, path("ready"), SIGKILL);
  const nlohmann::json left = nlohmann::json::parse(read("r.json"));
  EXPECT_TRUE(left["incomplete"]);
  ASSERT_EQ(left["models"][0]["layers"].size(), 6U) << "the others, too";
  for (std::size_t layer = 0; layer < 6; ++layer)
    EXPECT_EQ(left["cases"][layer]["reason"] == "interrupted", layer > 2) << left["cases"][layer]["id"] << " " << left["cases"][layer]["status"];
  EXPECT_EQ(left["models"][0]["stopped"], left["cases"][3]["id"]);
  backend(alone);
  const std::string with_marks = kept(mark);
  const CommandOutcome on = check(model(), on_model({"--until", "5", "--resume", path("r.json")}));
  EXPECT_EQ(on.code, 1) << on.out << on.err;
  EXPECT_EQ(report(), whole);
  ASSERT_EQ(check(model(), on_model({"--until", "5", "--resume", with_marks})).code, 1);
  EXPECT_EQ(marked().size(), 3U) << "the layers that were judged, and nothing else";
}

TEST_F(CommandResume, WhatWasJudgedIsTakenOver) {
  ASSERT_EQ(check(model(), on_model()).code, 1);
  const std::string whole = report();
  ASSERT_EQ(check(model(), on_model({"--until", "7"})).code, 1);
  ASSERT_EQ(check(model(), on_model({"--resume", kept()})).code, 1);
  EXPECT_EQ(report(), whole);
  ASSERT_EQ(check(model(), on_model({"--until", "7"})).code, 1);
  ASSERT_EQ(check(model(), on_model({"--resume", kept(mark)})).code, 1);
  EXPECT_EQ(marked().size(), 8U) << "layers 0 to 7: all that was judged, and nothing else";
}

TEST_F(CommandResume, WhatTheBackendGivesOtherwiseIsJudgedAgain) {
  ASSERT_EQ(check(model(), on_model()).code, 1);
  const std::string changed = kept([](nlohmann::json& report) {
    mark(report);
    report["cases"][2]["outputs"][0]["digest"] = "0123456789abcdef";
  });
  const std::size_t all = nlohmann::json::parse(read("r.json"))["cases"].size();
  ASSERT_EQ(check(model(), on_model({"--resume", changed})).code, 1);
  const std::set<std::string> taken = marked();
  EXPECT_LT(taken.size(), all - 2) << "nor is a layer that reads it";
  EXPECT_GT(taken.size(), 2U);
  const nlohmann::json found = nlohmann::json::parse(read("r.json"));
  EXPECT_FALSE(taken.contains(found["cases"][2]["id"]));
}

TEST_F(CommandResume, AnotherRunsReportIsRefused) {
  ASSERT_EQ(check(model(), on_model({"--until", "1"})).code, 1);
  const std::string before = read("r.json"), report = kept();
  const auto refused = [&](const std::string& source, std::vector<std::string> words, const std::string& word) {
    const CommandOutcome outcome = check(source, std::move(words));
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
    EXPECT_EQ(read("r.json"), before) << "nothing is written";
  };
  refused(model(), {"--per-layer", "--profile", "onnx", "--backend", path("by_text"), "--resume", report}, "another profile: '" + parted_ + "'");
  refused(model(), on_model({"--engine", "exact", "--resume", report}), "another engine");
  refused(path("cnn.qdq.onnx"), on_model({"--resume", report}), "no model 'cnn.qdq'");
  refused(model(), on_model({"--repeat", "2", "--resume", report}), "--repeat");
  refused(model(), on_model({"--resume", write("cut.json", before.substr(0, before.size() / 2))}), "cut.json");
  const std::string changed = kept([](nlohmann::json& other) { other["models"][0]["digest"] = "0123456789abcdef"; });
  refused(model(), on_model({"--resume", changed}), "another model cnn.qoperator");
}

TEST_F(CommandResume, CasesGoOnToo) {
  const std::string cases = write("more.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [
    { "name": "a", "inputs": { "x": {"type": "f32", "shape": [3], "data": [0, 0.5, 2]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } },
    { "name": "b", "inputs": { "x": {"type": "f32", "shape": [3], "data": [0, 1.5, 2]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } },
    { "name": "c", "inputs": { "x": {"type": "f32", "shape": [3], "data": [0, 1, 2]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } } ] })");
  const std::vector<std::string> plain{"--profile", parted_, "--backend", path("by_text")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), plain.begin(), plain.end());
    return check(cases, more).code;
  };
  ASSERT_EQ(with({}), 1);
  const std::string whole = report();
  ASSERT_EQ(with({"-k", "*/a", "-k", "*/b"}), 1) << "a conforms, b does not";
  const std::string part = kept();
  ASSERT_EQ(with({"--resume", part}), 1);
  EXPECT_EQ(report(), whole) << "with the cause";
  ASSERT_EQ(with({"--resume", kept(mark)}), 1);
  EXPECT_EQ(marked(), (std::set<std::string>{"onnx.QuantizeLinear/a", "onnx.QuantizeLinear/c"})) << "the values of what fails are needed for its cause";
  const std::string other = kept([](nlohmann::json& changed) {
    mark(changed);
    changed["cases"][0]["asked"] = "0123456789abcdef";
  });
  ASSERT_EQ(with({"--resume", other}), 1);
  EXPECT_EQ(marked(), (std::set<std::string>{"onnx.QuantizeLinear/c"})) << "another question under the same id";
}

}  // namespace
}  // namespace tiebreak
