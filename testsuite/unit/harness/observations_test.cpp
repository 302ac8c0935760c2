// SPDX-License-Identifier: Apache-2.0
// Logs of values: read strictly, and identified without a backend.
#include <nlohmann/json.hpp>

#include "testsuite/unit/harness/command_run.hpp"

namespace tiebreak {
namespace {

class Observations : public CommandTest {
 protected:
  CommandOutcome identified(const std::string& content) {
    return run({"identify", "--op", "onnx.QuantizeLinear", "--observations", write("log.json", content)});
  }
  static std::string log(const std::string& outputs) {
    return R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32", "y_zero_point": "u8"}, "parameters": {"y_scale": 1, "y_zero_point": 1},
      "observations": [{"inputs": {"x": [0.5, 1.5, 2.5, -0.5, "0x1.8p+1"]}, "outputs": {"y": )" +
           outputs + "}}]}";
  }
};

TEST_F(Observations, WhatALogCannotDecideIsSaidWithWhatWould) {
  CommandOutcome outcome = identified(log("[2, 2, 4, 0, 4]"));  // the zero point before the rounding
  EXPECT_EQ(outcome.code == 0 || outcome.code == 5, true) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("onednn-x64"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("verdict  none"), std::string::npos) << outcome.out;
  bool says_what_decides = outcome.out.find("would decide: x=") != std::string::npos;
  EXPECT_EQ(says_what_decides, outcome.code == 5) << outcome.out;
}

TEST_F(Observations, WhatNoProfileSaysIsSearchedFor) {
  CommandOutcome outcome = identified(log("[100, 2, 77, 0, 4]"));
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("verdict  none"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("first counterexample"), std::string::npos) << outcome.out;
}

TEST_F(Observations, FaultsOfTheFileHaveTheirPlace) {
  struct Fault {
    const char* content;
    const char* message;
  };
  for (const Fault& fault : {
           Fault{"{", "not JSON"},
           Fault{R"({"observations": []})", "key 'schema' is missing"},
           Fault{R"({"schema": "x", "observations": []})", "schema 'x' is not known"},
           Fault{R"({"schema": "tiebreak.observations/1", "observation": []})", "unknown key 'observation'"},
           Fault{R"({"schema": "tiebreak.observations/1", "observations": []})", "there are no observations"},
           Fault{R"({"schema": "tiebreak.observations/1", "observations": [{"inputs": {"x": 1}, "outputs": {"y": 1}}]})", "the type of 'x' is not stated"},
           Fault{R"({"schema": "tiebreak.observations/1", "op": "onnx.Add", "observations": []})", "the file observes onnx.Add"},
           Fault{R"({"schema": "tiebreak.observations/1", "types": {"z": "f32"}, "observations": [{"inputs": {"z": 1}, "outputs": {"y": 1}}]})", "no operand 'z'"},
           Fault{R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": [1, 2], "y_scale": 1}, "outputs": {"y": [1]}}]})",
                 "output y is"},
           Fault{R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": [[1], [2, 3]], "y_scale": 1}, "outputs": {"y": 1}}]})",
                 "the lists are uneven"},
           Fault{R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": 1, "y_scale": 1}, "outputs": {"y": 300}}]})", "300"},
       }) {
    CommandOutcome outcome = identified(fault.content);
    EXPECT_EQ(outcome.code, 2) << fault.content << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(fault.message), std::string::npos) << fault.content << "\n" << outcome.err;
  }
}

TEST_F(Observations, OneOfBackendAndLogIsNeeded) {
  EXPECT_EQ(run({"identify", "--op", "onnx.QuantizeLinear"}).code, 2);
  EXPECT_EQ(run({"identify", "--backend", "reference", "--op", "onnx.QuantizeLinea"}).code, 2);
  EXPECT_EQ(run({"identify", "--backend", "reference", "--op", "onnx.QuantizeLinear", "--probes", "0"}).code, 2);
}

TEST_F(Observations, ACrashingBackendIsInconclusive) {
  CommandOutcome outcome = run({"identify", "--op", "onnx.QuantizeLinear", "--backend", shell_backend("crash", "kill -SEGV $$"), "--json"});
  EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
  nlohmann::json report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["verdict"], "inconclusive");
  EXPECT_NE(report["refusals"][0].get<std::string>().find("SIGSEGV"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
