// SPDX-License-Identifier: Apache-2.0
// The report for people: the verdict's premises, every case that did not simply conform, the counts. docs/reports.md shows one.
#include <algorithm>
#include <cmath>
#include <set>

#include "testsuite/report/report.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/report/report_model.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

struct Layout {
  bool colour;
  std::size_t show;   ///< mismatches of an output
  std::size_t width;  ///< columns
};

std::string value_or(const std::map<std::string, std::string>& map, const std::string& key, const std::string& otherwise = "") {
  auto found = map.find(key);
  return found == map.end() ? otherwise : found->second;
}

std::string report_header(const CheckReport& report) {
  std::string line = "tiebreak " + value_or(report.context, "tool_version") + "  spec " + value_or(report.context, "spec_hash").substr(0, 8) + "  backend " +
                     value_or(report.context, "backend") + " " + value_or(report.context, "backend_version");
  std::string isa = value_or(report.context, "backend_isa");
  if (!isa.empty()) line += " (" + isa + ")";
  if (std::string recorded = value_or(report.context, "backend_recorded"); !recorded.empty()) line += ", recorded " + recorded;
  for (const char* key : {"profile", "policy", "seed", "shard"}) {
    if (std::string value = value_or(report.context, key); !value.empty()) line += std::string("  ") + key + " " + value;
  }
  return line + "\n";
}

/// `not declared: profile p says nothing of onnx.Add, onnx.Mul`: what a reader must know before the verdict.
std::string undeclared_line(const CheckReport& report) {
  std::set<std::string> ops;
  for (const CaseReport& test : report.cases)
    if (test.status == CaseStatus::not_declared) ops.insert(test.op);
  if (ops.empty()) return "";
  constexpr std::size_t most_named = 5;
  std::string names;
  std::size_t named = 0;
  for (const std::string& op : ops)
    if (named++ < most_named) names += (names.empty() ? "" : ", ") + op;
  if (named > most_named) names += " and " + counted(named - most_named, "more op");
  return "not declared: profile " + value_or(report.context, "profile") + " says nothing of " + names + "\n";
}

struct StatusMark {
  const char* word;
  Colour colour;
};

StatusMark mark_of(CaseStatus status) {
  switch (status) {
    using enum CaseStatus;
    case conform: return {"ok", Colour::green};
    case fail: return {"FAIL", Colour::red};
    case expected_fail: return {"expected to fail", Colour::yellow};
    case unexpected_pass: return {"STALE", Colour::red};
    case unsupported: return {"unsupported", Colour::yellow};
    case not_recorded: return {"not recorded", Colour::yellow};
    case not_declared: return {"not declared", Colour::yellow};
    case nothing_compared: return {"nothing compared", Colour::yellow};
    case inconclusive: return {"INCONCLUSIVE", Colour::yellow};
    case not_run: return {"not run", Colour::yellow};
    case invalid: return {"INVALID", Colour::red};
  }
  return {"?", Colour::none};
}

std::string histogram_text(const Comparison& comparison) {
  std::string text;
  for (const auto& [bucket, count] : histogram_order(comparison.histogram)) {
    bool positive = !bucket.empty() && (std::isdigit(static_cast<unsigned char>(bucket[0])) != 0);
    text += "   " + std::string(positive ? "+" : "") + bucket + ": " + std::to_string(count);
  }
  return text.empty() ? text : text + "  " + comparison.unit;
}

/// `382 of 20000 differ   -1: 186   +1: 196  LSB   382 excused by lsb:1   12 undefined, not compared`
std::string difference_counts(const Comparison& comparison, const std::string& policy) {
  if (!comparison.reason.empty() && comparison.compared == 0) return comparison.reason;
  std::string text = std::to_string(comparison.different) + " of " + std::to_string(comparison.compared) + " differ" + histogram_text(comparison);
  if (comparison.excused > comparison.right) text += "   " + std::to_string(comparison.excused - comparison.right) + " within " + policy;
  if (comparison.right > 0) text += "   " + std::to_string(comparison.right) + " right by what the profile leaves open";
  if (comparison.open > 0) text += "   " + std::to_string(comparison.open) + " not known to be wrong";
  if (comparison.undefined > 0) text += "   " + std::to_string(comparison.undefined) + " undefined, not compared";
  if (!comparison.reason.empty()) text += "   " + comparison.reason;
  return text;
}

/// Why a mismatch is none, or what would be right where that is not one value.
std::string excuse_of(const Mismatch& mismatch) {
  if (!mismatch.excused) return mismatch.right.empty() ? "" : "right: " + mismatch.right;
  return mismatch.right.empty() ? "within the policy" : "one of " + mismatch.right;
}

/// A row for each mismatch.
TextTable mismatch_table(const CaseReport& test, const Comparison& comparison, bool with_inputs, std::size_t show) {
  TextTable table({"index", "inputs", "expected", "actual", "bits", "exact value", "to the boundary", ""},
                  {false, false, true, true, false, false, true, false});
  for (std::size_t i = 0; i < comparison.first.size() && i < show; ++i) {
    const Mismatch& mismatch = comparison.first[i];
    std::string inputs = with_inputs && i < test.inputs_of_first.size() ? test.inputs_of_first[i] : "";
    table.add({index_text(comparison.shape, mismatch.index), inputs, mismatch.expected, mismatch.actual, mismatch.expected_bits + " " + mismatch.actual_bits,
               mismatch.before, mismatch.distance, excuse_of(mismatch)});
  }
  return table;
}

/// In a table wider than `width` the inputs stand below their mismatch.
std::string mismatches_text(const CaseReport& test, const Comparison& comparison, bool with_inputs, const Layout& layout) {
  const std::string indent = "         ";
  const TextTable table = mismatch_table(test, comparison, with_inputs, layout.show);
  if (table.empty()) return "";
  std::string text = table.text(indent);
  if (with_inputs && widest_line(text) > layout.width) {
    text.clear();
    const std::vector<std::string> rows = lines_of(mismatch_table(test, comparison, false, layout.show).text(indent));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += rows[i] + "\n";
      if (i > 0 && i - 1 < test.inputs_of_first.size()) text += indent + "  " + test.inputs_of_first[i - 1] + "\n";
    }
  }
  auto shown = static_cast<std::int64_t>(std::min(comparison.first.size(), layout.show));
  if (comparison.different > shown) text += indent + "... " + std::to_string(comparison.different - shown) + " more  (--show all)\n";
  return text;
}

std::string case_text(const CaseReport& test, const std::string& policy, const Layout& layout) {
  const bool colour = layout.colour;
  StatusMark mark = mark_of(test.status);
  std::string text = "  " + coloured(mark.word, mark.colour, colour) + " " + coloured(test.id, Colour::bold, colour);
  bool compared = !test.outputs.empty();
  bool several = test.outputs.size() > 1;
  if (!compared || test.status == CaseStatus::unexpected_pass) {
    text += test.reason.empty() ? "" : "  " + test.reason;
  }
  bool detailed = test.status == CaseStatus::fail;
  bool inputs_used = false;
  for (const auto& [name, comparison] : test.outputs) {
    if (!detailed && comparison.excused == 0 && comparison.open == 0) continue;
    text += (several ? "\n       " + name + "  " : "  ") + difference_counts(comparison, policy);
    if (!detailed || comparison.conforms) continue;
    if (std::string table = mismatches_text(test, comparison, !inputs_used, layout); !table.empty()) text += "\n" + table.substr(0, table.size() - 1);
    inputs_used = true;
  }
  text += "\n";
  if (detailed && compared && test.outputs.front().second.reason.empty() && test.reason.find("differ") == std::string::npos)
    text += "       " + test.reason + "\n";
  if (test.diagnosis) {
    const char* heading = "       cause   ";
    for (const std::string& line : to_lines(*test.diagnosis)) {
      text += heading + line + "\n";
      heading = "               ";
    }
  }
  for (const std::string& note : test.notes) text += "       note    " + note + "\n";
  if (detailed && !test.description.empty()) text += "       about   " + test.description + "\n";
  if (test.status == CaseStatus::fail || test.status == CaseStatus::inconclusive) text += "       again   " + test.reproduce + "\n";
  if (detailed && !test.explain.empty()) text += "       why     " + test.explain + "\n";
  return text;
}

/// The largest difference of the run, on success as well: what an `lsb` or `ulp` policy let through.
std::string worst_text(const CheckReport& report) {
  const CaseReport* worst = nullptr;
  const Comparison* most = nullptr;
  for (const CaseReport& test : report.cases) {
    for (const auto& [name, comparison] : test.outputs) {
      if (!comparison.worst_index) continue;
      bool larger = most == nullptr || std::isnan(comparison.worst) || std::abs(comparison.worst) > std::abs(most->worst);
      if (larger && !(most != nullptr && std::isnan(most->worst))) {
        worst = &test;
        most = &comparison;
      }
    }
  }
  if (most == nullptr) return "";
  return "worst difference " + decimal_text(most->worst) + " " + most->unit + " in " + worst->id + " at " + index_text(most->shape, *most->worst_index) + "\n";
}

/// Characters of a reason: what a library says of a missing kernel may fill a screen. The JSON report has it whole.
constexpr std::size_t most_reason = 300;

/// What is told by the reason alone, in the order in which it is shown. Cases not reached, or ill-formed on purpose, say nothing about the backend.
constexpr CaseStatus told_by_reason[] = {CaseStatus::expected_fail, CaseStatus::inconclusive, CaseStatus::nothing_compared,
                                         CaseStatus::not_declared,  CaseStatus::not_recorded, CaseStatus::unsupported};

bool is_told_by_reason(const CaseReport& test) {
  const bool has_values = test.status == CaseStatus::inconclusive && !test.outputs.empty();  // another result, and what is right is not known
  return !has_values && std::ranges::find(told_by_reason, test.status) != std::end(told_by_reason);
}

/// Cases of one status, once for each reason: a folder of a thousand node tests has hundreds that are unsupported for the same one.
std::string reasons_text(const CheckReport& report, CaseStatus status, bool colour) {
  std::vector<const CaseReport*> cases = cases_of(report, status);
  std::erase_if(cases, [](const CaseReport* test) { return !is_told_by_reason(*test); });
  const StatusMark mark = mark_of(status);
  std::string text;
  for (const ReasonGroup& group : by_reason(cases)) {
    const CaseReport& first = *group.cases.front();
    text += "  " + coloured(mark.word, mark.colour, colour) + " " + coloured(first.id, Colour::bold, colour);
    if (group.cases.size() > 1) text += " and " + counted(group.cases.size() - 1, "more case");
    text += "  " + shortened(group.reason, most_reason) + "\n";
    if (status == CaseStatus::inconclusive) text += "       again   " + first.reproduce + "\n";
  }
  return text;
}

}  // namespace

std::string counts_text(const CheckReport& report) {
  std::string text = counted(report.cases.size(), "case") + ":";
  std::map<CaseStatus, std::size_t> counts = report.counts();
  bool first = true;
  using enum CaseStatus;
  for (CaseStatus status : every_status) {
    std::size_t count = counts[status];
    bool always = status == conform || status == fail || status == unsupported || status == not_run;
    if (count == 0 && !always) continue;
    std::string word = to_word(status);
    std::replace(word.begin(), word.end(), '_', ' ');
    text += (first ? " " : ", ") + std::to_string(count) + " " + word;
    first = false;
  }
  return text;
}

std::string report_text(const CheckReport& report, bool colour, std::size_t show, std::size_t width) {
  std::string text = undeclared_line(report) + report_header(report) + causes_text(report);
  std::string policy = value_or(report.context, "policy", "exact");
  for (const CaseReport& test : report.cases) {
    bool excused = std::any_of(test.outputs.begin(), test.outputs.end(), [](const auto& output) { return output.second.excused > 0; });
    bool plain = test.status == CaseStatus::conform && !excused && test.notes.empty();
    if (!plain && test.status != CaseStatus::not_run && !is_told_by_reason(test)) text += case_text(test, policy, {colour, show, width});
  }
  for (CaseStatus status : told_by_reason) text += reasons_text(report, status, colour);
  for (const ModelReport& model : report.models) text += model_text(model, colour);
  auto ill_formed = static_cast<std::size_t>(std::count_if(report.cases.begin(), report.cases.end(), [](const CaseReport& test) {
    return test.status == CaseStatus::not_run && test.reason.starts_with("ill-formed");
  }));
  if (ill_formed > 0) text += counted(ill_formed, "case") + " not run: ill-formed on purpose, and reported as such\n";
  text += worst_text(report);
  if (report.incomplete) text += coloured("incomplete: not every case was judged", Colour::yellow, colour) + "\n";
  return text + counts_text(report) + "\n";
}

}  // namespace tiebreak
