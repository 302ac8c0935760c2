// SPDX-License-Identifier: Apache-2.0
// The 396 published cases of TVM's quantized ops under profile tvm-0.18, or the one of the context that a case names. All are equal; two cases state a
// tolerance of 1. Then how strong the table is: which single changes of the arithmetic it notices.
#include "testsuite/unit/helpers/tvm_table.hpp"

namespace tiebreak {
namespace {

const char* const table_name = "tvm_qnn_cases.json";

/// A case's context states the rounding that absent attributes mean.
std::string profile_name(const json& entry) {
  const bool tonearest = entry.contains("requantize_config") && entry["requantize_config"]["rounding"] == "TONEAREST";
  return tonearest ? "tvm-0.18-int64-tonearest" : "tvm-0.18";
}

struct TvmTally {
  int cases = 0, equal = 0, within_tolerance = 0;
};

TEST(TvmTable, EveryPublishedCase) {
  if (!std::filesystem::exists(table_path(table_name))) GTEST_SKIP() << "the table of TVM cases is not beside this checkout";
  auto library = spec_pages();
  ASSERT_TRUE(library);
  const json table = read_table(table_name);
  std::map<std::string, TvmTally> tallies;
  for (const json& entry : table["cases"]) {
    const std::string id = entry["id"];
    auto profile = library->find_profile(profile_name(entry));
    ASSERT_TRUE(profile) << to_text(profile.error());
    auto actual = tvm::run_case({*library, **profile}, entry);
    ASSERT_TRUE(actual) << id << ": " << to_text(actual.error());
    const Tensor expected = tvm::tensor_of(entry["expected"]);
    const Real tolerance(entry["tolerance_abs"].get<std::int64_t>());
    EXPECT_EQ(tvm::differing(*actual, expected, tolerance), 0) << id;
    TvmTally& tally = tallies[entry["program"].back()["op"]];
    ++tally.cases;
    const std::int64_t unequal = tvm::differing(*actual, expected, Real(0));
    tally.equal += unequal == 0 ? 1 : 0;
    if (unequal == 0) continue;
    ++tally.within_tolerance;
    std::printf("  exception %s: %d elements differ by at most the source's tolerance of %d\n", id.c_str(), static_cast<int>(unequal),
                entry["tolerance_abs"].get<int>());
  }
  int cases = 0;
  for (const auto& [op, tally] : tallies) {
    std::printf("  %-24s %3d cases, %3d equal, %d within the source's tolerance\n", op.c_str(), tally.cases, tally.equal, tally.within_tolerance);
    cases += tally.cases;
  }
  EXPECT_EQ(cases, 396);
}

/// Cases that one changed choice makes wrong.
int kills(const Library& library, const json& table, const std::string& key, const std::string& alternative) {
  int killed = 0;
  for (const json& entry : table["cases"]) {
    Profile changed = **library.find_profile(profile_name(entry));
    changed.choices[key] = ProfileValue{.alternative = alternative};
    auto actual = tvm::run_case({library, changed}, entry);
    killed += !actual || tvm::differing(*actual, tvm::tensor_of(entry["expected"]), Real(entry["tolerance_abs"].get<std::int64_t>())) != 0 ? 1 : 0;
  }
  return killed;
}

struct Change {
  const char* what;
  const char* key;
  const char* alternative;
};
constexpr Change unnoticed[] = {
    {"quantize: half to even", "qnn.quantize/tie", "even"},          {"quantize: zero point before the rounding", "qnn.quantize/order", "before"},
    {"quantize: reciprocal", "qnn.quantize/quotient", "reciprocal"}, {"float path: zero point after the rounding", "qnn.requantize/zero_point", "after"},
    {"multiplier: f32 ratio", "qnn.requantize/ratio", "f32"},        {"multiplier: flushed below 1e-6", "qnn.requantize/tiny", "flushed"}};
constexpr Change noticed[] = {{"UPWARD: two roundings as gemmlowp", "qnn.fixed_point/upward", "two_stages"},
                              {"UPWARD: half to even", "qnn.fixed_point/upward", "even"},
                              {"UPWARD: as on AArch64", "qnn.fixed_point/upward", "two_stages_up"},
                              {"add: one rounding", "qnn.add/roundings", "once"},
                              {"subtract: one rounding", "qnn.subtract/roundings", "once"}};

/// What the table cannot see is what systems disagree about: a suite that only imports it has no power there.
TEST(TvmTable, WhatTheTableDoesNotNotice) {
  if (!std::filesystem::exists(table_path(table_name))) GTEST_SKIP() << "the table of TVM cases is not beside this checkout";
  auto library = spec_pages();
  ASSERT_TRUE(library);
  const json table = read_table(table_name);
  for (const Change& change : unnoticed) {
    const int killed = kills(*library, table, change.key, change.alternative);
    std::printf("  %3d cases notice %s\n", killed, change.what);
    EXPECT_EQ(killed, 0) << change.what;
  }
  for (const Change& change : noticed) {
    const int killed = kills(*library, table, change.key, change.alternative);
    std::printf("  %3d cases notice %s\n", killed, change.what);
    EXPECT_GT(killed, 0) << change.what;
  }
}

}  // namespace
}  // namespace tiebreak
