// SPDX-License-Identifier: Apache-2.0
// `check --html --markdown` and `tiebreak report` as a user runs them.
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandReport : public CommandTest {
 protected:
  /// A run with a fault, stored as r-FAULT.json.
  std::string stored(const std::string& fault, const std::vector<std::string>& more = {}) {
    const std::string file = path("r-" + fault + ".json");
    std::vector<std::string> arguments{"check",     quantize_cases(), "--backend",     "faulty", "--backend-option=--fault", "--backend-option=" + fault,
                                       "--profile", "onnx",           "--json=" + file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    run(arguments);
    return file;
  }
};

TEST_F(CommandReport, ShowRendersWhatCheckWrote) {
  const std::string file = stored("half-away", {"--html", path("a.html"), "--markdown", path("a.md"), "--junit", path("a.xml")});
  CommandOutcome shown = run({"report", "show", file, "--html", path("b.html"), "--markdown", path("b.md"), "--junit", path("b.xml")});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("FAIL onnx.QuantizeLinear/ties"), std::string::npos) << shown.out;
  for (const char* form : {"html", "md", "xml"}) {
    EXPECT_FALSE(read(std::string("a.") + form).empty()) << form;
    EXPECT_EQ(read(std::string("a.") + form), read(std::string("b.") + form)) << form;
  }
  EXPECT_NE(read("a.html").find("f32 -&#62; i8"), std::string::npos) << "the type of a case";
  EXPECT_EQ(run({"report", "show", file, "--exit-code", "-q"}).code, 1);
  EXPECT_EQ(run({"report", "show", file, "--json"}).out, read("r-half-away.json"));
}

TEST_F(CommandReport, MergeJoinsAndRefuses) {
  const std::string ties = stored("half-away", {"-k", "*/ties"}), plain = path("plain.json");
  run({"check", quantize_cases(), "--backend", "faulty", "--backend-option=--fault", "--backend-option=half-away", "--profile", "onnx", "-k", "*/plain",
       "--json=" + plain});
  CommandOutcome merged = run({"report", "merge", ties, plain, "-o", path("m.json"), "--exit-code"});
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_EQ(merged.out, "2 cases: 1 conform, 1 fail, 0 unsupported, 0 not run\n");
  EXPECT_EQ(run({"report", "show", path("m.json"), "-q"}).out, merged.out);
  run({"check", quantize_cases(), "--backend", "faulty", "--profile", "onnxruntime-x64", "-k", "*/plain", "--json=" + path("other.json")});
  CommandOutcome refused = run({"report", "merge", ties, path("other.json"), "-o", path("n.json")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("the reports differ in "), std::string::npos) << refused.err;
  EXPECT_TRUE(read("n.json").empty());
}

TEST_F(CommandReport, DiffEndsWithOneWhenSomethingGotWorse) {
  const std::string good = stored("none"), bad = stored("half-away");
  CommandOutcome worse = run({"report", "diff", good, bad, "--show", "2"});
  EXPECT_EQ(worse.code, 1) << worse.err;
  EXPECT_NE(worse.out.find("newly failing  onnx.QuantizeLinear/ties  conform, now fail"), std::string::npos) << worse.out;
  EXPECT_NE(worse.out.find("newly wrong"), std::string::npos) << worse.out;
  CommandOutcome better = run({"report", "diff", bad, good});
  EXPECT_EQ(better.code, 0);
  EXPECT_NE(better.out.find("1 fixed, 1 unchanged"), std::string::npos) << better.out;
  EXPECT_EQ(run({"report", "diff", bad, bad}).out, "2 unchanged\n");
}

TEST_F(CommandReport, DamagedAndForeignFilesAreOneError) {
  const std::string foreign = write("foreign.json", "{\"a\": 1}"), cut = write("cut.json", "{\"schema\": \"tiebreak.report/1\", ");
  for (const std::string& file : {foreign, cut, path("absent.json")}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"report", "show", file}, {"report", "merge", file, "-o", path("m.json")}, {"report", "diff", file, file}}) {
      CommandOutcome outcome = run(arguments);
      EXPECT_EQ(outcome.code, 2);
      EXPECT_EQ(outcome.out, "");
      EXPECT_TRUE(outcome.err.starts_with("tiebreak: ")) << outcome.err;
      EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
    }
  }
}

}  // namespace
}  // namespace tiebreak
