// SPDX-License-Identifier: Apache-2.0
// A smoke run asks what the backend lists, and goes on where the first cases are refused.
#include "testsuite/check/smoke.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testsuite/unit/helpers/planted_backend.hpp"

namespace tiebreak {
namespace {

class SmokeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  static CheckReport smoke(PlantedBackend& backend) {
    Selection selection;
    selection.level = Level::smoke;
    CheckOptions options;
    options.profile = "onnx";
    Result<std::optional<CheckReport>> report = check_smoke(*library, selection, backend, options);
    EXPECT_TRUE(report && *report);
    return report && *report ? **std::move(report) : CheckReport{};
  }
  static PlantedBackend planted(const std::vector<std::string>& ops) {
    PlantedBackend backend(*library, **library->find_profile("onnx"));
    backend.ops = ops;
    return backend;
  }
  static inline std::shared_ptr<const Library> library;
};

TEST_F(SmokeTest, TwoCasesOfEachListedOpAreTaken) {
  PlantedBackend backend = planted({"onnx.QuantizeLinear", "onnx.MatMulInteger"});
  CheckReport report = smoke(backend);
  EXPECT_EQ(report.cases.size(), 4u);
  for (const CaseReport& one : report.cases) EXPECT_EQ(one.status, CaseStatus::conform) << one.id << " " << one.reason;
  EXPECT_EQ(report.exit_code(), 0);
}

TEST_F(SmokeTest, WhatIsRefusedGivesPlaceToTheNext) {
  PlantedBackend all = planted({"onnx.QuantizeLinear"});
  std::set<std::string> first;
  for (const CaseReport& one : smoke(all).cases) first.insert(one.id);
  // A backend that takes neither of these two takes others.
  PlantedBackend backend = planted({"onnx.QuantizeLinear"});
  backend.refuses = [&](const ExchangeCase& asked) { return first.contains(asked.id); };
  CheckReport report = smoke(backend);
  ASSERT_EQ(report.cases.size(), 2u);
  for (const CaseReport& one : report.cases) {
    EXPECT_EQ(one.status, CaseStatus::conform) << one.id;
    EXPECT_FALSE(first.contains(one.id));
  }
}

/// Bounded: a backend that takes nothing is not asked every case that there is.
TEST_F(SmokeTest, AnOpOfWhichNothingIsTakenIsUnsupported) {
  PlantedBackend backend = planted({"onnx.QuantizeLinear"});
  std::size_t asked = 0;
  backend.refuses = [&](const ExchangeCase&) { return ++asked > 0; };
  CheckReport report = smoke(backend);
  EXPECT_EQ(report.cases.size(), 2u);
  for (const CaseReport& one : report.cases) EXPECT_EQ(one.status, CaseStatus::unsupported) << one.id;
  EXPECT_LE(asked, 24u);
  EXPECT_EQ(report.exit_code(), 5);
}

/// The plain cases have no quant.add: a deep one stands for it.
TEST_F(SmokeTest, AnOpWithoutPlainCasesTakesADeepOne) {
  PlantedBackend backend = planted({"quant.add"});
  CheckReport report = smoke(backend);
  ASSERT_FALSE(report.cases.empty());
  EXPECT_TRUE(report.cases[0].id.starts_with("quant.add/")) << report.cases[0].id;
  EXPECT_EQ(report.cases[0].status, CaseStatus::conform) << report.cases[0].reason;
}

}  // namespace
}  // namespace tiebreak
