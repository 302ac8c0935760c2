// SPDX-License-Identifier: Apache-2.0
// Totals over all inputs of a conversion: the counts are those that others measured, on their own machines.
#include "testsuite/diff/measured_totals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

TEST(MeasuredTotals, AreThosePublished) {
  const auto totals = measured_totals(pages(), TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(totals) << to_text(totals.error());
  ASSERT_EQ(totals->size(), 2u);
  EXPECT_TRUE((*totals)[0].differing == Wide{67108862}) << "f32 to f8e5m2, a shift that stops";
  const double share = static_cast<double>((*totals)[1].differing) / static_cast<double>((*totals)[1].inputs);
  EXPECT_EQ(std::lround(share * 1e4), 1934) << "f32 to i32: 19.34 %";
}

TEST(MeasuredTotals, AFaultIsNamedWithItsPlace) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tiebreak-measured";
  std::filesystem::create_directories(folder);
  const auto error_of = [&](const std::string& text) {
    std::ofstream(folder / "measured.json") << text;
    const auto totals = measured_totals(pages(), folder.string());
    return totals ? std::string() : to_text(totals.error());
  };
  EXPECT_EQ(error_of(R"({"conversions": []})"), "");
  EXPECT_NE(error_of(R"({"conversions": [{"from": "f23"}]})").find("spec/measured.json:/conversions/0/from"), std::string::npos);
  EXPECT_NE(error_of(R"({"conversions": [{"from": "f32", "to": "i8", "first": "onxn", "second": "onnx", "what": ""}]})").find("did you mean 'onnx'"),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tiebreak
