// SPDX-License-Identifier: Apache-2.0
// A backend that says of a call as a whole that nothing is defined agrees with a profile that leaves some element undefined, and contradicts one that
// leaves none. Marks on some elements alone take nothing away from the comparison.
#include <gtest/gtest.h>

#include "testsuite/check/check.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// Follows the text, wrongly, and marks the first elements of each output as undefined, or all.
class MarkingBackend : public PlantedBackend {
 public:
  explicit MarkingBackend(std::size_t marked) : PlantedBackend(pages(), **pages().find_profile("tosa-1.0")), marked_(marked) {
    marks_undefined = false;
    disturb = [](const ExchangeCase&, Tensor& tensor) { tensor.set_code(0, tensor.code(0) ^ 1U); };
  }

  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers = PlantedBackend::run(cases);
    for (BackendAnswer& answer : answers)
      for (ExchangeTensor& output : answer.outputs)
        for (std::size_t i = 0; i < static_cast<std::size_t>(output.tensor.size()); ++i) output.undefined.push_back(i < marked_ ? 1 : 0);
    return answers;
  }

 private:
  std::size_t marked_;
};

/// Three sums of which the last is `third` + 1.
CaseReport judged_sums(const std::string& third, std::size_t marked) {
  Result<Case> test = case_from_example(
      "// %a: [1, 2, " + third + "]\n// %b: [1, 1, 1]\n%y = tosa.ADD %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>\n", "test.md", 1);
  EXPECT_TRUE(test.has_value()) << (test ? "" : to_text(test.error()));
  MarkingBackend backend(marked);
  CheckOptions options;
  options.profile = "tosa-1.0";
  options.diagnose = false;
  Result<CheckReport> report = check(pages(), {*test}, backend, options);
  EXPECT_TRUE(report.has_value());
  return report->cases.at(0);
}

TEST(UndefinedAnswers, AgreeWithOneUndefinedElement) {
  const CaseReport report = judged_sums("2147483647", 3);
  EXPECT_EQ(report.status, CaseStatus::nothing_compared) << report.reason;
  EXPECT_EQ(report.reason, "the backend says that its result is undefined; profile tosa-1.0 leaves 1 of 3 elements undefined");
}

TEST(UndefinedAnswers, FailWhereEveryElementIsDefined) {
  const CaseReport report = judged_sums("3", 3);
  EXPECT_EQ(report.status, CaseStatus::fail);
  EXPECT_EQ(report.reason, "the backend says that its result is undefined; profile tosa-1.0 leaves no element undefined");
}

TEST(UndefinedAnswers, MarksOnSomeElementsExcuseNothing) { EXPECT_EQ(judged_sums("2147483647", 2).status, CaseStatus::fail); }

}  // namespace
}  // namespace tiebreak
