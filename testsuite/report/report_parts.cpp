// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/report_parts.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool is_of_one_selection(const NamedReport& a, const NamedReport& b) {
  return a.report.part->selected == b.report.part->selected && a.report.part->digest == b.report.part->digest;
}

std::string selection_text(const PlacesOfPart& part) { return std::to_string(part.selected) + " cases, " + part.digest; }

}  // namespace

Result<std::optional<JoinedParts>> joined_parts(const std::vector<NamedReport>& reports, bool force) {
  if (reports.empty() || std::ranges::any_of(reports, [](const NamedReport& one) { return !one.report.part; })) return std::optional<JoinedParts>();
  const NamedReport& first = reports.front();
  JoinedParts joined{first.report.part->selected, first.report.part->digest, {}};
  std::map<std::size_t, std::string> ids;
  for (const NamedReport& one : reports) {
    if (!is_of_one_selection(first, one)) {
      if (force) return std::optional<JoinedParts>();
      return fail(Errc::usage,
                  "the reports are parts of different selections: " + selection_text(*first.report.part) + " in " + first.name + ", " +
                      selection_text(*one.report.part) + " in " + one.name,
                  "", "parts of one run select the same cases, from the same files; --force joins them all the same");
    }
    for (std::size_t i = 0; i < one.report.cases.size(); ++i) {
      const std::string& id = one.report.cases[i].id;
      const std::size_t place = one.report.part->places[i];
      if (joined.places.emplace(id, place).first->second != place || ids.emplace(place, id).first->second != id)
        return fail(Errc::corrupt, "the place of " + id + " in the selection is not that of another report", one.name, "run this part again");
    }
  }
  return std::optional(std::move(joined));
}

void put_in_order(const JoinedParts& parts, CheckReport& merged) {
  std::ranges::sort(merged.cases, {}, [&](const CaseReport& test) { return parts.places.at(test.id); });
  if (parts.is_whole()) {
    for (const char* key : {"shard", "shard_named_by", "shard_by", "merged_reports"}) merged.context.erase(key);
    return;
  }
  merged.incomplete = true;
  PlacesOfPart& part = merged.part.emplace(PlacesOfPart{parts.selected, parts.digest, {}});
  for (const CaseReport& test : merged.cases) part.places.push_back(parts.places.at(test.id));
}

}  // namespace tiebreak
