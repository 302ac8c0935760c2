// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/report_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "testsuite/harness/report_summary.hpp"
#include "testsuite/harness/text_table.hpp"

namespace tiebreak {
namespace {

struct Column {
  std::string backend, profile, isa_cap;
  bool operator<(const Column& other) const {
    return std::tie(backend, profile, isa_cap) < std::tie(other.backend, other.profile, other.isa_cap);
  }
};

}  // namespace

void OpVerdict::add(const CaseReport& result) {
  switch (result.status) {
    case CaseStatus::unsupported:
    case CaseStatus::not_run: ++skipped; break;
    case CaseStatus::inconclusive: ++inconclusive; break;
    default: break;
  }
  for (const auto& [name, comparison] : result.outputs) {
    compared += comparison.compared;
    different += comparison.different - comparison.excused;
  }
  const bool wrong = result.status == CaseStatus::fail || result.status == CaseStatus::expected_fail;
  known = known && result.status != CaseStatus::fail;
  Kind said = wrong ? Kind::differs : result.status == CaseStatus::inconclusive ? Kind::inconclusive : Kind::skipped;
  if (result.status == CaseStatus::conform || result.status == CaseStatus::unexpected_pass) said = Kind::conforms;
  kind = std::min(kind, said);
}

std::string to_text(const OpVerdict& verdict) {
  const std::string total = std::to_string(verdict.compared);
  switch (verdict.kind) {
    case OpVerdict::Kind::differs: return "differs " + std::to_string(verdict.different) + " of " + total + (verdict.known ? ", known" : "");
    case OpVerdict::Kind::inconclusive: return "inconclusive " + std::to_string(verdict.inconclusive);
    case OpVerdict::Kind::conforms: return "conforms " + total;
    case OpVerdict::Kind::skipped: return "skipped";
  }
  return {};
}

std::string report_table(const std::vector<NamedReport>& reports) {
  std::map<Column, std::map<std::string, OpVerdict>> columns;
  std::map<std::string, bool> ops;  // whether any backend has a verdict
  for (const NamedReport& named : reports) {
    const Column column{context_of(named.report, "backend"), context_of(named.report, "profile"), context_of(named.report, "backend_isa_cap")};
    for (const CaseReport& result : named.report.cases) {
      OpVerdict& verdict = columns[column][result.op];
      verdict.add(result);
      ops[result.op] = ops[result.op] || verdict.kind != OpVerdict::Kind::skipped;
    }
  }
  std::vector<std::string> headings{""}, profiles{""}, caps{""};
  for (const auto& [column, verdicts] : columns) {
    headings.push_back(column.backend);
    profiles.push_back(column.profile);
    caps.push_back(column.isa_cap);
  }
  TextTable table(headings);
  table.add(profiles);
  if (std::any_of(caps.begin(), caps.end(), [](const std::string& cap) { return !cap.empty(); })) table.add(caps);
  for (const auto& [op, judged] : ops) {
    if (!judged) continue;
    std::vector<std::string> cells{op};
    for (const auto& [column, verdicts] : columns) {
      const auto found = verdicts.find(op);
      cells.push_back(to_text(found == verdicts.end() ? OpVerdict{} : found->second));
    }
    table.add(cells);
  }
  return table.text("");
}

}  // namespace tiebreak
