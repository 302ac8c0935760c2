// SPDX-License-Identifier: Apache-2.0
// tiebreak reduce on backends with known faults: what is left is one element, one row, one operation, and still fails.
#include <nlohmann/json.hpp>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandReduce : public CommandTest {
 protected:
  std::vector<std::string> reduce(const std::string& id, const std::string& source, const std::string& fault, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "reduce", id, "--source", source, "--backend", "faulty", "--backend-option=--fault", "--backend-option=" + fault, "--profile", "onnxruntime-x64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  nlohmann::json inputs_of(const std::string& file) { return nlohmann::json::parse(read(file))["cases"][0]["inputs"]; }
  int check_again(const std::string& file, const std::string& fault) {
    return run({"check", path(file), "--backend", "faulty", "--backend-option=--fault", "--backend-option=" + fault, "--profile", "onnxruntime-x64"}).code;
  }
  /// Two matrices with several of everything, at parameters that are not simple.
  std::string matrices() {
    return write("matrices.json", R"({ "schema": "tiebreak.case/1", "op": "onnx.QLinearMatMul", "cases": [ { "name": "mixed", "inputs": {
      "a": {"type": "u8", "shape": [5, 7], "rule": "random", "min": 0, "max": 15}, "a_scale": {"type": "f32", "shape": [], "data": [0.25]}, "a_zero_point": {"type": "u8", "shape": [], "data": [3]},
      "b": {"type": "i8", "shape": [7, 4], "rule": "random", "seed": 2, "min": -4, "max": 4}, "b_scale": {"type": "f32", "shape": [4], "data": [0.5, 0.25, 0.125, 1]}, "b_zero_point": {"type": "i8", "shape": [4], "data": [0, 1, 0, -1]},
      "y_scale": {"type": "f32", "shape": [], "data": [0.25]}, "y_zero_point": {"type": "u8", "shape": [], "data": [7]} } } ] })");
  }
};

TEST_F(CommandReduce, AnElementwiseFaultNeedsOneElement) {
  for (const char* fault : {"half-away", "zero-point-first", "wrap"}) {
    std::string folder = path(std::string("out-") + fault);
    CommandOutcome outcome = run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), fault, {"-o", folder}));
    ASSERT_EQ(outcome.code, 1) << fault << outcome.out << outcome.err;
    std::string name = std::string("out-") + fault + "/case.json";
    nlohmann::json inputs = inputs_of(name);
    EXPECT_EQ(inputs["x"]["data"].size(), 1U) << fault << outcome.out;
    EXPECT_EQ(inputs["y_scale"]["data"][0], "1") << fault << outcome.out;
    EXPECT_EQ(check_again(name, fault), 1) << "the reduced case fails as the case did";
    EXPECT_EQ(check_again(name, "none"), 0) << "and for that reason alone";
    for (const char* file : {"model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb", "reproduce.py", "verdict.txt"})
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(folder) / file)) << file;
    EXPECT_TRUE(read_onnx_file(folder + "/model.onnx"));
    // The folder is a node test, whose expectation is the profile's.
    EXPECT_EQ(run({"check", folder, "--backend", "reference", "--profile", "onnxruntime-x64"}).code, 0);
  }
}

TEST_F(CommandReduce, AContractionNeedsOneRowAndOneColumn) {
  for (const char* fault : {"half-away", "wrap"}) {
    std::string folder = path(std::string("out-") + fault);
    CommandOutcome outcome = run(reduce("onnx.QLinearMatMul/mixed", matrices(), fault, {"-o", folder}));
    ASSERT_EQ(outcome.code, 1) << fault << outcome.out << outcome.err;
    std::string name = std::string("out-") + fault + "/case.json";
    nlohmann::json inputs = inputs_of(name);
    EXPECT_EQ(inputs["a"]["shape"], (std::vector<int>{1, 1})) << fault << outcome.out;
    EXPECT_EQ(inputs["b"]["shape"], (std::vector<int>{1, 1})) << fault << outcome.out;
    EXPECT_EQ(inputs["b_scale"]["data"].size(), 1U);
    EXPECT_EQ(check_again(name, fault), 1);
    EXPECT_EQ(check_again(name, "none"), 0);
  }
}

TEST_F(CommandReduce, SameInSameOut) {
  CommandOutcome first = run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), "half-away"));
  CommandOutcome second = run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), "half-away"));
  EXPECT_EQ(first.out, second.out);
  EXPECT_NE(first.out.find("302 input elements became"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("InferenceSession"), std::string::npos) << first.out;
}

TEST_F(CommandReduce, CrashesAreReducedToo) {
  // Whatever it is asked.
  std::string crash = shell_backend("crash", "kill -SEGV $$");
  CommandOutcome outcome =
      run({"reduce", "onnx.QuantizeLinear/ties", "--source", quantize_cases(), "--backend", crash, "--profile", "onnx", "--limit", "200", "--json"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  nlohmann::json reduced = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(reduced["kind"], "inconclusive: crashed with SIGSEGV");
  EXPECT_LE(reduced["elements_after"], 2);
}

TEST_F(CommandReduce, WhatCannotBeReduced) {
  CommandOutcome conforms = run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), "none"));
  EXPECT_EQ(conforms.code, 0);
  EXPECT_NE(conforms.err.find("nothing to reduce"), std::string::npos) << conforms.err;
  EXPECT_EQ(run(reduce("onnx.QuantizeLinear/no-such", quantize_cases(), "wrap")).code, 2);
  EXPECT_EQ(run({"reduce", "onnx.QuantizeLinear/ties", "--source", quantize_cases()}).code, 2) << "no backend";
  std::filesystem::create_directories(path("full"));
  write("full/file", "something");
  EXPECT_EQ(run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), "half-away", {"-o", path("full")})).code, 2) << "nothing is overwritten";
  EXPECT_EQ(read("full/file"), "something");
}

TEST_F(CommandReduce, TheLimitHolds) {
  CommandOutcome outcome = run(reduce("onnx.QuantizeLinear/ties", quantize_cases(), "half-away", {"--limit", "5", "--json"}));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  nlohmann::json reduced = nlohmann::json::parse(outcome.out);
  EXPECT_LE(reduced["questions"], 6);
  EXPECT_EQ(reduced["limit_reached"], true);
}

}  // namespace
}  // namespace tiebreak
