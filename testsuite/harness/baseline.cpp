// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/baseline.hpp"

#include "testsuite/harness/json_value.hpp"
#include "testsuite/harness/selection.hpp"

namespace tiebreak {

Result<std::vector<BaselineEntry>> read_baseline(const std::string& path) {
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_CHECK(check_array(root));
  std::vector<BaselineEntry> baseline;
  for (const JsonValue& item : root.items) {
    TIEBREAK_CHECK(check_object(item, {"case", "reason", "profile"}));
    BaselineEntry entry;
    entry.where = item.where;
    TIEBREAK_TRY(glob, member(item, "case"));
    TIEBREAK_TRY(glob_text, string_of(*glob));
    entry.glob = glob_text;
    const JsonValue* reason = item.find("reason");
    if (reason == nullptr || !reason->is(JsonValue::Kind::string) || reason->text.find_first_not_of(" \t\n") == std::string::npos) {
      return fail(Errc::syntax, "an expected failure without a reason", item.where, "add \"reason\": why it fails, with the issue");
    }
    entry.reason = reason->text;
    if (const JsonValue* profile = item.find("profile")) {
      TIEBREAK_TRY(text, string_of(*profile));
      entry.profile = text;
    }
    baseline.push_back(std::move(entry));
  }
  return baseline;
}

std::vector<std::string> apply_baseline(CheckReport& report, const std::vector<BaselineEntry>& baseline, const std::string& profile) {
  std::vector<std::string> warnings;
  for (const BaselineEntry& entry : baseline) {
    if (!entry.profile.empty() && entry.profile != profile) continue;
    bool matched = false;
    for (CaseReport& test : report.cases) {
      if (!matches_glob(entry.glob, test.id)) continue;
      matched = true;
      if (test.status == CaseStatus::fail) {
        test.status = CaseStatus::expected_fail;
        test.reason += " (expected: " + entry.reason + ")";
      } else if (test.status == CaseStatus::conform) {
        test.status = CaseStatus::unexpected_pass;
        test.reason = "listed as failing: " + entry.reason + " (" + entry.where + ")";
      }
    }
    if (!matched) warnings.push_back("no selected case matches '" + entry.glob + "' (" + entry.where + ")");
  }
  return warnings;
}

}  // namespace tiebreak
