// SPDX-License-Identifier: Apache-2.0
// Planted semantics must be found, whichever they are; what is not there must not be.
#include "testsuite/identify/identify.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "testsuite/candidates/probe_pool.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"

namespace tiebreak {
namespace {

class Identify : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  static Profile profile(const std::string& name) {
    auto found = library->find_profile(name);
    EXPECT_TRUE(found) << name;
    return found ? **found : Profile{};
  }
  static Identification identified(Backend& backend, const std::string& op, std::uint64_t confirm = 0) {
    IdentifyOptions options;
    options.op = op;
    options.confirm = confirm;
    Result<Identification> found = identify(*library, backend, options);
    EXPECT_TRUE(found) << to_text(found.error());
    return found ? *found : Identification{};
  }
  static bool names(const std::vector<std::string>& members, const std::string& name) {
    return std::ranges::any_of(members, [&](const std::string& member) { return member == name || member.starts_with(name + " with "); });
  }
  static inline std::shared_ptr<const Library> library;
};

struct PlantedOp {
  const char* op;
  std::size_t step = 1;  ///< every so many profiles: of contractions without a bias a part, they cost a row of codes an accumulator
};
class Planted : public Identify, public testing::WithParamInterface<PlantedOp> {};

/// Every profile that speaks of the op, one after the other: at most 64 questions, and the answer is its class. Others may stand beside it only
/// if nothing in the pool tells them from it.
TEST_P(Planted, EveryProfileIsNamed) {
  const std::string op = GetParam().op;
  if (!library->find_op(op)) GTEST_SKIP() << op << " has no page";
  IdentifyOptions options;
  options.op = op;
  options.decide_choices = false;
  Result<Questions> questions = make_questions(*library, options);
  ASSERT_TRUE(questions) << to_text(questions.error());
  EXPECT_EQ(questions->first.left, 0u) << "pairs that the pool splits and 48 questions do not";
  for (std::size_t i = 0; i < questions->candidates.size(); i += GetParam().step) {
    const Candidate& candidate = questions->candidates[i];
    PlantedBackend backend(*library, candidate.profile);
    Result<Identification> identification = identify(*library, backend, options, *questions);
    ASSERT_TRUE(identification) << to_text(identification.error());
    const Identification& answer = *identification;
    EXPECT_LE(backend.elements, 64) << candidate.name;
    EXPECT_EQ(answer.answers, static_cast<std::size_t>(backend.elements));
    bool is_named =
        std::ranges::any_of(answer.explaining, [&](const Explanation& one) { return names(one.members, candidate.name) || one.name == candidate.name; });
    EXPECT_TRUE(is_named) << candidate.name << "\n" << identification_text(answer, false);
    EXPECT_EQ(answer.verdict, Identification::Verdict::identified) << candidate.name << "\n" << identification_text(answer, false);
    for (std::size_t k = 1; k < answer.explaining.size(); ++k)
      EXPECT_FALSE(answer.explaining[k].relation.starts_with("another result")) << candidate.name << ": " << answer.explaining[k].name;
    EXPECT_EQ(answer.explaining.size() + answer.rejected.size(), answer.candidates) << candidate.name;
  }
}

/// Where there is a bias, it is the accumulator: nothing but zero points on one side of the products, and one element of them.
TEST_F(Identify, ChoicesOfAnOpAreThoseOfItsStagesToo) {
  const std::vector<OpChoice> choices = choices_of_ops(*library, {"hybrid.dot_general"});
  const auto has = [&](const std::string& key) { return std::ranges::find(choices, key, &OpChoice::key) != choices.end(); };
  EXPECT_TRUE(has("quant.dynamic/range")) << "of the stage that quantizes the activation";
  EXPECT_TRUE(has("quant.dynamic/quantize.tie")) << "of a module that the stage uses";
  EXPECT_TRUE(std::ranges::any_of(choices, [](const OpChoice& one) { return op_of(one) == "hybrid.dot_general"; })) << "the op's own";
}

TEST_F(Identify, ProductsOfBlocksAreAskedByCases) {
  const Result<OpRoles> roles = roles_of(*library, "quant.block_dot", {});
  ASSERT_FALSE(roles);
  EXPECT_EQ(roles.error().what, "no questions can be made for quant.block_dot: its scales go by blocks");
}

TEST_F(Identify, AccumulatorsComeThroughTheBias) {
  for (const char* op : {"onnx.QLinearConv", "microsoft.QGemm"}) {
    Result<OpRoles> roles = roles_of(*library, op, {});
    ASSERT_TRUE(roles) << to_text(roles.error());
    ASSERT_TRUE(has_bias(*roles)) << op;
    const std::vector<Real> accumulators{Real(-2147483647), Real(-1), Real(0), Real(16777217), Real(2147483647)};
    Result<ProbeSet> set = accumulator_set(*roles, {.result = Real(4), .zero_result = Real(3)}, accumulators);
    ASSERT_TRUE(set) << to_text(set.error());
    Result<Case> test = case_of(*library, set->call, "probe");
    ASSERT_TRUE(test) << to_text(test.error());
    Result<std::vector<ResultTensor>> results = results_under({*library, profile("onnxruntime-x64")}, *test);
    ASSERT_TRUE(results) << op << ": " << to_text(results.error());
    ASSERT_EQ(results->front().tensor.size(), 5);
    for (std::int64_t i = 0; i < 5; ++i) {
      const std::int64_t expected[] = {0, 3, 3, 255, 255};
      EXPECT_EQ(results->front().tensor.value(i).to_int64(), expected[i]) << op << " " << i;
    }
    for (const std::int64_t index : {0, 3}) {
      const std::vector<std::int64_t> alone{index};
      Result<OpInputs> one = chosen(*set, alone);
      ASSERT_TRUE(one) << op;
      Result<Case> single = case_of(*library, *one, "one");
      ASSERT_TRUE(single) << op;
      Result<std::vector<ResultTensor>> answer = results_under({*library, profile("onnxruntime-x64")}, *single);
      ASSERT_TRUE(answer) << op;
      ASSERT_EQ(answer->front().tensor.size(), 1) << op;
      EXPECT_EQ(answer->front().tensor.code(0), results->front().tensor.code(index)) << op;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Planted,
                         testing::Values(PlantedOp{"quant.requantize"}, PlantedOp{"quant.requantize_integer"}, PlantedOp{"quant.quantize"},
                                         PlantedOp{"onnx.QuantizeLinear"}, PlantedOp{"onnx.QLinearConv"}, PlantedOp{"onnx.QLinearMatMul", 5},
                                         PlantedOp{"onnx.MatMulInteger"}, PlantedOp{"microsoft.QGemm", 5}),
                         [](const auto& instance) {
                           std::string name = instance.param.op;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST_F(Identify, FurtherElementsConfirm) {
  PlantedBackend backend(*library, profile("onednn-x64"));
  Identification answer = identified(backend, "onnx.QuantizeLinear", 3000);
  ASSERT_TRUE(answer.confirmation);
  EXPECT_GE(answer.confirmation->answered, 3000u);
  EXPECT_EQ(answer.confirmation->different, 0u);
  EXPECT_EQ(answer.exit_code(), 0);
}

/// A system whose operand has one scale refuses nearly all parameters that are drawn with two; it is asked as many elements all the same.
TEST_F(Identify, FurtherElementsHaveOneScaleWhereTwoAreRefused) {
  PlantedBackend backend(*library, profile("xnnpack-vcvt8"));
  backend.refuses = [](const ExchangeCase& asked) { return !(asked.inputs.at(2).tensor.value(0) == Real(1)); };
  IdentifyOptions options;
  options.op = "quant.requantize";
  options.confirm = 3000;
  options.decide_choices = false;
  const Result<Identification> found = identify(*library, backend, options);
  ASSERT_TRUE(found) << to_text(found.error());
  const Identification& answer = *found;
  ASSERT_TRUE(answer.confirmation);
  EXPECT_GE(answer.confirmation->answered, 3000u);
  EXPECT_EQ(answer.confirmation->different, 0u);
}

TEST_F(Identify, AnswersThatOnlyFurtherElementsRefuteAreAFinding) {
  PlantedBackend backend(*library, profile("onednn-x64"));
  std::int64_t seen = 0;
  backend.disturb = [&](const ExchangeCase&, Tensor& tensor) {
    seen += tensor.size();
    if (seen > 500) tensor.set_code(tensor.size() - 1, tensor.code(tensor.size() - 1) ^ 1u);
  };
  Identification answer = identified(backend, "onnx.QuantizeLinear", 3000);
  ASSERT_TRUE(answer.confirmation);
  EXPECT_GT(answer.confirmation->different, 0u);
  ASSERT_TRUE(answer.confirmation->first);
  EXPECT_NE(answer.confirmation->first->predicted, answer.confirmation->first->answered);
  EXPECT_EQ(answer.exit_code(), 1);
}

/// A point that no profile has: the search among the combinations finds it.
TEST_F(Identify, ANewPointIsFoundByFreeSearch) {
  Profile planted = profile("onnxruntime-x64");
  planted.choices["onnx.QuantizeLinear/tie"].alternative = "up";
  PlantedBackend backend(*library, planted);
  Identification answer = identified(backend, "onnx.QuantizeLinear");
  EXPECT_EQ(answer.verdict, Identification::Verdict::combination) << identification_text(answer, false);
  auto tie = std::ranges::find(answer.choices, "tie", &ChoiceFinding::name);
  ASSERT_NE(tie, answer.choices.end());
  EXPECT_EQ(tie->alternative, "up");
  EXPECT_EQ(tie->state, ChoiceFinding::State::decided);
  EXPECT_EQ(answer.exit_code(), 1);
  EXPECT_EQ(answer.rejected.size(), answer.candidates);
}

TEST_F(Identify, WhatFollowsNothingIsNone) {
  PlantedBackend backend(*library, profile("onnxruntime-x64"));
  backend.disturb = [](const ExchangeCase& asked, Tensor& tensor) {
    std::uint64_t mixed = asked.id.size() * 37;
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, (tensor.code(i) * 31 + mixed + static_cast<std::uint64_t>(i) * 13) & 255u);
  };
  Identification answer = identified(backend, "onnx.QuantizeLinear");
  EXPECT_EQ(answer.verdict, Identification::Verdict::none) << identification_text(answer, false);
  ASSERT_FALSE(answer.rejected.empty());
  EXPECT_FALSE(answer.searched.empty());
  EXPECT_NE(identification_text(answer, false).find("first counterexample"), std::string::npos);
  EXPECT_EQ(answer.exit_code(), 1);
}

TEST_F(Identify, ABackendThatRefusesIsInconclusive) {
  PlantedBackend backend(*library, profile("onnx"));
  backend.refuses_everything = true;
  Identification answer = identified(backend, "onnx.QuantizeLinear");
  EXPECT_EQ(answer.verdict, Identification::Verdict::inconclusive);
  ASSERT_FALSE(answer.refusals.empty());
  EXPECT_EQ(answer.refusals[0], "unsupported: refused");
  EXPECT_EQ(answer.exit_code(), 5);
}

TEST_F(Identify, TypesAreAskedForByName) {
  PlantedBackend backend(*library, profile("onnxruntime-x64"));
  IdentifyOptions options;
  options.op = "onnx.QuantizeLinear";
  options.types = {{"x", "f16"}, {"y_scale", "f16"}, {"y", "i8"}};
  Result<Identification> answer = identify(*library, backend, options);
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_EQ(answer->types, "x=f16 y_scale=f16 y_zero_point=i8 output_dtype=i8");
  EXPECT_EQ(answer->verdict, Identification::Verdict::identified) << identification_text(*answer, false);
  options.types = {{"z", "f16"}};
  EXPECT_EQ(identify(*library, backend, options).error().what, "onnx.QuantizeLinear has no operand, result or attribute 'z'");
  options.types = {{"x", "f12"}};
  EXPECT_FALSE(identify(*library, backend, options));
  options.types = {{"x", "u8"}};
  EXPECT_NE(identify(*library, backend, options).error().what.find("takes no u8 as x"), std::string::npos);
}

}  // namespace
}  // namespace tiebreak
