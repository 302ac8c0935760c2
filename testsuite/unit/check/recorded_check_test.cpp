// SPDX-License-Identifier: Apache-2.0
// A run against a record: the verdicts are those of the day of the recording, and what the record does not have is no failure.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "testsuite/backends/recorded_backend.hpp"
#include "testsuite/check/check.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/planted_backend.hpp"

namespace tiebreak {
namespace {

class RecordedCheck : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  void SetUp() override { folder_ = std::filesystem::temp_directory_path() / ("tiebreak-recorded-" + std::to_string(::getpid())); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::vector<Case> cases() { return *load_cases(*library, TIEBREAK_SOURCE_DIR "/testsuite/recorded/onnxruntime/QuantizeLinear.json"); }
  static CheckReport checked(Backend& backend, const std::vector<Case>& some, const std::string& profile = "onnx") {
    CheckOptions options;
    options.profile = profile;
    options.jobs = 2;
    Result<CheckReport> report = check(*library, some, backend, options);
    EXPECT_TRUE(report) << to_text(report.error());
    return report ? *std::move(report) : CheckReport{};
  }
  std::unique_ptr<Backend> recorded(const std::vector<Case>& some) {
    PlantedBackend backend(*library, **library->find_profile("onnx"));
    auto recording = RecordingBackend::open(backend, folder_.string());
    EXPECT_TRUE(recording);
    checked(**recording, some);
    EXPECT_TRUE((*recording)->finish(true));
    return *open_recorded(folder_.string());
  }
  static inline std::shared_ptr<const Library> library;
  std::filesystem::path folder_{};
};

TEST_F(RecordedCheck, VerdictsAreThoseOfTheAnswers) {
  const auto record = recorded(cases());
  const CheckReport same = checked(*record, cases());
  EXPECT_EQ(same.exit_code(), 0);
  EXPECT_EQ(same.context_of("backend"), "planted");
  EXPECT_EQ(same.context_of("backend_recorded").substr(0, 12), "by tiebreak ");
  const CheckReport other = checked(*record, cases(), "onednn-x64");
  EXPECT_EQ(other.exit_code(), 1) << "it adds the zero point before the rounding";
}

TEST_F(RecordedCheck, WhatIsNotThereIsCountedAndNoFailure) {
  std::vector<Case> all = cases();
  const auto record = recorded({all.begin(), all.begin() + 4});
  CheckReport report = checked(*record, all);
  std::map<CaseStatus, std::size_t> counts = report.counts();
  EXPECT_EQ(counts[CaseStatus::conform], 4U);
  EXPECT_EQ(counts[CaseStatus::not_recorded], all.size() - 4);
  EXPECT_EQ(counts[CaseStatus::fail] + counts[CaseStatus::inconclusive] + counts[CaseStatus::unsupported], 0U);
  EXPECT_EQ(report.exit_code(), 5);
  report.allow_unsupported = true;
  EXPECT_EQ(report.exit_code(), 0);
}

}  // namespace
}  // namespace tiebreak
