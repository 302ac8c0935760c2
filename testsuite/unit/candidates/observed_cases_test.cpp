// SPDX-License-Identifier: Apache-2.0
// What a semantics leaves undefined is not explained by it: neither the number in a log, nor the answer of a backend.
#include "testsuite/candidates/observed_cases.hpp"

#include "testsuite/case/op_program.hpp"
#include "testsuite/unit/helpers/command_run.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// QuantizeLinear of nan and 1 at scale 1: `onnx` leaves the first open and gives 1 for the second.
Observation observed_codes(std::uint64_t first, std::uint64_t second) {
  OpInputs call;
  call.op = "onnx.QuantizeLinear";
  Tensor x = *Tensor::zeros({*ElementType::parse("f32"), {2}, std::nullopt}), scale = *Tensor::zeros({*ElementType::parse("f32"), {}, std::nullopt});
  x.set_code(0, 0x7fc00000u);
  x.set_code(1, 0x3f800000u);
  scale.set_code(0, 0x3f800000u);
  call.inputs = {{"x", x}, {"y_scale", scale}};
  Observation observation;
  EXPECT_TRUE(build_op_case(pages(), std::move(call), observation.test));
  ResultTensor answer;
  answer.tensor = *Tensor::zeros({*ElementType::parse("u8"), {2}, std::nullopt});
  answer.tensor.set_code(0, first);
  answer.tensor.set_code(1, second);
  observation.answers = {answer};
  return observation;
}

const Profile& onnx() { return **pages().find_profile("onnx"); }

TEST(Evidence, AnOpenElementIsPassedOver) {
  Evidence evidence(pages());
  evidence.add(observed_codes(77, 1));
  const Fit fit = evidence.fit(onnx());
  EXPECT_EQ(fit.of, 2u);
  EXPECT_EQ(fit.explained, 1u);
  EXPECT_EQ(fit.undefined, 1u);
  EXPECT_TRUE(fit.explains_all());
  EXPECT_TRUE(evidence.explains(onnx()));
}

TEST(Evidence, OpenElementsAloneExplainNothingAndRefuteNothing) {
  Observation observation = observed_codes(77, 1);
  observation.test.inputs[0].set_code(1, 0x7fc00000u);
  Evidence evidence(pages());
  evidence.add(std::move(observation));
  EXPECT_FALSE(evidence.fit(onnx()).explains_all());
  EXPECT_FALSE(evidence.explains(onnx()));
  EXPECT_FALSE(evidence.refutes(onnx()));
  ASSERT_TRUE(evidence.fit(onnx()).first.has_value());
  EXPECT_EQ(evidence.fit(onnx()).first->predicted, "undefined");
}

TEST(Evidence, ForACauseAnOpenElementIsUnexplained) {
  Evidence evidence(pages(), OpenElement::refuted);
  evidence.add(observed_codes(77, 1));
  EXPECT_FALSE(evidence.explains(onnx()));
  EXPECT_EQ(evidence.fit(onnx()).explained, 1u);
  Observation unasked = observed_codes(77, 1);
  unasked.unstated = {{1, 0}};
  Evidence other(pages(), OpenElement::refuted);
  other.add(std::move(unasked));
  EXPECT_TRUE(other.explains(onnx())) << "the expected semantics leaves it open as well";
  EXPECT_EQ(other.fit(onnx()).of, 1u);
}

class CommandEvidence : public CommandTest {};

TEST_F(CommandEvidence, ALogOfWhatNobodyStatesIsNotExplained) {
  const auto log = [](const std::string& x, const std::string& y) {
    return R"({"schema": "tiebreak.observations/1", "op": "onnx.QuantizeLinear", "types": {"x": "f32", "y_scale": "f32"}, "parameters": {"y_scale": 1},
      "observations": [{"inputs": {"x": )" +
           x + R"(}, "outputs": {"y": )" + y + "}}]}";
  };
  const CommandOutcome arbitrary = run({"identify", "--op", "onnx.QuantizeLinear", "--observations", write("log.json", log(R"(["nan", "nan"])", "[77, 78]"))});
  EXPECT_EQ(arbitrary.code, 1) << arbitrary.out << arbitrary.err;
  EXPECT_NE(arbitrary.out.find("verdict  none"), std::string::npos) << arbitrary.out;
  EXPECT_NE(arbitrary.out.find("predicted undefined, answered 77"), std::string::npos) << arbitrary.out;
}

}  // namespace
}  // namespace tiebreak
