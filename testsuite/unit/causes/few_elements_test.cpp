// SPDX-License-Identifier: Apache-2.0
// Semantics that are refuted by a few elements, or by another one with the same formula, are those that are refuted by all elements.
#include <gtest/gtest.h>

#include <random>

#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/causes/cause_candidates.hpp"
#include "testsuite/causes/diagnose.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// Multiples of an eighth: many quotients and means are halves.
Tensor drawn(Shape shape, float low, float high, float unit = 1) {
  Floats values(static_cast<std::size_t>(*element_count(shape)));
  std::mt19937 random(5);
  for (float& value : values) value = (low + static_cast<float>(random() % static_cast<unsigned>(8 * (high - low))) / 8) * unit;
  return floats_tensor(std::move(shape), values);
}

Case case_of(OpInputs call) {
  Case test;
  const Status built = build_op_case(pages(), std::move(call), test);
  EXPECT_TRUE(built) << to_text(built.error());
  return test;
}

/// Each large enough for a look at some elements: one by one, rows, means of neighbours, a sum.
std::vector<Case> cases() {
  return {case_of({.op = "onnx.QuantizeLinear",
                   .inputs = {{"x", drawn({8, 300}, -40, 40)}, {"y_scale", floats_tensor({}, {0.25F})}, {"y_zero_point", codes_tensor("u8", {}, {100})}}}),
          case_of({.op = "onnx.Softmax", .inputs = {{"input", drawn({80, 20}, -4, 4)}}}),
          case_of({.op = "onnx.HardSigmoid", .inputs = {{"X", drawn({1500}, -4, 4)}}}),
          case_of({.op = "onnx.Resize",
                   .inputs = {{"X", drawn({1, 1, 20, 20}, -4, 4)}, {"scales", floats_line({1, 1, 2, 2})}},
                   .attributes = {{"mode", Attribute{std::string("linear")}}}}),
          case_of({.op = "onnx.MatMul", .inputs = {{"A", drawn({40, 6}, -4, 4, 1.1F)}, {"B", drawn({6, 40}, -4, 4, 0.3F)}}})};
}

TEST(FewElements, RefuteWhatAllRefute) {
  const Profile& onnx = **pages().find_profile("onnx");
  for (const Case& test : cases()) {
    const std::string op = test.program.operations.front().op;
    const auto expectation = evaluate({pages(), onnx}, test.program, test.inputs);
    ASSERT_TRUE(expectation) << op << ": " << to_text(expectation.error());
    const CauseCandidates candidates({pages(), onnx}, "", {op});
    std::size_t differing = 0, looked_at = 0;
    for (const CauseCandidate& does : candidates.list()) {
      const auto gives = evaluate({pages(), does.profile}, test.program, test.inputs);
      if (!gives || !same_type(gives->front().tensor.type(), expectation->front().tensor.type()) || !gives->front().undefined.empty()) continue;
      if (count_different(expectation->front(), gives->front()) == 0 || ++differing > 3) continue;
      const Observation telling = observed({&test, *expectation, {gives->front().tensor}});
      ASSERT_FALSE(telling.telling.empty());
      Observation silent = telling;
      silent.telling.clear();
      Evidence few(pages(), OpenElement::refuted), all(pages(), OpenElement::refuted);
      few.add(telling);
      all.add(silent);
      EXPECT_TRUE(few.explains(does.profile)) << op << ": " << does.name << " gave it";
      for (const CauseCandidate& other : candidates.list()) {
        EXPECT_EQ(few.explains(other.profile), all.explains(other.profile)) << op << ": " << other.name << " of what " << does.name << " gave";
        if (++looked_at % 7 != 0) continue;
        const Fit one = few.fit(other.profile), same = all.fit(other.profile);
        EXPECT_EQ(one.explained, same.explained) << op << ": " << other.name << " of what " << does.name << " gave";
        EXPECT_EQ(one.of, same.of);
      }
    }
    EXPECT_GT(differing, 0U) << op;
  }
}

TEST(FewElements, OneOfThousandIsEnoughToRefute) {
  const Profile& onnx = **pages().find_profile("onnx");
  for (const Case& test : cases()) {
    const auto expectation = evaluate({pages(), onnx}, test.program, test.inputs);
    ASSERT_TRUE(expectation);
    for (const std::int64_t place : {std::int64_t{0}, std::int64_t{777}, expectation->front().tensor.size() - 1}) {
      Tensor answer = expectation->front().tensor;
      answer.set_code(place, answer.code(place) ^ 1U);
      Evidence evidence(pages(), OpenElement::refuted);
      evidence.add(observed({&test, *expectation, {answer}}));
      EXPECT_FALSE(evidence.explains(onnx)) << test.program.operations.front().op << " at " << place;
    }
  }
}

/// The rates of a cause are counted from the answers alone: as its own evaluation has them.
TEST(FewElements, ACauseIsSaidToExplainWhatItExplains) {
  const Profile& onnx = **pages().find_profile("onnx");
  const Case test = cases().front();
  Profile away = onnx;
  away.choices["onnx.QuantizeLinear/tie"] = ProfileValue{.alternative = "away"};
  const auto expectation = evaluate({pages(), onnx}, test.program, test.inputs), gives = evaluate({pages(), away}, test.program, test.inputs);
  ASSERT_TRUE(expectation && gives);
  const Diagnosis diagnosis = diagnose({pages(), onnx}, test, *expectation, {gives->front().tensor});
  EXPECT_TRUE(diagnosis.explains);
  EXPECT_EQ(cause_word(diagnosis), "tie=away");
  EXPECT_EQ(diagnosis.of, 2400U);
  EXPECT_EQ(diagnosis.explained, 2400U);
  EXPECT_EQ(diagnosis.observed, count_different(expectation->front(), gives->front()));
  EXPECT_EQ(diagnosis.predicted, diagnosis.observed);
  EXPECT_GT(diagnosis.observed, 100U);
}

}  // namespace
}  // namespace tiebreak
