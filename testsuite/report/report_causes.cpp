// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/report_causes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_ids = 3;
constexpr std::size_t most_others = 3;

std::string clauses_text(const std::vector<DiagnosedClause>& clauses) {
  std::string text;
  for (const DiagnosedClause& clause : clauses) text += (text.empty() ? "" : ", ") + clause.choice + "=" + clause.found;
  return text;
}

bool same_clauses(const CauseReading& a, const CauseReading& b) {
  return std::ranges::equal(a.clauses, b.clauses,
                            [](const DiagnosedClause& x, const DiagnosedClause& y) { return x.choice == y.choice && x.found == y.found; });
}

std::size_t failing_of(const CheckReport& report, const std::string& op) {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.cases, [&](const CaseReport& test) { return test.op == op && test.status == CaseStatus::fail; }));
}

/// Nothing shared leaves none.
std::vector<CauseReading> shared_readings(const CommonCause& a, const CommonCause& b) {
  std::vector<CauseReading> shared;
  for (CauseReading reading : a.readings) {
    const auto same = std::ranges::find_if(b.readings, [&](const CauseReading& other) { return same_clauses(reading, other); });
    if (same == b.readings.end()) continue;
    reading.against += same->against;
    shared.push_back(std::move(reading));
  }
  std::ranges::stable_sort(shared, {}, &CauseReading::against);
  return shared;
}

void join_causes(CommonCause& into, const CommonCause& other, std::vector<CauseReading> shared) {
  // What the other shard's conforming cases said of its own first reading holds for that reading alone.
  const bool same_first = same_clauses(shared.front(), into.readings.front()) && same_clauses(shared.front(), other.readings.front());
  into.agreeing = same_first ? into.agreeing + other.agreeing : 0;
  into.readings = std::move(shared);
  into.cases.insert(into.cases.end(), other.cases.begin(), other.cases.end());
}

/// How many of the reports have a case of the op. What one alone has is what a run of everything would have said of it.
std::map<std::string, std::size_t> reports_of_ops(const std::vector<const CheckReport*>& reports) {
  std::map<std::string, std::size_t> counts;
  for (const CheckReport* report : reports) {
    std::set<std::string> ops;
    for (const CaseReport& test : report->cases) ops.insert(test.op);
    for (const std::string& op : ops) ++counts[op];
  }
  return counts;
}

void follow(const CommonCause& cause, std::vector<CaseReport>& cases) {
  const CauseReading& reading = cause.readings.front();
  const std::set<std::string_view> ids(cause.cases.begin(), cause.cases.end());
  for (CaseReport& test : cases) {
    if (!test.diagnosis || !ids.contains(test.id)) continue;
    Diagnosis& diagnosis = *test.diagnosis;
    if (std::ranges::equal(diagnosis.clauses, reading.clauses, {}, &DiagnosedClause::found, &DiagnosedClause::found) && diagnosis.name == reading.name)
      continue;
    diagnosis.name = reading.name;
    diagnosis.members = reading.members;
    diagnosis.clauses = reading.clauses;
    diagnosis.predicted = diagnosis.observed;
    diagnosis.domain.clear();  // it was that of other semantics
  }
}

std::string part_lines(const CheckReport& report, const CauseGroup::Part& part) {
  std::string text = "      " + part_text(report, part) + "\n";
  for (const DiagnosedClause& clause : part.cause->readings.front().clauses)
    text += "        " + clause.choice + ": expected " + clause.expected + ", found " + clause.found +
            (clause.place.empty() ? "" : "  (" + clause.place + ")") + "\n";
  if (const std::string others = other_readings(*part.cause); !others.empty()) text += "        not told from " + others + "\n";
  return text;
}

}  // namespace

std::string CommonCause::words() const {
  std::string text;
  for (const DiagnosedClause& clause : readings.front().clauses) text += (text.empty() ? "" : "; ") + clause.words;
  return text.empty() ? readings.front().name : text;
}

std::size_t CauseGroup::cases() const {
  std::size_t count = 0;
  for (const Part& part : parts) count += part.cases.size();
  return count;
}

std::vector<CauseGroup> cause_groups(const CheckReport& report) {
  std::vector<CauseGroup> groups;
  for (const CommonCause& cause : report.causes) {
    CauseGroup::Part part{&cause, {}};
    const std::set<std::string_view> ids(cause.cases.begin(), cause.cases.end());
    for (const CaseReport& test : report.cases)
      if (test.status == CaseStatus::fail && test.op == cause.op && ids.contains(test.id)) part.cases.push_back(&test);
    if (part.cases.empty()) continue;
    const std::string words = cause.words();
    auto group = std::ranges::find(groups, words, &CauseGroup::words);
    if (group == groups.end()) group = groups.insert(groups.end(), {words, {}});
    group->parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(groups, std::ranges::greater{}, &CauseGroup::cases);
  return groups;
}

std::vector<OtherCases> other_cases(const CheckReport& report) {
  std::set<const CaseReport*> grouped;
  for (const CauseGroup& group : cause_groups(report))
    for (const CauseGroup::Part& part : group.parts) grouped.insert(part.cases.begin(), part.cases.end());
  std::vector<OtherCases> others;
  for (const CaseReport& test : report.cases) {
    if (test.status != CaseStatus::fail || !test.diagnosis || grouped.contains(&test)) continue;
    const std::string word = cause_word(*test.diagnosis);
    auto known = std::ranges::find(others, word, &OtherCases::word);
    if (known == others.end()) known = others.insert(others.end(), {word, {}});
    known->cases.push_back(&test);
  }
  return others;
}

std::string part_text(const CheckReport& report, const CauseGroup::Part& part) {
  const std::size_t all = failing_of(report, part.cause->op), own = part.cases.size();
  std::string text =
      part.cause->op + ": " + (own == all && all > 1 ? "all " : "") + counted(own, "failing case") + (own == all ? "" : " of " + std::to_string(all));
  if (part.cause->agreeing > 0) text += "; " + counted(part.cause->agreeing, "conforming case") + (part.cause->agreeing == 1 ? " agrees" : " agree");
  if (const std::size_t against = part.cause->readings.front().against; against > 0)
    text += "; but " + counted(against, "conforming case") + (against == 1 ? " does" : " do") + " not agree";
  return text;
}

std::string other_readings(const CommonCause& cause) {
  std::string text;
  for (std::size_t i = 1; i < cause.readings.size() && i <= most_others; ++i) {
    const CauseReading& reading = cause.readings[i];
    // What conforming cases contradict explains less.
    if (reading.against > cause.readings.front().against) continue;
    text += (text.empty() ? "" : "; or ") + (reading.clauses.empty() ? reading.name : clauses_text(reading.clauses));
  }
  return text;
}

std::string causes_text(const CheckReport& report) {
  const std::vector<CauseGroup> groups = cause_groups(report);
  const std::vector<OtherCases> others = other_cases(report);
  if (groups.empty() && others.empty()) return "";
  std::string text = groups.size() == 1 && others.empty() ? "one cause explains every failing case\n" : "causes\n";
  for (const CauseGroup& group : groups) {
    text += "  " + group.words + "\n";
    for (const CauseGroup::Part& part : group.parts) text += part_lines(report, part);
  }
  for (const OtherCases& other : others) {
    text += "  " + other.word + ": " + counted(other.cases.size(), "failing case") + ": ";
    for (std::size_t i = 0; i < other.cases.size() && i < most_ids; ++i) text += (i == 0 ? "" : ", ") + other.cases[i]->id;
    text += other.cases.size() > most_ids ? " ...\n" : "\n";
  }
  return text;
}

std::vector<CommonCause> merged_causes(const std::vector<const CheckReport*>& reports, std::vector<CaseReport>& cases) {
  std::vector<CommonCause> merged, whole;
  const std::map<std::string, std::size_t> having = reports_of_ops(reports);
  for (const CheckReport* report : reports) {
    for (const CommonCause& cause : report->causes) {
      if (const auto count = having.find(cause.op); count != having.end() && count->second == 1) {
        whole.push_back(cause);
        continue;
      }
      bool is_joined = false;
      for (CommonCause& known : merged) {
        if (known.op != cause.op) continue;
        std::vector<CauseReading> shared = shared_readings(known, cause);
        if (shared.empty()) continue;
        join_causes(known, cause, std::move(shared));
        is_joined = true;
        break;
      }
      if (!is_joined) merged.push_back(cause);
    }
  }
  for (CommonCause& cause : merged) {
    std::ranges::sort(cause.cases);
    cause.cases.erase(std::unique(cause.cases.begin(), cause.cases.end()), cause.cases.end());  // a case that two shards have
    follow(cause, cases);
  }
  merged.insert(merged.end(), whole.begin(), whole.end());
  std::ranges::stable_sort(merged, {}, &CommonCause::op);
  std::ranges::stable_sort(merged, std::ranges::greater{}, [](const CommonCause& cause) { return cause.cases.size(); });
  return merged;
}

}  // namespace tiebreak
