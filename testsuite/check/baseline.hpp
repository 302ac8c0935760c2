// SPDX-License-Identifier: Apache-2.0
// Expected failures: a JSON list of {"case": glob, "reason": text} and, where wanted, "issue", "profile", "backend", "until" and "status". What is
// listed and fails is expected; what is listed and conforms makes the baseline stale.
#pragma once
#include "testsuite/check/check.hpp"

namespace tiebreak {

struct BaselineEntry {
  std::string glob;
  std::string reason;
  std::string issue{};        ///< where it is reported: a link
  std::string profile{};      ///< "": every profile
  std::string backend{};      ///< name as the backend gives it; "": every backend
  bool inconclusive = false;  ///< it ends without an answer (a crash, a hang), not with a wrong one
  std::string until{};        ///< version of the backend from which on the entry holds no more; "": it always does
  std::string where{};
};
Result<std::vector<BaselineEntry>> read_baseline(const std::string& path);

/// The failures that are known of an adapter, as they lie beside its program (known_failures_file); empty where nothing is known. An entry holds under
/// the profile that the adapter declares, unless it names another.
Result<std::vector<BaselineEntry>> known_failures(const Backend& backend, const BackendDescription& description);

/// Turns fail (or inconclusive, where the entry says so) into expected_fail and conform into unexpected_pass for listed cases. Returns a warning for every
/// entry that no case matches, unless `speaks_of_more`: the list has cases that a run need not select; and for every one that is over. Name and version of the
/// backend stand in the report's context.
std::vector<std::string> apply_baseline(CheckReport& report, const std::vector<BaselineEntry>& baseline, const std::string& profile,
                                        bool speaks_of_more = false);

/// Whether version `a` comes before `b`: 1.9 before 1.30, number by number. What is no number compares as text.
bool is_older(const std::string& a, const std::string& b);

}  // namespace tiebreak
