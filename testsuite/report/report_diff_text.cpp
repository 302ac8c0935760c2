// SPDX-License-Identifier: Apache-2.0
// The difference of two runs as text and as tiebreak.report-diff/1.
#include <algorithm>

#include "testsuite/report/report.hpp"
#include "testsuite/text/json_writer.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {

const char* to_word(CaseChange::Kind kind) {
  switch (kind) {
    using enum CaseChange::Kind;
    case newly_failing: return "newly_failing";
    case lost: return "lost";
    case worse: return "worse";
    case changed: return "changed";
    case better: return "better";
    case fixed: return "fixed";
    case added: return "added";
    case removed: return "removed";
  }
  return "changed";
}

namespace {

std::string spoken(std::string word) {
  std::ranges::replace(word, '_', ' ');
  return word;
}

std::map<CaseChange::Kind, std::size_t> change_counts(const ReportDifference& difference) {
  std::map<CaseChange::Kind, std::size_t> counts;
  for (const CaseChange& change : difference.changes) ++counts[change.kind];
  return counts;
}

}  // namespace

std::string difference_text(const ReportDifference& difference) {
  std::string text;
  for (const std::string& line : difference.contexts) text += "  context  " + line + "\n";
  for (const CaseChange& change : difference.changes) {
    text += "  " + spoken(to_word(change.kind)) + "  " + change.id + "  ";
    if (change.before.empty() || change.after.empty() || change.before == change.after) text += spoken(change.before.empty() ? change.after : change.before);
    else text += spoken(change.before) + ", now " + spoken(change.after);
    text += "\n";
    for (const std::string& line : change.lines) text += "         " + line + "\n";
  }
  for (const auto& [kind, count] : change_counts(difference)) text += std::to_string(count) + " " + spoken(to_word(kind)) + ", ";
  return text + std::to_string(difference.unchanged) + " unchanged\n";
}

std::string difference_json(const ReportDifference& difference) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.report-diff/1").member("worse", difference.worse());
  json.member("context", difference.contexts);
  json.key("counts").begin_object();
  for (const auto& [kind, count] : change_counts(difference)) json.member(to_word(kind), std::uint64_t{count});
  json.member("unchanged", std::uint64_t{difference.unchanged}).end_object();
  json.key("changes").begin_array();
  for (const CaseChange& change : difference.changes) {
    json.begin_object().member("id", change.id).member("change", to_word(change.kind));
    if (!change.before.empty()) json.member("before", change.before);
    if (!change.after.empty()) json.member("after", change.after);
    json.member("elements", change.lines).end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace tiebreak
