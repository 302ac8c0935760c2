// SPDX-License-Identifier: Apache-2.0
#include "testsuite/report/report_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

struct TableColumn {
  std::string backend, profile, isa_cap;
  bool operator<(const TableColumn& other) const { return std::tie(backend, profile, isa_cap) < std::tie(other.backend, other.profile, other.isa_cap); }
};

using TableColumns = std::map<TableColumn, std::map<std::string, OpVerdict>>;

bool is_judged(const OpVerdict& verdict) { return verdict.kind != OpVerdict::Kind::skipped; }

/// Ops that one backend alone takes, and to which it conforms: a row would compare nothing.
std::vector<std::string> folded_ops(const TableColumns& columns) {
  std::map<std::string, std::set<std::string>> takers;
  std::set<std::string> backends, kept;
  for (const auto& [column, verdicts] : columns) {
    backends.insert(column.backend);
    for (const auto& [op, verdict] : verdicts) {
      if (!is_judged(verdict)) continue;
      takers[op].insert(column.backend);
      if (verdict.kind != OpVerdict::Kind::conforms) kept.insert(op);
    }
  }
  std::vector<std::string> folded;
  if (backends.size() == 1) return folded;
  for (const auto& [op, names] : takers)
    if (names.size() == 1 && !kept.contains(op)) folded.push_back(op);
  return folded;
}

/// The columns side by side, a row for each op that one of them judges.
std::string panel_text(const std::vector<const TableColumns::value_type*>& columns, const std::vector<std::string>& folded) {
  std::vector<std::string> headings{""}, profiles{""}, caps{""};
  std::set<std::string> ops;
  for (const auto* entry : columns) {
    headings.push_back(entry->first.backend);
    profiles.push_back(entry->first.profile);
    caps.push_back(entry->first.isa_cap);
    for (const auto& [op, verdict] : entry->second)
      if (is_judged(verdict) && !std::ranges::binary_search(folded, op)) ops.insert(op);
  }
  TextTable table(headings);
  table.add(profiles);
  if (std::any_of(caps.begin(), caps.end(), [](const std::string& cap) { return !cap.empty(); })) table.add(caps);
  for (const std::string& op : ops) {
    std::vector<std::string> cells{op};
    for (const auto* entry : columns) {
      const auto found = entry->second.find(op);
      cells.push_back(to_text(found == entry->second.end() ? OpVerdict{} : found->second));
    }
    table.add(cells);
  }
  return table.text("");
}

/// `mlir alone, 12 ops that conform on 3400 elements: ...`, a paragraph for each backend.
std::string folded_text(const TableColumns& columns, const std::vector<std::string>& folded, std::size_t width) {
  std::map<std::string, std::pair<std::set<std::string>, std::int64_t>> by_backend;  // ops, elements
  for (const auto& [column, verdicts] : columns) {
    for (const std::string& op : folded) {
      const auto found = verdicts.find(op);
      if (found == verdicts.end() || !is_judged(found->second)) continue;
      by_backend[column.backend].first.insert(op);
      by_backend[column.backend].second += found->second.compared;
    }
  }
  std::string text;
  for (const auto& [backend, taken] : by_backend) {
    const auto& [ops, elements] = taken;
    std::vector<std::string> words{backend, "alone,", counted(ops.size(), "op"),
                                   (ops.size() == 1 ? "that conforms on " : "that conform on ") + counted(static_cast<std::size_t>(elements), "element") + ":"};
    words.insert(words.end(), ops.begin(), ops.end());
    text += "\n" + wrapped(words, "  ", width);
  }
  return text;
}

}  // namespace

void OpVerdict::add(const CaseReport& result) {
  switch (result.status) {
    case CaseStatus::unsupported:
    case CaseStatus::not_recorded:
    case CaseStatus::not_declared:
    case CaseStatus::nothing_compared:
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
    case OpVerdict::Kind::skipped: return ".";
  }
  return {};
}

std::string report_table(const std::vector<NamedReport>& reports, std::size_t width) {
  TableColumns columns;
  for (const NamedReport& named : reports) {
    const TableColumn column{named.report.context_of("backend"), named.report.context_of("profile"), named.report.context_of("backend_isa_cap")};
    for (const CaseReport& result : named.report.cases) columns[column][result.op].add(result);
  }
  const std::vector<std::string> folded = folded_ops(columns);
  std::string text;
  std::vector<const TableColumns::value_type*> panel;
  for (const TableColumns::value_type& column : columns) {
    panel.push_back(&column);
    if (panel.size() == 1 || widest_line(panel_text(panel, folded)) <= width) continue;
    panel.pop_back();
    text += panel_text(panel, folded) + "\n";
    panel = {&column};
  }
  return text + panel_text(panel, folded) + folded_text(columns, folded, width);
}

}  // namespace tiebreak
