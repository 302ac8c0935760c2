// SPDX-License-Identifier: Apache-2.0
// What a runtime makes of several operations: the rules are read, programs become what they say, and a backend that fuses is found to do
// so.
#include "testsuite/causes/fusion.hpp"

#include <gtest/gtest.h>

#include "testsuite/check/check.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

const std::vector<Fusion>& rules() {
  static const auto found = read_fusions(TIEBREAK_SOURCE_DIR "/spec");
  return *found;
}

const char* const product =
    "%a = \"onnx.DequantizeLinear\"(%A, %as, %az) : (tensor<8x6xui8>, tensor<f32>, tensor<ui8>) -> tensor<8x6xf32>\n"
    "%b = \"onnx.DequantizeLinear\"(%B, %bs, %bz) : (tensor<6x8xi8>, tensor<f32>, tensor<i8>) -> tensor<6x8xf32>\n"
    "%p = \"onnx.MatMul\"(%a, %b) : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>\n"
    "%y = \"onnx.QuantizeLinear\"(%p, %ys, %yz) : (tensor<8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x8xui8>\n";

std::string codes(int rows, int columns, int first, int step, int modulus, int least) {
  std::string text = "[";
  for (int i = 0; i < rows; ++i) {
    text += i == 0 ? "[" : ", [";
    for (int k = 0; k < columns; ++k) text += (k == 0 ? "" : ", ") + std::to_string((first + step * (i * columns + k)) % modulus + least);
    text += "]";
  }
  return text + "]";
}

/// Scales of a tenth: every other sum lies beside a tie, on which side is decided by how often was rounded before.
Case product_case() {
  const std::string text = "// %A: " + codes(8, 6, 3, 37, 7, 97) + "\n// %B: " + codes(6, 8, 11, 59, 15, -7) +
                           "\n// %as: 0.1\n// %bs: 0.1\n// %ys: 0.02\n// %az: 100\n// %bz: 1\n// %yz: 128\n" + product;
  Result<Case> test = case_from_example(text, "test.md", 1);
  EXPECT_TRUE(test.has_value()) << (test ? "" : to_text(test.error()));
  test->id = "program/product";
  test->source = "test.md";
  return *test;
}

/// Runs what the rules make of a program, under a profile.
class FusingBackend : public Backend {
 public:
  explicit FusingBackend(std::string profile, std::function<bool(const Fusion&)> follows = {}) : profile_(std::move(profile)), follows_(std::move(follows)) {}
  Result<BackendDescription> describe() override { return BackendDescription{"fusing", "1", profile_, {}, {}}; }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers;
    for (const ExchangeCase& asked : cases) {
      auto parsed = parse_mlir(asked.program, asked.id);
      std::vector<Tensor> inputs;
      for (const ExchangeTensor& input : asked.inputs) inputs.push_back(input.tensor);
      const FusedProgram made = fused(parsed->functions.at(0), rules(), follows_);
      auto results = evaluate({pages(), **pages().find_profile(profile_)}, made.program, inputs);
      BackendAnswer& answer = answers.emplace_back();
      EXPECT_TRUE(results.has_value()) << (results ? "" : to_text(results.error()));
      answer.kind = BackendAnswer::Kind::answered;
      for (std::size_t i = 0; results && i < results->size(); ++i) answer.outputs.push_back({asked.outputs.at(i).name, (*results)[i].tensor});
    }
    return answers;
  }

 private:
  std::string profile_;
  std::function<bool(const Fusion&)> follows_;
};

TEST(Fusion, EveryRuleNamesOpsThatHavePages) {
  ASSERT_FALSE(rules().empty());
  for (const Fusion& rule : rules()) {
    EXPECT_TRUE(pages().find_op(rule.fused.op).has_value()) << rule.place;
    for (const FusionStep& step : rule.pattern) EXPECT_TRUE(pages().find_op(step.op).has_value()) << rule.place << " " << step.op;
    bool is_system = false;
    for (const auto& [name, profile] : pages().profiles()) is_system = is_system || profile.system == rule.system;
    EXPECT_TRUE(is_system) << rule.system;
  }
}

TEST(Fusion, AProductOfDequantizedCodesIsOneOperation) {
  const Case test = product_case();
  const FusedProgram made = fused(test.program, rules());
  ASSERT_EQ(made.program.operations.size(), 1u);
  EXPECT_EQ(made.program.operations[0].op, "onnx.QLinearMatMul");
  EXPECT_EQ(made.program.operations[0].operands.size(), 8u);
  ASSERT_EQ(made.used.size(), 1u);
  EXPECT_EQ(made.used[0]->ops_text(), "onnx.DequantizeLinear, onnx.MatMul and onnx.QuantizeLinear");
}

TEST(Fusion, AValueThatSomebodyElseReadsIsNotFusedAway) {
  Case test = product_case();
  test.program.outputs.push_back(test.program.operations[2].results[0]);  // the product itself
  const FusedProgram made = fused(test.program, rules());
  EXPECT_EQ(made.program.operations.size(), 2u) << "the quantization is by itself; the product of codes is a float";
  EXPECT_EQ(made.program.operations[0].op, "microsoft.MatMulIntegerToFloat");
}

TEST(Fusion, CheckNamesTheFusionAndTheCommandThatDecides) {
  for (const std::string profile : {"reference", "onnxruntime-x64"}) {  // under "onnx" the codes are right, by the order of the sum
    FusingBackend backend(profile);
    CheckOptions options;
    options.profile = profile;
    options.reproduce_arguments = "--backend fusing";
    const auto report = check(pages(), {product_case()}, backend, options);
    ASSERT_TRUE(report.has_value());
    const CaseReport& test = report->cases.at(0);
    ASSERT_EQ(test.status, CaseStatus::fail) << "otherwise nothing is shown here";
    ASSERT_TRUE(test.diagnosis && test.diagnosis->explains);
    ASSERT_EQ(test.diagnosis->clauses.size(), 1u);
    EXPECT_EQ(test.diagnosis->clauses[0].found, "onnx.QLinearMatMul");
    EXPECT_EQ(report->causes.at(0).words(),
              "runs onnx.DequantizeLinear, onnx.MatMul and onnx.QuantizeLinear as one onnx.QLinearMatMul where the profile runs each by itself");
    EXPECT_NE(test.notes.back().find("the program has 4 operations, and a backend may run several of them as one"), std::string::npos);
    EXPECT_NE(test.notes.back().find("tiebreak reduce program/product --source test.md --backend fusing --profile " + profile), std::string::npos)
        << test.notes.back();
  }
}

/// The product, to whose codes others are added: two places to fuse.
Case product_and_sum_case() {
  const std::string text = "// %A: " + codes(8, 6, 3, 37, 7, 97) + "\n// %B: " + codes(6, 8, 11, 59, 15, -7) + "\n// %C: " + codes(8, 8, 5, 31, 97, 60) +
                           "\n// %as: 0.1\n// %bs: 0.1\n// %ys: 0.02\n// %cs: 0.03\n// %zs: 0.1\n// %az: 100\n// %bz: 1\n// %yz: 128\n" + product +
                           "%l = \"onnx.DequantizeLinear\"(%y, %ys, %yz) : (tensor<8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<8x8xf32>\n"
                           "%r = \"onnx.DequantizeLinear\"(%C, %cs, %az) : (tensor<8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<8x8xf32>\n"
                           "%s = \"onnx.Add\"(%l, %r) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                           "%z = \"onnx.QuantizeLinear\"(%s, %zs, %yz) : (tensor<8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x8xui8>\n";
  Result<Case> test = case_from_example(text, "test.md", 1);
  EXPECT_TRUE(test.has_value()) << (test ? "" : to_text(test.error()));
  test->id = "program/product-and-sum";
  test->source = "test.md";
  return *test;
}

TEST(Fusion, SomeOfTheRulesMayBeFollowed) {
  FusingBackend backend("onnxruntime-x64", [](const Fusion& rule) { return rule.system == "onnxruntime" && rule.fused.op != "microsoft.QLinearAdd"; });
  CheckOptions options;
  options.profile = "onnxruntime-x64";
  const auto report = check(pages(), {product_and_sum_case()}, backend, options);
  ASSERT_TRUE(report.has_value());
  const CaseReport& test = report->cases.at(0);
  ASSERT_EQ(test.status, CaseStatus::fail) << "otherwise nothing is shown here";
  ASSERT_TRUE(test.diagnosis && test.diagnosis->explains);
  ASSERT_EQ(test.diagnosis->clauses.size(), 1u) << "the sum is by itself";
  EXPECT_EQ(test.diagnosis->clauses[0].found, "onnx.QLinearMatMul");
}

TEST(Fusion, OneDnnHasRulesOfItsOwn) {
  std::vector<std::string> ops;
  for (const Fusion& rule : rules())
    if (rule.system == "onednn") ops.push_back(rule.fused.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"onnx.QLinearMatMul", "onnx.QLinearConv", "onnx.MaxPool"}));
}

}  // namespace
}  // namespace tiebreak
