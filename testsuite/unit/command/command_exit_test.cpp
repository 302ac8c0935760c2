// SPDX-License-Identifier: Apache-2.0
// Every exit code of `check`, and how it comes about.
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

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
  for (const char* wanted : {"FAIL onnx.QuantizeLinear/ties", "LSB", "y_scale=0.125", "exact value", "to the boundary", "again   tiebreak check",
                             "why     tiebreak explain", "profile onnx  policy exact", "1 conform, 1 fail"}) {
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
  EXPECT_NE(
      outcome.out.find(
          "the source's expectation differs from profile onnx (y: 1 of 1 differ, first at [0]: stated 7, computed 1 (6 LSB, more than rounding explains))"),
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
  // A glob of an op that is known is no typo, even where there is no case of it.
  CommandOutcome outcome = run_with(faulty("none"), {"-k", "onnx.Add/*"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("nothing is selected"), std::string::npos);
  EXPECT_EQ(run({"case", "list", quantize_cases(), "-k", "onnx.Add/*"}).code, 4);
}

TEST_F(CommandExit, TwoWhenAGlobOrIdIsMistyped) {
  const std::string cases = quantize_cases();
  struct Typo {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const Typo& typo : {Typo{{"case", "list", "-k", "onnx.QuantiseLinear/*"}, "did you mean 'onnx.QuantizeLinear/*'?"},
                           {{"case", "list", "onnx.QuantiseLinear/*"}, "did you mean 'onnx.QuantizeLinear/*'?"},
                           {{"case", "list", "onnx.QuantiseLin*"}, "did you mean 'onnx.QuantizeLinear*'?"},
                           {{"case", "list", "onnx.QuantizeLinear/teis/*"}, "did you mean 'onnx.QuantizeLinear/ties/*'?"},
                           {{"case", "list", cases, "-k", "*/tise"}, "did you mean '*/ties'?"},
                           {{"check", cases, "-k", "*/ties", "-k", "*/plian", "--backend", "faulty"}, "did you mean '*/plain'?"},
                           {{"check", "onnx.QuantizeLinear/teis/*", "--level", "smoke", "--backend", "faulty"}, "did you mean 'onnx.QuantizeLinear/ties/*'?"},
                           {{"eval", "onnx.QuantizeLinear/example-1000"}, "no case matches 'onnx.QuantizeLinear/example-1000'"}}) {
    const CommandOutcome outcome = run(typo.arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(typo.message), std::string::npos) << typo.message << "\n" << outcome.err;
  }
}

TEST_F(CommandExit, AnOpStandsForItsCases) {
  const std::string all = run({"case", "list", "onnx.QuantizeLinear"}).out;
  EXPECT_GT(all.size(), 1000U);
  EXPECT_EQ(all, run({"case", "list", "onnx.QuantizeLinear/*"}).out);
  EXPECT_EQ(all.find("/example-"), std::string::npos) << "examples go by the page's file, or by their ids";
  EXPECT_EQ(run({"case", "list", "onnx.QuantizeLinear/example-2"}).out, "onnx.QuantizeLinear/example-2\n");
  EXPECT_NE(run({"case", "list", TIEBREAK_SOURCE_DIR "/spec/onnx/QuantizeLinear.md"}).out.find("onnx.QuantizeLinear/example-2\n"), std::string::npos);
  EXPECT_EQ(run({"explain", "stablehlo.add/example-1"}).code, 0);
}

TEST_F(CommandExit, WhatIsKnownOfAnAdapterIsApplied) {
  const std::string backend = shell_backend("lists.sh", TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault half-away run \"$1\" \"$2\"");
  const std::vector<std::string> check{"check", quantize_cases(), "--backend", backend, "--profile", "onnx"};
  auto with = [&check](const std::string& more) {
    std::vector<std::string> arguments = check;
    arguments.push_back(more);
    return arguments;
  };
  EXPECT_EQ(run(check).code, 1);
  write("lists.sh.known.json", R"([ {"case": "*/ties", "reason": "rounds half away", "profile": "onnx"}, {"case": "onnx.Add/*", "reason": "another"} ])");
  const CommandOutcome known = run(check);
  EXPECT_EQ(known.code, 0) << known.out << known.err;
  EXPECT_NE(known.out.find("1 expected fail"), std::string::npos) << known.out;
  EXPECT_EQ(known.err.find("no selected case"), std::string::npos) << "a list of all cases is no news where few are selected\n" << known.err;
  EXPECT_EQ(run(with("--no-known")).code, 1);
  EXPECT_NE(run(with("--no-known")).out.find("--no-known"), std::string::npos) << "the command to run it again";
  EXPECT_NE(run({"backend", "info", backend}).out.find("lists.sh.known.json"), std::string::npos);
  // A list is of the declared profile, here none, unless an entry names another; a case that conforms makes it stale.
  write("lists.sh.known.json", R"([ {"case": "*/plain", "reason": "gone", "profile": "onnx"} ])");
  EXPECT_EQ(run(check).code, 1);
  EXPECT_EQ(run({"check", quantize_cases(), "-k", "*/plain", "--backend", backend, "--profile", "onnx"}).code, 6);
  write("lists.sh.known.json", R"([ {"case": "*/ties"} ])");
  EXPECT_EQ(run(check).code, 2) << "without a reason";
}

TEST_F(CommandExit, AReportThatCannotBeWrittenIsKnownBeforeTheRun) {
  const std::string started = path("started");
  const std::string backend =
      shell_backend("marks.sh", "touch " + started + "\n" + TIEBREAK_BINARY_DIR "/tiebreak-adapter-faulty --fault none run \"$1\" \"$2\"");
  std::filesystem::create_directories(path("folder"));
  for (const char* option : {"--junit", "--html", "--markdown"})
    for (const std::string& place : {path("no/such/r"), path("folder")}) {
      const CommandOutcome outcome = run({"check", quantize_cases(), "--backend", backend, option, place});
      EXPECT_EQ(outcome.code, 2) << option;
      EXPECT_NE(outcome.err.find("cannot write"), std::string::npos) << outcome.err;
    }
  EXPECT_EQ(run({"check", quantize_cases(), "--backend", backend, "--json=" + path("r"), "--junit", path("r")}).code, 2) << "one file for two reports";
  EXPECT_FALSE(std::filesystem::exists(started)) << "the backend was asked";
  EXPECT_FALSE(std::filesystem::exists(path("r")));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"eval", quantize_cases(), "--json=" + path("no/such/r")},
                                             {"diff", "onnx", "reference", "--svg", path("no/such/r")},
                                             {"score", quantize_cases(), "--json=" + path("no/such/r")},
                                             {"spec", "verify", "--junit", path("no/such/r")},
                                             {"golden", "build", quantize_cases(), "-o", "/proc/no/such"},
                                             {"explain", "onnx.QuantizeLinear/example-1", "--json=" + path("no/such/r")}}) {
    const CommandOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments[0];
  }
}

/// One mutant of it is left: a number below 1 does for what does not hold.
TEST_F(CommandExit, AScoreHasAsManySurvivorsAsSaid) {
  const auto code = [&](const std::string& left) {
    return run({"score", "--op", "tosa.REDUCE_ALL", "--profile", "tosa-1.0", "--left", left, TIEBREAK_SOURCE_DIR "/testsuite/mutants/tosa/REDUCE_ALL.json"})
        .code;
  };
  EXPECT_EQ(code("1"), 0);
  EXPECT_EQ(code("2"), 1) << "fewer than said";
  EXPECT_EQ(code("0"), 1) << "more than said";
  EXPECT_EQ(code("-1"), 2);
}

TEST_F(CommandExit, TheVerdictIsPrintedWhereAReportCannotBeWritten) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const CommandOutcome outcome = run_with(faulty("half-away"), {"--junit", "/dev/full", "--html", path("r.html")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("2 cases: 1 conform, 1 fail"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
  EXPECT_NE(read("r.html").find("</html>"), std::string::npos) << "the other reports are written";
}

TEST_F(CommandExit, AShapeBeyondTheLimitsIsRefusedAtOnce) {
  const std::string cases = write("large.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ { "name": "large",
    "inputs": { "x": {"type": "f32", "shape": [30000, 30000], "rule": "random"}, "y_scale": {"type": "f32", "shape": [], "data": [1]} } } ] })");
  const auto start = std::chrono::steady_clock::now();
  const CommandOutcome outcome = run({"eval", cases});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("[30000, 30000]"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("larger than 2 GiB"), std::string::npos) << outcome.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
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
    EXPECT_NE(outcome.out.find("2 cases: 0 conform, 0 fail, 0 unsupported, 2 inconclusive"), std::string::npos) << outcome.out << outcome.err;
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
    CommandOutcome outcome =
        run_and_signal({"check", quantize_cases(), "--backend", backend, "--json=" + path("r.json"), "--junit", path("r.xml")}, path("started"), signal);
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
