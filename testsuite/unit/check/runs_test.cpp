// SPDX-License-Identifier: Apache-2.0
// Shards, repetitions, the cases of earlier runs, baselines: each without a process.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <map>

#include "testsuite/check/baseline.hpp"
#include "testsuite/check/earlier_run.hpp"
#include "testsuite/check/repeat.hpp"
#include "testsuite/sources/shard.hpp"
#include "testsuite/text/output_file.hpp"

namespace tiebreak {
namespace {

using Variables = std::map<std::string, std::string>;

Result<Shard> shard(const std::string& written, const Variables& variables, const std::string& total = "") {
  return shard_of(written, total, [&](const char* name) {
    auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

std::string text(const Result<Shard>& shard) { return shard ? shard->text() + " " + shard->named_by : "error: " + to_text(shard.error()); }

TEST(Shards, AreADivisionThatStaysWhenCasesAreAdded) {
  std::map<std::string, std::uint64_t> places;
  for (int i = 0; i < 4000; ++i) {
    std::string id = "onnx.QuantizeLinear/ties/" + std::to_string(i);
    for (std::uint64_t index = 1; index <= 4; ++index) {
      if (!Shard{index, 4}.has(id)) continue;
      EXPECT_TRUE(places.emplace(id, index).second) << id << " is in two shards";
    }
  }
  EXPECT_EQ(places.size(), 4000U);
  std::map<std::uint64_t, int> sizes;
  for (const auto& [id, index] : places) ++sizes[index];
  for (const auto& [index, size] : sizes) EXPECT_NEAR(size, 1000, 120) << index;
  // Stored results of shards are compared from run to run: the hash must not change.
  EXPECT_EQ(places["onnx.QuantizeLinear/ties/0"], 4U);
  EXPECT_EQ(places["onnx.QuantizeLinear/ties/1"], 3U);
  EXPECT_EQ(places["onnx.QuantizeLinear/ties/17"], 2U);
}

TEST(Shards, FromTheOption) {
  EXPECT_EQ(text(shard("", {})), "1/1 ");
  EXPECT_EQ(text(shard("2/4", {})), "2/4 --shard");
  EXPECT_EQ(text(shard("2/4", {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "9"}})), "2/4 --shard") << "what is written counts";
  EXPECT_EQ(text(shard("1/1", {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "9"}})), "1/1 --shard");
  for (const char* wrong : {"0/4", "5/4", "2", "/4", "2/", "a/b", "1/0", "-1/4", "1/4x"}) EXPECT_FALSE(shard(wrong, {})) << wrong;
  EXPECT_FALSE(shard("1/4", {}, "3")) << "two totals";
  EXPECT_FALSE(shard("", {}, "3")) << "a total without a place";
}

TEST(Shards, OurOwnVariableSaysWhatTheOptionWould) {
  const Variables runner{{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "1"}, {"TIEBREAK_SHARD", "7/8"}};
  EXPECT_EQ(text(shard("", runner)), "7/8 TIEBREAK_SHARD") << "a task that is started alone again is no array of one";
  EXPECT_EQ(text(shard("2/4", runner)), "2/4 --shard");
  EXPECT_EQ(text(shard("", {{"TIEBREAK_SHARD", "0/4"}})), "error: shards are counted from 1 (TIEBREAK_SHARD)\n  hint: --shard 1/4");
}

TEST(Shards, FromTheVariablesOfTestRunners) {
  EXPECT_EQ(text(shard("", {{"GTEST_SHARD_INDEX", "1"}, {"GTEST_TOTAL_SHARDS", "4"}})), "2/4 GTEST_SHARD_INDEX");
  Variables bazel{{"TEST_SHARD_INDEX", "3"}, {"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_STATUS_FILE", "/tmp/status"}};
  EXPECT_EQ(text(shard("", bazel)), "4/4 TEST_SHARD_INDEX");
  EXPECT_EQ(shard("", bazel)->status_file, "/tmp/status");
  EXPECT_EQ(shard("1/4", bazel)->status_file, "");
  EXPECT_EQ(text(shard("", {{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_MIN", "3"}, {"SLURM_ARRAY_TASK_COUNT", "6"}})), "3/6 SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(text(shard("", {{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_MIN", "3"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_STEP", "2"}})),
            "3/3 SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(text(shard("", {{"JOB_COMPLETION_INDEX", "1"}}, "3")), "2/3 JOB_COMPLETION_INDEX");
  EXPECT_EQ(text(shard("", {{"JOB_COMPLETION_INDEX", "1"}, {"TIEBREAK_SHARDS", "3"}})), "2/3 JOB_COMPLETION_INDEX");
  EXPECT_EQ(text(shard("", {{"JOB_COMPLETION_INDEX", "1"}})), "1/1 ");
  EXPECT_NE(shard("", {{"JOB_COMPLETION_INDEX", "1"}})->note, "");
  EXPECT_EQ(text(shard("", {{"TIEBREAK_SHARDS", "3"}})), "1/1 ");
}

TEST(Shards, VariablesThatMakeNoSense) {
  EXPECT_FALSE(shard("", {{"GTEST_SHARD_INDEX", "1"}}));
  EXPECT_FALSE(shard("", {{"TEST_TOTAL_SHARDS", "4"}}));
  EXPECT_FALSE(shard("", {{"GTEST_SHARD_INDEX", "4"}, {"GTEST_TOTAL_SHARDS", "4"}}));
  EXPECT_FALSE(shard("", {{"GTEST_SHARD_INDEX", "x"}, {"GTEST_TOTAL_SHARDS", "4"}}));
  EXPECT_FALSE(shard("", {{"SLURM_ARRAY_TASK_ID", "5"}}));
  EXPECT_FALSE(shard("", {{"SLURM_ARRAY_TASK_ID", "9"}, {"SLURM_ARRAY_TASK_MIN", "1"}, {"SLURM_ARRAY_TASK_COUNT", "3"}})) << "1, 4, 9";
  EXPECT_FALSE(shard("", {{"JOB_COMPLETION_INDEX", "3"}}, "3"));
  Variables both{{"GTEST_SHARD_INDEX", "1"}, {"GTEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "4"}};
  EXPECT_EQ(text(shard("", both)), "2/4 GTEST_SHARD_INDEX, TEST_SHARD_INDEX");
  both["TEST_SHARD_INDEX"] = "2";
  EXPECT_EQ(text(shard("", both)),
            "error: GTEST_SHARD_INDEX says shard 2/4, TEST_SHARD_INDEX says 3/4\n  hint: name the part with --shard, or unset one of them");
}

Tensor floats(std::initializer_list<std::uint64_t> codes) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {static_cast<std::int64_t>(codes.size())}, std::nullopt});
  std::int64_t i = 0;
  for (std::uint64_t code : codes) tensor.set_code(i++, code);
  return tensor;
}

BackendAnswer answer(std::initializer_list<std::uint64_t> codes) {
  BackendAnswer answer{BackendAnswer::Kind::answered, "", {}};
  ExchangeTensor output;
  output.name = "y";
  output.tensor = floats(codes);
  answer.outputs.push_back(std::move(output));
  return answer;
}

TEST(Repetitions, MustGiveTheSame) {
  Expectation expectation;
  ResultTensor expected;
  expected.tensor = floats({0, 0, 0});
  expected.undefined = {0, 0, 1};
  expectation.outputs.push_back(expected);
  auto judged = [&](const BackendAnswer& first, const BackendAnswer& again) {
    CaseReport report;
    report.status = CaseStatus::conform;
    judge_repetition(expectation, first, again, 1, report);
    return report;
  };
  EXPECT_EQ(judged(answer({0, 0, 0}), answer({0, 0, 0})).status, CaseStatus::conform);
  EXPECT_EQ(judged(answer({0x7fc00000, 0, 0}), answer({0xffc00001, 0, 0})).status, CaseStatus::conform) << "nan is nan, whatever its payload";
  CaseReport other = judged(answer({0, 0x3f800000, 0}), answer({0, 0x40000000, 0}));
  EXPECT_EQ(other.status, CaseStatus::fail);
  EXPECT_EQ(other.reason,
            "the backend contradicts itself: output y: 1 of 3 elements change from one time to another, first at [1]: 1 the first time, 2 time 2");
  EXPECT_EQ(judged(answer({0, 0x80000000, 0}), answer({0, 0, 0})).status, CaseStatus::fail) << "the sign of a zero counts";
  CaseReport open = judged(answer({0, 0, 5}), answer({0, 0, 6}));
  EXPECT_EQ(open.status, CaseStatus::conform);
  EXPECT_EQ(open.notes.size(), 1U);
  CaseReport crash = judged(answer({0, 0, 0}), BackendAnswer{BackendAnswer::Kind::inconclusive, "crashed with SIGSEGV", {}});
  EXPECT_EQ(crash.status, CaseStatus::inconclusive);
  EXPECT_EQ(crash.reason, "the backend contradicts itself: the first time an answer, time 2 no answer: crashed with SIGSEGV");
  EXPECT_EQ(judged(answer({0, 0, 0}), answer({0, 0})).status, CaseStatus::fail);
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("tiebreak-runs-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_{};
};

CheckReport report_with(const std::map<std::string, CaseStatus>& cases) {
  CheckReport report;
  report.context = {{"backend", "ort"}, {"backend_version", "1.30.0"}, {"seed", "7"}};
  for (const auto& [id, status] : cases) {
    CaseReport test;
    test.id = id;
    test.source = id.substr(0, 1) + ".json";
    test.status = status;
    report.cases.push_back(test);
  }
  return report;
}

TEST_F(Files, AReportSelectsItsCases) {
  using enum CaseStatus;
  ASSERT_TRUE(write_file(path("r.json"), report_json(report_with({{"a/1", conform}, {"a/2", CaseStatus::fail}, {"b/1", inconclusive}}))));
  auto failed = cases_of_report(path("r.json"), *parse_statuses("fail"));
  ASSERT_TRUE(failed) << to_text(failed.error());
  EXPECT_EQ(failed->ids, (std::set<std::string>{"a/2"}));
  EXPECT_EQ(failed->sources, (std::vector<std::string>{"a.json"}));
  EXPECT_EQ(failed->seed, 7U);
  EXPECT_EQ(cases_of_report(path("r.json"), *parse_statuses("fail,inconclusive"))->ids.size(), 2U);
  EXPECT_EQ(cases_of_report(path("r.json"), *parse_statuses("all"))->ids.size(), 3U);
  auto wrong = parse_statuses("fial");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().hint, "did you mean 'fail'?");
  ASSERT_TRUE(write_file(path("other.json"), "{\"schema\": \"tiebreak.score/1\"}"));
  EXPECT_FALSE(cases_of_report(path("other.json"), {CaseStatus::fail}));
  EXPECT_FALSE(cases_of_report(path("absent.json"), {CaseStatus::fail}));
}

TEST_F(Files, FailuresAreRememberedUntilTheyAreGone) {
  using enum CaseStatus;
  std::string state = path("state/last-failed.json");
  std::filesystem::create_directories(path("state"));
  EXPECT_TRUE(last_failures(state, "ort", std::nullopt)->ids.empty());
  ASSERT_TRUE(remember_failures(state, "ort", 7, report_with({{"a/1", CaseStatus::fail}, {"a/2", conform}, {"b/1", inconclusive}, {"b/2", unsupported}})));
  EXPECT_EQ(last_failures(state, "ort", std::nullopt)->ids, (std::set<std::string>{"a/1", "b/1"}));
  EXPECT_TRUE(last_failures(state, "onednn", std::nullopt)->ids.empty()) << "another backend";
  // A run of some cases says nothing of the others, and an interrupted one nothing of those it did not reach.
  ASSERT_TRUE(remember_failures(state, "ort", 7, report_with({{"a/1", conform}, {"a/3", CaseStatus::fail}})));
  EXPECT_EQ(last_failures(state, "ort", std::nullopt)->ids, (std::set<std::string>{"a/3", "b/1"}));
  ASSERT_TRUE(remember_failures(state, "ort", 7, report_with({{"a/3", not_run}, {"b/1", conform}})));
  EXPECT_EQ(last_failures(state, "ort", std::nullopt)->ids, (std::set<std::string>{"a/3"}));
  ASSERT_TRUE(remember_failures(state, "ort", 8, report_with({{"a/4", CaseStatus::fail}})));
  EXPECT_FALSE(last_failures(state, "ort", std::nullopt)) << "two seeds";
  EXPECT_EQ(last_failures(state, "ort", 8)->ids, (std::set<std::string>{"a/4"}));
  ASSERT_TRUE(write_file(state, "garbage"));
  EXPECT_FALSE(last_failures(state, "ort", std::nullopt));
}

TEST_F(Files, BaselinesHaveIssuesBackendsAndAnEnd) {
  using enum CaseStatus;
  auto baseline_of = [&](const std::string& rest) {
    EXPECT_TRUE(write_file(path("baseline.json"), "[{\"case\": \"a/*\", \"reason\": \"rounds away\"" + rest + "}]"));
    return read_baseline(path("baseline.json"));
  };
  auto applied = [&](const std::string& rest, std::vector<std::string>& warnings) {
    CheckReport report = report_with({{"a/1", CaseStatus::fail}});
    auto baseline = baseline_of(rest);
    EXPECT_TRUE(baseline) << to_text(baseline.error());
    warnings = apply_baseline(report, *baseline, "onnx");
    return report.cases[0];
  };
  std::vector<std::string> warnings;
  CaseReport listed = applied(R"(, "issue": "https://example.org/issues/1")", warnings);
  EXPECT_EQ(listed.status, expected_fail);
  EXPECT_NE(listed.reason.find("rounds away, https://example.org/issues/1"), std::string::npos) << listed.reason;
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(applied(R"(, "backend": "onednn")", warnings).status, CaseStatus::fail);
  EXPECT_EQ(applied(R"(, "backend": "ort", "until": "1.31")", warnings).status, expected_fail);
  EXPECT_EQ(applied(R"(, "backend": "ort", "until": "1.30.0")", warnings).status, CaseStatus::fail);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("was until ort 1.30.0, and this is 1.30.0: it counts no more"), std::string::npos) << warnings[0];
  EXPECT_FALSE(baseline_of(R"(, "until": "1.31")")) << "of which backend?";
  EXPECT_FALSE(baseline_of(R"(, "issue": " ")"));
  EXPECT_FALSE(baseline_of(R"(, "isue": "x")"));
}

TEST(Versions, GoNumberByNumber) {
  EXPECT_TRUE(is_older("1.9", "1.30"));
  EXPECT_TRUE(is_older("1.30", "1.30.1"));
  EXPECT_TRUE(is_older("1.30.0-rc1", "1.30.0-rc2"));
  EXPECT_FALSE(is_older("1.30", "1.30"));
  EXPECT_FALSE(is_older("1.030", "1.30"));
  EXPECT_FALSE(is_older("2.0", "1.30"));
}

}  // namespace
}  // namespace tiebreak
