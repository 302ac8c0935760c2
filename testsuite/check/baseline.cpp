// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/baseline.hpp"

#include <algorithm>
#include <string_view>

#include "interpreter/json/json_value.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

/// A key that may be left out, but not left empty.
Status read_text_member(const JsonValue& item, const char* key, std::string& out) {
  const JsonValue* value = item.find(key);
  if (value == nullptr) return {};
  TIEBREAK_TRY(text, string_of(*value));
  if (text.find_first_not_of(" \t\n") == std::string::npos) return fail(Errc::syntax, std::string("'") + key + "' is empty", value->where, "leave the key out");
  out = text;
  return {};
}

/// The next part of a version: digits, or what stands between them.
std::string_view next_part(std::string_view& rest) {
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t length = 0;
  while (length < rest.size() && digit(rest[length]) == digit(rest[0])) ++length;
  std::string_view part = rest.substr(0, length);
  rest.remove_prefix(length);
  return part;
}

std::string why(const BaselineEntry& entry) { return entry.reason + (entry.issue.empty() ? "" : ", " + entry.issue); }

}  // namespace

bool is_older(const std::string& a, const std::string& b) {
  std::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    std::string_view x = next_part(left), y = next_part(right);
    bool numbers = x[0] >= '0' && x[0] <= '9' && y[0] >= '0' && y[0] <= '9';
    if (numbers) {
      x.remove_prefix(std::min(x.find_first_not_of('0'), x.size()));
      y.remove_prefix(std::min(y.find_first_not_of('0'), y.size()));
      if (x.size() != y.size()) return x.size() < y.size();
    }
    if (x != y) return x < y;
  }
  return left.empty() && !right.empty();
}

Result<std::vector<BaselineEntry>> read_baseline(const std::string& path) {
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_CHECK(check_array(root));
  std::vector<BaselineEntry> baseline;
  for (const JsonValue& item : root.items) {
    TIEBREAK_CHECK(check_object(item, {"case", "reason", "issue", "profile", "backend", "until", "status"}));
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
    for (auto [key, text] : {std::pair{"issue", &entry.issue}, {"profile", &entry.profile}, {"backend", &entry.backend}, {"until", &entry.until}})
      TIEBREAK_CHECK(read_text_member(item, key, *text));
    std::string status = "fail";
    TIEBREAK_CHECK(read_text_member(item, "status", status));
    if (status != "fail" && status != "inconclusive")
      return fail(Errc::syntax, "no case is expected to be '" + status + "'", item.where, "fail or inconclusive");
    entry.inconclusive = status == "inconclusive";
    if (!entry.until.empty() && entry.backend.empty())
      return fail(Errc::syntax, "'until' is a version of a backend, and the entry names none", item.where, "add \"backend\"");
    baseline.push_back(std::move(entry));
  }
  return baseline;
}

Result<std::vector<BaselineEntry>> known_failures(const Backend& backend, const BackendDescription& description) {
  const std::string file = known_failures_file(backend.path(), description);
  if (file.empty()) return std::vector<BaselineEntry>{};
  TIEBREAK_TRY(entries, read_baseline(file));
  for (BaselineEntry& entry : entries)
    if (entry.profile.empty()) entry.profile = description.profile;
  return std::move(entries);
}

std::vector<std::string> apply_baseline(CheckReport& report, const std::vector<BaselineEntry>& baseline, const std::string& profile, bool speaks_of_more) {
  std::vector<std::string> warnings;
  std::vector<const BaselineEntry*> unmatched;
  for (const BaselineEntry& entry : baseline) {
    if (!entry.profile.empty() && entry.profile != profile) continue;
    if (!entry.backend.empty() && entry.backend != report.context_of("backend")) continue;
    if (std::string version = report.context_of("backend_version"); !entry.until.empty() && !is_older(version, entry.until)) {
      warnings.push_back("the expected failure '" + entry.glob + "' was until " + entry.backend + " " + entry.until + ", and this is " + version +
                         ": it counts no more (" + entry.where + ")");
      continue;
    }
    bool matched = false;
    for (CaseReport& test : report.cases) {
      if (!matches_glob(entry.glob, test.id)) continue;
      matched = true;
      if (test.status == (entry.inconclusive ? CaseStatus::inconclusive : CaseStatus::fail)) {
        test.status = CaseStatus::expected_fail;
        test.reason += " (expected: " + why(entry) + ")";
      } else if (test.status == CaseStatus::conform) {
        test.status = CaseStatus::unexpected_pass;
        test.reason = "listed as failing: " + why(entry) + " (" + entry.where + ")";
      }
    }
    if (!matched) unmatched.push_back(&entry);
  }
  if (unmatched.empty() || speaks_of_more) return warnings;
  // One line for all: whoever selects few cases knows that he does.
  const std::string first = "no selected case matches '" + unmatched.front()->glob + "' (" + unmatched.front()->where + ")";
  warnings.push_back(unmatched.size() == 1 ? first : first + ", nor " + std::to_string(unmatched.size() - 1) + " more of the list");
  return warnings;
}

}  // namespace tiebreak
