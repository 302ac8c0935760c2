// SPDX-License-Identifier: Apache-2.0
// What backends of known behaviour make of a rule that fails, and how a page states it.
#include "testsuite/rules/ask_rule.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// Answers each program with one code for all elements.
class CodeBackend final : public Backend {
 public:
  CodeBackend(int before, int after) : before_(before), after_(after) {}
  Result<BackendDescription> describe() override { return BackendDescription{"codes", "1", "", {}}; }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers;
    for (const ExchangeCase& one : cases) {
      asked.push_back(one.id);
      BackendAnswer answer{BackendAnswer::Kind::answered, "", one.outputs};
      const int code = one.id.ends_with("/before") ? before_ : after_;
      for (std::int64_t e = 0; e < answer.outputs.front().tensor.size(); ++e) answer.outputs.front().tensor.set_code(e, static_cast<std::uint64_t>(code));
      answers.push_back(std::move(answer));
    }
    return answers;
  }
  std::vector<std::string> asked{};

 private:
  int before_, after_;
};

class RefusingBackend final : public Backend {
 public:
  Result<BackendDescription> describe() override { return BackendDescription{"refusing", "1", "", {}}; }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    return std::vector<BackendAnswer>(cases.size(), BackendAnswer{BackendAnswer::Kind::unsupported, "no such op", {}});
  }
};

/// Maximum with 3 before and with 4 after: they differ below 4, and the smallest witness is 0, with 3 before and 4 after.
constexpr const char* shifted =
    "# A rule\n\n```rule\nclaim: equal\nverdict: off by one\nseen codes: before\nseen codes --fast: after\n\n"
    "def @before(%x: Tensor[(2), int8]) {\n  maximum(%x, cast(3, dtype=\"int8\"))\n}\n"
    "def @after(%x: Tensor[(2), int8]) {\n  maximum(%x, cast(4, dtype=\"int8\"))\n}\n```\n";

RuleReport shifted_report() {
  const auto page = read_rule(shifted, "t/shifted", "spec/rules/t/shifted.md");
  EXPECT_TRUE(page) << to_text(page.error());
  auto report = judge_rule(pages(), *page);
  EXPECT_TRUE(report) << to_text(report.error());
  EXPECT_TRUE(report->as_stated());
  return *std::move(report);
}

RuleAnswer answer_of(Backend& backend, const std::string& spelled = "codes") {
  auto answer = ask_rule(pages(), shifted_report(), spelled, backend);
  EXPECT_TRUE(answer) << to_text(answer.error());
  return *std::move(answer);
}

TEST(AskRule, ProgramThatIsKept) {
  CodeBackend backend(3, 4);
  const RuleAnswer answer = answer_of(backend);
  EXPECT_STREQ(to_word(answer.result), "before");
  EXPECT_TRUE(answer.as_stated());
  EXPECT_EQ(answer.inputs, "x[0]=0");
  EXPECT_EQ(answer.text, "[3, 3] before, [4, 4] after");
  EXPECT_EQ(backend.asked, (std::vector<std::string>{"rule/t/shifted/before", "rule/t/shifted/after"}));
}

TEST(AskRule, ProgramThatIsRewritten) {
  CodeBackend backend(4, 4);
  EXPECT_STREQ(to_word(answer_of(backend).result), "after");
  EXPECT_FALSE(answer_of(backend).as_stated());
  EXPECT_TRUE(answer_of(backend, "codes --fast").as_stated());
  EXPECT_TRUE(answer_of(backend, "codes --slow").stated.empty());
}

TEST(AskRule, OtherResultsThanThePageHas) {
  CodeBackend other_before(5, 4), other_after(3, 5), exchanged(4, 3);
  for (CodeBackend* backend : {&other_before, &other_after, &exchanged}) EXPECT_STREQ(to_word(answer_of(*backend).result), "neither");
}

TEST(AskRule, NoAnswer) {
  RefusingBackend backend;
  const RuleAnswer answer = answer_of(backend);
  EXPECT_STREQ(to_word(answer.result), "unsupported");
  EXPECT_EQ(answer.text, "no such op");
}

TEST(AskRule, ReportsCountWhatIsStated) {
  CodeBackend backend(4, 4);
  const std::string text = answers_text("codes", {answer_of(backend), answer_of(backend, "codes --fast"), answer_of(backend, "other")});
  EXPECT_NE(text.find("the page says 'before'"), std::string::npos) << text;
  EXPECT_NE(text.find("codes: 3 rules asked, 1 as stated, 1 otherwise, 1 of which the page says nothing"), std::string::npos) << text;
}

}  // namespace
}  // namespace tiebreak
