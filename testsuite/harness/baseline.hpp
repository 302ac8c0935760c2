// SPDX-License-Identifier: Apache-2.0
// Expected failures: a JSON list of {"case": glob, "reason": text, "profile": optional}. What is listed and fails is expected;
// what is listed and conforms makes the baseline stale.
#pragma once
#include "testsuite/harness/check.hpp"

namespace tiebreak {

struct BaselineEntry {
  std::string glob;
  std::string reason;
  std::string profile{};  ///< "": every profile
  std::string where{};
};
Result<std::vector<BaselineEntry>> read_baseline(const std::string& path);

/// Turns fail into expected_fail and conform into unexpected_pass for listed cases. Returns a warning for every entry that no
/// case matches.
std::vector<std::string> apply_baseline(CheckReport& report, const std::vector<BaselineEntry>& baseline, const std::string& profile);

}  // namespace tiebreak
