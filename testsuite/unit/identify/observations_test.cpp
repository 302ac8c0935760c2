// SPDX-License-Identifier: Apache-2.0
// Logs of values: read strictly, and identified without a backend.
#include <nlohmann/json.hpp>

#include "testsuite/unit/helpers/command_run.hpp"

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
  for (
      const Fault& fault : {
          Fault{"{", "not JSON"},
          Fault{R"({"observations": []})", "key 'schema' is missing"},
          Fault{R"({"schema": "x", "observations": []})", "schema 'x' is not known"},
          Fault{R"({"schema": "tiebreak.observations/1", "observation": []})", "unknown key 'observation'"},
          Fault{R"({"schema": "tiebreak.observations/1", "observations": []})", "there are no observations"},
          Fault{R"({"schema": "tiebreak.observations/1", "observations": [{"inputs": {"x": 1}, "outputs": {"y": 1}}]})", "the type of 'x' is not stated"},
          Fault{R"({"schema": "tiebreak.observations/1", "op": "onnx.Add", "observations": []})", "the file observes onnx.Add"},
          Fault{R"({"schema": "tiebreak.observations/1", "types": {"z": "f32"}, "observations": [{"inputs": {"z": 1}, "outputs": {"y": 1}}]})",
                "no operand 'z'"},
          Fault{
              R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": [1, 2], "y_scale": 1}, "outputs": {"y": [1]}}]})",
              "output y is"},
          Fault{
              R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": [[1], [2, 3]], "y_scale": 1}, "outputs": {"y": 1}}]})",
              "the lists are uneven"},
          Fault{
              R"({"schema": "tiebreak.observations/1", "types": {"x": "f32", "y_scale": "f32"}, "observations": [{"inputs": {"x": 1, "y_scale": 1}, "outputs": {"y": 300}}]})",
              "300"},
      }) {
    CommandOutcome outcome = identified(fault.content);
    EXPECT_EQ(outcome.code, 2) << fault.content << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(fault.message), std::string::npos) << fault.content << "\n" << outcome.err;
  }
}

/// The example of docs/identify.md, which names its op itself.
constexpr const char* documented = R"({
  "schema": "tiebreak.observations/1",
  "op": "quant.requantize",
  "types": { "acc": "i32", "x_scale": "f32", "w_scale": "f32", "y_scale": "f32", "y_zero_point": "i32" },
  "parameters": { "x_scale": 1, "w_scale": 1, "y_scale": 4, "y_zero_point": 3 },
  "observations": [
    { "inputs": { "acc": [1, 2, 6, -2] }, "outputs": { "y": [3, 4, 5, 3] } },
    { "inputs": { "acc": 585 }, "parameters": { "y_scale": "0x1.8p+3" }, "outputs": { "y": 52 } }
  ]
})";

TEST_F(Observations, TheLogsOwnOpSuffices) {
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", documented)});
  EXPECT_EQ(outcome.code, 5) << "several are left\n" << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("op quant.requantize"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("verdict  several"), std::string::npos) << outcome.out;
  EXPECT_EQ(run({"identify", "--observations", write("none.json", R"({"schema": "tiebreak.observations/1", "observations": []})")}).code, 2);
}

/// Equal on every accumulator at the log's scales, and what would decide, are facts about these scales.
TEST_F(Observations, RelationsAreThoseAtTheLogsOwnParameters) {
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", documented), "--json"});
  nlohmann::json report = nlohmann::json::parse(outcome.out);
  bool some_equal = false, some_apart = false;
  for (const auto& one : report["explaining"]) {
    std::string relation = one.value("relation", "");
    some_equal |= relation.find("equal on all 4294967296 values of acc at each of these 2 parameter sets") != std::string::npos;
    some_apart |= relation.find("another result on ") != std::string::npos &&
                  relation.find(" of 8589934592 values of acc at these 2 parameter sets") != std::string::npos;
  }
  EXPECT_TRUE(some_equal) << outcome.out;
  EXPECT_TRUE(some_apart) << outcome.out;
  ASSERT_FALSE(report["would_decide"].empty());
  std::string first = report["would_decide"][0];
  EXPECT_NE(first.find("acc="), std::string::npos) << first;
  EXPECT_TRUE(first.find("y_scale=4") != std::string::npos || first.find("y_scale=12") != std::string::npos) << first;
}

/// What the caller cannot give decides nothing.
TEST_F(Observations, RangesBoundWhatWouldDecide) {
  std::string content = documented;
  content.insert(content.find("\"observations\""), "\"ranges\": {\"acc\": [-2, 2]}, ");
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", content)});
  EXPECT_NE(outcome.out.find("equal on all 5 values of acc at each of these 2 parameter sets"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("another result on"), std::string::npos) << "the log itself has these five at one scale, and none differs at the other\n"
                                                                      << outcome.out;
  for (const char* bad : {R"("ranges": {"acc": [2, -2]}, )", R"("ranges": {"acc": 3}, )", R"("ranges": {"nonsense": [1, 2]}, )"}) {
    std::string faulty = documented;
    faulty.insert(faulty.find("\"observations\""), bad);
    EXPECT_EQ(run({"identify", "--observations", write("bad.json", faulty)}).code, 2) << bad;
  }
}

TEST_F(Observations, CsvSaysTheSameAsJson) {
  const std::string csv =
      "acc:i32,x_scale:f32,w_scale:f32,y_scale:f32,y_zero_point:i32,y\r\n1,1,1,4,3,3\r\n2,1,1,4,3,4\r\n6,1,1,4,3,5\r\n-2,1,1,4,3,3\r\n585,1,1,\"0x1.8p+3\",3,"
      "52\r\n";
  CommandOutcome of_csv = run({"identify", "--op", "quant.requantize", "--observations", write("log.csv", csv), "--json"});
  CommandOutcome of_json = run({"identify", "--observations", write("log.json", documented), "--json"});
  EXPECT_EQ(of_csv.code, of_json.code) << of_csv.err;
  nlohmann::json a = nlohmann::json::parse(of_csv.out), b = nlohmann::json::parse(of_json.out);
  EXPECT_EQ(a["explaining"], b["explaining"]);
  EXPECT_EQ(a["asked"], b["asked"]);
  EXPECT_EQ(a["would_decide"], b["would_decide"]);
}

TEST_F(Observations, FaultsOfCsvHaveLineAndColumn) {
  struct Fault {
    const char* content;
    const char* message;
    const char* place;
  };
  for (const Fault& fault : {
           Fault{"", "the file is empty", "log.csv"},
           Fault{"x:f32,y_scale:f32,y\n", "there are no observations", "log.csv:2:1"},
           Fault{"x:f32,y_scal,y\n1,1,1\n", "no operand, result or attribute 'y_scal'", "log.csv:1:7"},
           Fault{"x:f32,x,y\n1,1,1\n", "column 'x' appears twice", "log.csv:1:7"},
           Fault{"x:f32,y_scale:f32,y\n1,1\n", "the line has 2 fields, the header 3", "log.csv:2:1"},
           Fault{"x:f32,y_scale:f32,y\n1,1,1\n1,one,1\n", "one", "log.csv:3:3"},
           Fault{"x:f32,y_scale:f32,y\n1,1,1\n2,1,300\n", "300", "log.csv:3:5"},
           Fault{"x:f32,y_scale:f32,y\n1,\"1,1\n", "the quote is never closed", "log.csv:2:3"},
           Fault{"x:f32,y_scale:f32,y\n1,1\"1,1\n", "a quote inside a field", "log.csv:2:4"},
           Fault{"x:f32,y_scale:f32,y\n1,\"1\"1,1\n", "behind the quote", "log.csv:2:6"},
           Fault{"x,y_scale:f32,y\n1,1,1\n", "the type of 'x' is not stated", "log.csv:2:1"},
       }) {
    CommandOutcome outcome = run({"identify", "--op", "onnx.QuantizeLinear", "--observations", write("log.csv", fault.content)});
    EXPECT_EQ(outcome.code, 2) << fault.content << outcome.out;
    EXPECT_NE(outcome.err.find(fault.message), std::string::npos) << fault.content << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(fault.place), std::string::npos) << fault.content << "\n" << outcome.err;
  }
  EXPECT_EQ(run({"identify", "--observations", write("log.csv", "x:f32,y\n1,1\n")}).code, 2) << "a CSV does not name its op";
}

/// An attribute as a column, an operand that is not given, a result that nobody saw.
TEST_F(Observations, CsvVariesAttributesAndLeavesFieldsEmpty) {
  const std::string csv = "x:f32,y_scale:f32,y_zero_point:u8,output_dtype,y:u8\n0.5,1,,u8,0\n1.5,1,,u8,2\n2.5,1,1,u8,\n3.5,1,1,u8,5\n";
  CommandOutcome outcome = run({"identify", "--op", "onnx.QuantizeLinear", "--observations", write("log.csv", csv)});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 5) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("3 answers"), std::string::npos) << "the empty one does not count\n" << outcome.out;
}

TEST_F(Observations, AJsonLogVariesAnAttribute) {
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", R"({"schema": "tiebreak.observations/1", "op": "onnx.QuantizeLinear",
    "types": {"x": "f32", "y_scale": "f32", "y_zero_point": "f8e4m3fn"}, "parameters": {"y_scale": 1, "y_zero_point": 0},
    "observations": [{"inputs": {"x": [1000, -1000, 17]}, "attributes": {"saturate": 1}, "outputs": {"y": [448, -448, 16]}},
                     {"inputs": {"x": [1000, -1000, 17]}, "attributes": {"saturate": 0}, "outputs": {"y": ["nan", "nan", 16]}}]})")});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 5) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("explains all 6 answers"), std::string::npos) << outcome.out;
}

/// A program of two ops, its inputs without stated types: the arguments have them.
TEST_F(Observations, ALogOfAProgramIsIdentified) {
  const std::string program =
      "func.func @f(%x: tensor<3xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<3xf32> {\\n"
      "%q = \\\"onnx.QuantizeLinear\\\"(%x, %s, %z) : (tensor<3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3xui8>\\n"
      "%y = \\\"onnx.DequantizeLinear\\\"(%q, %s, %z) : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>\\n"
      "return %y : tensor<3xf32>\\n}";
  const auto log = [&](const std::string& outputs) {
    return R"({"schema": "tiebreak.observations/1", "program": ")" + program + R"(", "parameters": {"s": 1, "z": 1},
      "observations": [{"inputs": {"x": [0.5, 1.5, 2.5]}, "outputs": {"y": )" +
           outputs + "}}]}";
  };
  CommandOutcome even = run({"identify", "--observations", write("log.json", log("[0, 2, 2]"))});
  EXPECT_EQ(even.code, 5) << even.out << even.err;
  EXPECT_NE(even.out.find("op onnx.QuantizeLinear+onnx.DequantizeLinear"), std::string::npos) << even.out;
  EXPECT_NE(even.out.find("drawn x at these parameters"), std::string::npos) << even.out;
  CommandOutcome before = run({"identify", "--observations", write("log.json", log("[1, 1, 3]"))});  // the zero point before the rounding
  EXPECT_NE(before.out.find("onednn"), std::string::npos) << before.out << before.err;
  CommandOutcome wrong = run({"identify", "--observations", write("log.json", log("[0, 2]"))});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("the program gives tensor<3xf32>"), std::string::npos) << wrong.err;
}

/// StableHLO leaves the result's type open: the log states it.
TEST_F(Observations, ResultsOfOpenTypeAreStated) {
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", R"({"schema": "tiebreak.observations/1", "op": "stablehlo.convert",
    "types": {"operand": "f32", "result": "i8"}, "observations": [{"inputs": {"operand": [1.5, -1.5, 3]}, "outputs": {"result": [1, -1, 3]}}]})")});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 5) << outcome.out << outcome.err;
}

/// PyTorch's vector body dequantizes with a fused step, its tail without one.
TEST_F(Observations, BodyAndTailAreIdentifiedByThemselves) {
  const std::string head = R"({"schema": "tiebreak.observations/1", "op": "quant.dequantize", "types": {"code": "u8", "scale": "f32", "zero_point": "i32"},
    "parameters": {"scale": "0.061773329973220825", "zero_point": 126}, "observations": [)";
  const auto log = [&](const std::string& part) {
    return head + R"({"inputs": {"code": [91, 101, 121, 91, 101, 121]}, "part": )" + part +
           R"(, "outputs": {"y": ["-0x1.14c5eep+1", "-0x1.8b5ac6p+0", "-0x1.3c48a4p-2", "-0x1.14c5eep+1", "-0x1.8b5ac6p+0", "-0x1.3c48a4p-2"]}}]})";
  };
  for (const char* bad : {R"({"body": "0 .. 2"})", R"({"body": "0 .. 3", "tail": [3, 4, 5]})", R"({"body": "0 .. 9"})", "3"}) {
    CommandOutcome outcome = run({"identify", "--observations", write("log.json", log(bad))});
    EXPECT_EQ(outcome.code, 2) << bad << outcome.out << outcome.err;
  }
  CommandOutcome outcome = run({"identify", "--observations", write("log.json", log(R"({"body": "0 .. 2", "tail": [3, 4, 5]})")), "--json"});
  nlohmann::json report = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(report["parts"].size(), 2U) << outcome.out << outcome.err;
  EXPECT_EQ(report["parts"][0]["part"], "body");
  EXPECT_EQ(report["parts"][1]["part"], "tail");
  EXPECT_EQ(report["parts"][0]["answers"], 3);
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
