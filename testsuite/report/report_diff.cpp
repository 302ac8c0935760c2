// SPDX-License-Identifier: Apache-2.0
// Two runs compared, case by case and element by element. Reports keep the first mismatches only, so a statement about an element is
// made where both sides are known to have it or not to have it; the rest is told by counts and by the digest of the answer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "testsuite/report/report.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The wrong elements of an output, as far as they are kept. They are the first ones, so absence says something up to `known_until`.
struct WrongElements {
  std::map<std::int64_t, const Mismatch*> kept{};
  std::int64_t known_until = -1;
  std::int64_t count = 0;
};

WrongElements wrong_elements(const Comparison* comparison) {
  WrongElements wrong;
  wrong.known_until = std::numeric_limits<std::int64_t>::max();
  if (comparison == nullptr) return wrong;
  wrong.count = comparison->different - comparison->excused;
  for (const Mismatch& mismatch : comparison->first)
    if (!mismatch.excused) wrong.kept.emplace(mismatch.index, &mismatch);
  if (static_cast<std::int64_t>(wrong.kept.size()) < wrong.count) wrong.known_until = wrong.kept.empty() ? -1 : wrong.kept.rbegin()->first;
  return wrong;
}

double size_of(const Mismatch& mismatch) { return std::isnan(mismatch.difference) ? std::numeric_limits<double>::infinity() : std::abs(mismatch.difference); }

struct ElementCounts {
  std::size_t newly_wrong = 0, fixed = 0, farther = 0, nearer = 0, other = 0;
  std::vector<std::string> lines{};
};

/// `[3] 5 -> 6, expected 5`: at most `show` of each output, the others counted.
class OutputChange {
 public:
  OutputChange(const std::string& name, const Comparison* before, const Comparison* after, std::size_t show)
      : name_(name), before_(before), after_(after), show_(show), old_(wrong_elements(before)), new_(wrong_elements(after)) {}

  void add_to(ElementCounts& counts) {
    for (const auto& [index, mismatch] : new_.kept) {
      auto same = old_.kept.find(index);
      if (same != old_.kept.end()) compare_values(*same->second, *mismatch, counts);
      else if (index <= old_.known_until) element(*mismatch, "newly wrong", "right before", counts.newly_wrong);
    }
    for (const auto& [index, mismatch] : old_.kept) {
      if (!new_.kept.contains(index) && index <= new_.known_until) element(*mismatch, "fixed", "right now", counts.fixed);
    }
    if (before_ != nullptr && after_ != nullptr) compare_totals();
    if (lines_.size() > show_) {
      const std::size_t more = lines_.size() - show_;
      lines_.resize(show_);
      lines_.push_back("... " + counted(more, "more element"));
    }
    for (const std::string& line : lines_) counts.lines.push_back(name_ + line);
    for (const std::string& line : totals_) counts.lines.push_back(name_ + " " + line);
  }

 private:
  const Shape& shape() const { return (after_ != nullptr ? after_ : before_)->shape; }

  void element(const Mismatch& mismatch, const char* what, const char* otherwise, std::size_t& count) {
    ++count;
    lines_.push_back(index_text(shape(), mismatch.index) + "  " + what + ": " + mismatch.actual + ", expected " + mismatch.expected + ", " + otherwise);
  }

  void compare_values(const Mismatch& before, const Mismatch& after, ElementCounts& counts) {
    if (before.actual_bits == after.actual_bits && before.expected_bits == after.expected_bits) return;
    const bool grown = size_of(after) > size_of(before), shrunk = size_of(after) < size_of(before);
    ++(grown ? counts.farther : shrunk ? counts.nearer : counts.other);
    std::string line = index_text(shape(), after.index) + "  " +
                       (grown    ? "farther off"
                        : shrunk ? "nearer"
                                 : "another value") +
                       ": " + before.actual + ", now " + after.actual;
    line += ", expected " + after.expected;
    if (before.expected_bits != after.expected_bits) line += ", before " + before.expected;
    lines_.push_back(line);
  }

  void compare_totals() {
    if (before_->different != after_->different)
      totals_.push_back(std::to_string(before_->different) + " of " + std::to_string(before_->compared) + " differed, now " +
                        std::to_string(after_->different) + " of " + std::to_string(after_->compared));
    if (before_->reason != after_->reason)
      totals_.push_back((before_->reason.empty() ? "compared" : before_->reason) + ", now " + (after_->reason.empty() ? "compared" : after_->reason));
    const bool digests = !before_->digest.empty() && !after_->digest.empty() && before_->digest != after_->digest;
    if (digests && lines_.empty() && totals_.empty()) totals_.emplace_back("other values, in elements that no report keeps");
  }

  const std::string& name_;
  const Comparison *before_, *after_;
  std::size_t show_;
  WrongElements old_, new_;
  std::vector<std::string> lines_{}, totals_{};
};

const Comparison* output_of(const CaseReport& test, const std::string& name) {
  for (const auto& [own, comparison] : test.outputs)
    if (own == name) return &comparison;
  return nullptr;
}

ElementCounts compare_elements(const CaseReport& before, const CaseReport& after, std::size_t show) {
  ElementCounts counts;
  for (const auto& [name, comparison] : after.outputs) OutputChange(name, output_of(before, name), &comparison, show).add_to(counts);
  for (const auto& [name, comparison] : before.outputs)
    if (output_of(after, name) == nullptr) OutputChange(name, &comparison, nullptr, show).add_to(counts);
  return counts;
}

std::int64_t wrong_total(const CaseReport& test) {
  std::int64_t total = 0;
  for (const auto& [name, comparison] : test.outputs) total += comparison.different - comparison.excused;
  return total;
}

/// Listed in a baseline or not, its values are the same: what counts is whether it fails.
bool fails(CaseStatus status) { return status == CaseStatus::fail || status == CaseStatus::expected_fail || status == CaseStatus::invalid; }
bool passes(CaseStatus status) { return status == CaseStatus::conform || status == CaseStatus::unexpected_pass; }

CaseChange::Kind kind_of_change(const CaseReport& before, const CaseReport& after, const ElementCounts& counts) {
  if (!fails(before.status) && fails(after.status)) return CaseChange::Kind::newly_failing;
  if (passes(before.status) && !passes(after.status)) return CaseChange::Kind::lost;
  if (!passes(before.status) && passes(after.status)) return CaseChange::Kind::fixed;
  if (!fails(before.status) || !fails(after.status)) return CaseChange::Kind::changed;
  const std::int64_t was = wrong_total(before), is = wrong_total(after);
  if (counts.newly_wrong + counts.farther > 0 || is > was) return CaseChange::Kind::worse;
  if (counts.fixed + counts.nearer > 0 || is < was) return CaseChange::Kind::better;
  return CaseChange::Kind::changed;
}

std::optional<CaseChange> change_of(const CaseReport& before, const CaseReport& after, std::size_t show) {
  ElementCounts counts = compare_elements(before, after, show);
  if (before.status == after.status && counts.lines.empty()) return std::nullopt;
  CaseChange change;
  change.kind = kind_of_change(before, after, counts);
  change.id = after.id;
  change.before = to_word(before.status);
  change.after = to_word(after.status);
  change.lines = std::move(counts.lines);
  if (before.status != after.status && after.outputs.empty() && !after.reason.empty()) change.lines.push_back(after.reason);
  return change;
}

std::vector<std::string> context_changes(const CheckReport& before, const CheckReport& after) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [key, value] : before.context) both[key].first = value;
  for (const auto& [key, value] : after.context) both[key].second = value;
  std::vector<std::string> lines;
  for (const auto& [key, values] : both) {
    if (key == "duration_seconds" || key == "command" || values.first == values.second) continue;
    lines.push_back(key + ": " + (values.first.empty() ? "none" : values.first) + ", now " + (values.second.empty() ? "none" : values.second));
  }
  return lines;
}

std::map<std::string, const CaseReport*> by_id(const CheckReport& report) {
  std::map<std::string, const CaseReport*> cases;
  for (const CaseReport& test : report.cases) cases.emplace(test.id, &test);
  return cases;
}

}  // namespace

bool ReportDifference::worse() const {
  return std::ranges::any_of(changes, [](const CaseChange& change) { return change.worse(); });
}

ReportDifference diff_reports(const CheckReport& before, const CheckReport& after, std::size_t show) {
  ReportDifference difference;
  difference.contexts = context_changes(before, after);
  std::map<std::string, const CaseReport*> old_cases = by_id(before), new_cases = by_id(after);
  for (const auto& [id, test] : new_cases) {
    auto same = old_cases.find(id);
    if (same == old_cases.end()) {
      difference.changes.push_back({CaseChange::Kind::added, id, "", to_word(test->status), {}});
    } else if (auto change = change_of(*same->second, *test, show)) {
      difference.changes.push_back(*std::move(change));
    } else {
      ++difference.unchanged;
    }
  }
  for (const auto& [id, test] : old_cases)
    if (!new_cases.contains(id)) difference.changes.push_back({CaseChange::Kind::removed, id, to_word(test->status), "", {}});
  std::ranges::stable_sort(difference.changes, {}, &CaseChange::kind);
  return difference;
}

}  // namespace tiebreak
