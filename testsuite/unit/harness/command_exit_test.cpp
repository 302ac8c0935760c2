// SPDX-License-Identifier: Apache-2.0
// Every exit code of `check`, and how it comes about.
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "testsuite/unit/harness/command_run.hpp"

namespace tiebreak {
namespace {

class CommandExit : public CommandTest {
 protected:
  std::vector<std::string> faulty(const std::string& fault) {
    return {"check", quantize_cases(), "--backend", "faulty", "--backend-option=--fault", "--backend-option=" + fault, "--profile", "onnx"};
  }
  CommandOutcome run_with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(CommandExit, ZeroWhenEverythingConforms) {
  CommandOutcome outcome = run(faulty("none"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("2 cases: 2 conform, 0 fail"), std::string::npos) << outcome.out;
}

TEST_F(CommandExit, OneOnAMismatchWithEverythingNeededToUnderstandIt) {
  CommandOutcome outcome = run(faulty("half-away"));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  for (const char* wanted : {"FAIL onnx.QuantizeLinear/ties", "LSB", "y_scale=0.125", "exact value", "to the boundary",
                             "again   tiebreak check", "why     tiebreak explain", "profile onnx  policy exact", "1 conform, 1 fail"}) {
    EXPECT_NE(outcome.out.find(wanted), std::string::npos) << wanted << "\n" << outcome.out;
  }
}

TEST_F(CommandExit, TheReproducingCommandReproduces) {
  CommandOutcome first = run(faulty("half-away"));
  std::size_t start = first.out.find("again   tiebreak ");
  ASSERT_NE(start, std::string::npos);
  start += std::string("again   tiebreak ").size();
  std::istringstream line(first.out.substr(start, first.out.find('\n', start) - start));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  CommandOutcome again = run(words);
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_NE(again.out.find("1 case: 0 conform, 1 fail"), std::string::npos) << again.out;
}

TEST_F(CommandExit, PoliciesExcuseAndSaySo) {
  CommandOutcome outcome = run_with(faulty("half-away"), {"--policy", "lsb:1"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("within lsb:1"), std::string::npos) << outcome.out;
  EXPECT_EQ(run_with(faulty("half-away"), {"--policy", "lsb:1@0.1%"}).code, 1);
}

TEST_F(CommandExit, TheReferenceAnswersUnderTheProfileThatJudges) {
  const std::vector<std::string> under_onednn{"check", quantize_cases(), "--backend", "reference", "--profile", "onednn-x64"};
  CommandOutcome outcome = run(under_onednn);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(run_with(under_onednn, {"--backend-option=--profile", "--backend-option=onnx"}).code, 1) << "unless it is told whose semantics to compute";
}

TEST_F(CommandExit, TwoWhenACaseContradictsItsProfile) {
  std::string cases = write("wrong.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ { "name": "wrong",
    "inputs": { "x": {"type": "f32", "shape": [1], "data": [1]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} }, "expect": {"onnx": {"y": [7]}} } ] })");
  CommandOutcome outcome = run({"check", cases, "--backend", "faulty", "--profile", "onnx"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("the source's expectation differs from profile onnx (y: 1 of 1 differ, first at [0]: stated 7, computed 1 (6 LSB, more than rounding explains))"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CommandExit, FiveWhenNoElementHasAValueToCompare) {
  std::string cases = write("undefined.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ { "name": "nan",
    "inputs": { "x": {"type": "f32", "shape": [2], "data": ["nan", "nan"]}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } } ] })");
  CommandOutcome outcome = run({"check", cases, "--backend", "faulty", "--profile", "onnx"});
  EXPECT_EQ(outcome.code, 5) << outcome.out;
  EXPECT_NE(outcome.out.find("nothing compared onnx.QuantizeLinear/nan  profile onnx leaves every element undefined"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 case: 0 conform, 0 fail, 0 unsupported, 1 nothing compared, 0 not run"), std::string::npos) << outcome.out;
}

TEST_F(CommandExit, FourWhenNothingIsSelected) {
  CommandOutcome outcome = run_with(faulty("none"), {"-k", "no/such/*"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("nothing is selected"), std::string::npos);
  EXPECT_EQ(run({"case", "list", "-k", "no/such/*"}).code, 4);
}

TEST_F(CommandExit, FiveWhenTheBackendCrashesHangsOrAnswersNothing) {
  std::string cases = quantize_cases();
  CommandOutcome crash = run({"check", cases, "--backend", shell_backend("crash", "kill -SEGV $$")});
  EXPECT_EQ(crash.code, 5) << crash.out << crash.err;
  EXPECT_NE(crash.out.find("SIGSEGV"), std::string::npos) << crash.out;
  CommandOutcome hang = run({"check", cases, "--backend", shell_backend("hang", "exec sleep 100"), "--timeout", "0.3", "--max-cases", "1"});
  EXPECT_EQ(hang.code, 5) << hang.out << hang.err;
  EXPECT_NE(hang.out.find("no answer after 0.3 s"), std::string::npos) << hang.out;
  CommandOutcome silent = run({"check", cases, "--backend", shell_backend("silent", "exit 0")});
  EXPECT_EQ(silent.code, 5) << silent.out << silent.err;
  CommandOutcome garbage = run({"check", cases, "--backend", shell_backend("garbage", "echo garbage > \"$2\"")});
  EXPECT_EQ(garbage.code, 5) << garbage.out << garbage.err;
  for (const CommandOutcome& outcome : {crash, silent, garbage}) {
    EXPECT_NE(outcome.out.find("2 cases: 0 conform, 0 fail, 0 unsupported, 2 inconclusive"), std::string::npos)
        << outcome.out << outcome.err;
  }
}

TEST_F(CommandExit, FiveWhenUnsupportedUnlessAllowed) {
  std::string cases = write("f8.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [
    { "name": "f8", "inputs": { "x": {"type": "f32", "shape": [1], "data": [1]}, "y_scale": {"type": "f32", "shape": [], "data": [1]},
                                "y_zero_point": {"type": "f8e4m3fn", "shape": [], "data": [0]} } } ] })");
  EXPECT_EQ(run({"check", cases, "--backend", "faulty"}).code, 5);
  EXPECT_EQ(run({"check", cases, "--backend", "faulty", "--allow-unsupported"}).code, 5) << "nothing was judged";
  EXPECT_EQ(run({"check", cases, quantize_cases(), "--backend", "faulty", "--allow-unsupported"}).code, 0);
  EXPECT_EQ(run({"check", cases, quantize_cases(), "--backend", "faulty"}).code, 5);
}

TEST_F(CommandExit, SixWhenAnExpectedFailurePasses) {
  std::string baseline = write("baseline.json", R"([ {"case": "*/ties", "reason": "rounds half away"} ])");
  EXPECT_EQ(run_with(faulty("half-away"), {"--expect-fail", baseline}).code, 0);
  CommandOutcome stale = run_with(faulty("none"), {"--expect-fail", baseline});
  EXPECT_EQ(stale.code, 6);
  EXPECT_NE(stale.out.find("STALE onnx.QuantizeLinear/ties"), std::string::npos) << stale.out;
  std::string without_reason = write("baseline2.json", R"([ {"case": "*/ties"} ])");
  CommandOutcome wrong = run_with(faulty("none"), {"--expect-fail", without_reason});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("without a reason"), std::string::npos) << wrong.err;
}

TEST_F(CommandExit, ExpectedFailuresThatMatchNothingAreOneWarning) {
  std::string baseline = write("other.json", R"([ {"case": "*/ties", "reason": "rounds half away"}, {"case": "no/such/*", "reason": "gone"},
                                                  {"case": "nor/this/*", "reason": "gone"}, {"case": "nor/that/*", "reason": "gone"} ])");
  CommandOutcome outcome = run_with(faulty("half-away"), {"--expect-fail", baseline});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("no selected case matches 'no/such/*'"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(", nor 2 more of the list"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("nor/this"), std::string::npos) << outcome.err;
}

TEST_F(CommandExit, InterruptedRunsReportWhatTheyHave) {
  std::string backend = shell_backend("slow", "touch " + path("started") + "\nexec sleep 100");
  for (auto [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    std::filesystem::remove(path("started"));
    CommandOutcome outcome = run_and_signal(
        {"check", quantize_cases(), "--backend", backend, "--json=" + path("r.json"), "--junit", path("r.xml")}, path("started"), signal);
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("incomplete"), std::string::npos) << outcome.out;
    nlohmann::json report = nlohmann::json::parse(read("r.json"));
    EXPECT_EQ(report["incomplete"], true);
    EXPECT_EQ(report["counts"]["not_run"], 2);
    EXPECT_NE(read("r.xml").find("name=\"incomplete\" value=\"true\""), std::string::npos);
  }
}

TEST_F(CommandExit, FullDisksAreToldApart) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  CommandOutcome json = run_with(faulty("none"), {"--json=/dev/full"});
  EXPECT_EQ(json.code, 2);
  EXPECT_NE(json.err.find("No space left on device (/dev/full)"), std::string::npos) << json.err;
  stdout_path = "/dev/full";
  CommandOutcome report = run(faulty("none"));
  EXPECT_EQ(report.code, 2);
  EXPECT_NE(report.err.find("standard output"), std::string::npos) << report.err;
  EXPECT_EQ(run({"--help"}).code, 2);
}

TEST_F(CommandExit, ReportsDoNotDependOnTheNumberOfJobs) {
  auto report = [&](const char* jobs) {
    std::vector<std::string> arguments = faulty("half-away");
    arguments.insert(arguments.end(), {"-j", jobs, "--json"});
    nlohmann::json parsed = nlohmann::json::parse(run(arguments).out);
    parsed.erase("context");
    return parsed.dump();
  };
  EXPECT_EQ(report("1"), report("4"));
}

}  // namespace
}  // namespace tiebreak
