// SPDX-License-Identifier: Apache-2.0
// Shards as one report. Cases are sorted by id, or stand as in the whole selection where the reports say where that is, so that the order of the files
// affects the context at most.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "interpreter/semantics/dependencies.hpp"
#include "testsuite/check/run_identity.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/report/report_causes.hpp"
#include "testsuite/report/report_parts.hpp"
#include "testsuite/report/report_summary.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::set<std::string> context_keys(const std::vector<NamedReport>& reports) {
  std::set<std::string> keys;
  for (const NamedReport& one : reports)
    for (const auto& [key, value] : one.report.context) keys.insert(key);
  return keys;
}

/// Different values in the order of their first appearance.
std::vector<std::string> context_values(const std::vector<NamedReport>& reports, const std::string& key) {
  std::vector<std::string> values;
  for (const NamedReport& one : reports) {
    std::string value = one.report.context_of(key);
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
  }
  return values;
}

std::string total_seconds(const std::vector<NamedReport>& reports) {
  double sum = 0;
  for (const NamedReport& one : reports) {
    std::string text = one.report.context_of("duration_seconds");
    double seconds = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), seconds).ec == std::errc{}) sum += seconds;
  }
  return decimal_text(sum, 4);
}

tl::unexpected<Error> disagreement(const std::string& what, const std::pair<std::string, std::string>& first,
                                   const std::pair<std::string, std::string>& other) {
  return fail(Errc::usage, "the reports differ in " + what + ": '" + first.second + "' in " + first.first + ", '" + other.second + "' in " + other.first, "",
              "shards of one run agree in what the verdict rests on; --force joins them all the same, and the report says so");
}

using OpHashes = std::map<std::string, std::string>;

/// Shards may have other ops; of an op that several have, the values must depend on the same formulas. nullopt where they do not. A report that is older
/// has one hash of all pages, to which no other can be compared.
Result<std::optional<OpHashes>> merged_hashes(const std::vector<NamedReport>& reports, bool force) {
  OpHashes joined;
  std::map<std::string, const std::string*> from;
  const bool older = std::ranges::any_of(reports, [](const NamedReport& one) { return !one.report.op_hashes; });
  for (const NamedReport& one : reports) {
    const OpHashes hashes = older ? OpHashes{{"spec_hash", one.report.context_of("spec_hash")}} : *one.report.op_hashes;
    for (const auto& [op, hash] : hashes) {
      const auto [known, fresh] = joined.emplace(op, hash);
      if (fresh) from[op] = &one.name;
      if (known->second == hash) continue;
      if (force) return std::optional<OpHashes>();
      return disagreement(older ? op : "what " + op + " depends on", {*from[op], known->second}, {one.name, hash});
    }
  }
  return std::optional(std::move(joined));
}

Result<std::map<std::string, std::string>> merged_context(const std::vector<NamedReport>& reports, bool force, std::optional<OpHashes>& op_hashes) {
  std::map<std::string, std::string> context;
  std::string differing;
  for (const std::string& key : context_keys(reports)) {
    std::vector<std::string> values = context_values(reports, key);
    if (key == "duration_seconds") {
      context[key] = total_seconds(reports);
      continue;
    }
    if (values.size() > 1 && rests_on(key)) {
      auto other = std::ranges::find_if(reports, [&](const NamedReport& one) { return one.report.context_of(key) != values[0]; });
      if (!force) return disagreement(key, {reports[0].name, values[0]}, {other->name, values[1]});
      differing += (differing.empty() ? "" : " ") + key;
    }
    std::string& joined = context[key];
    for (const std::string& value : values) joined += (joined.empty() ? "" : "; ") + value;
  }
  TIEBREAK_TRY(hashes, merged_hashes(reports, force));
  if (!hashes) differing += differing.empty() ? "spec_hash" : " spec_hash";
  const bool has_hashes = std::ranges::all_of(reports, [](const NamedReport& one) { return one.report.op_hashes.has_value(); });
  if (hashes && has_hashes) {
    context["spec_hash"] = joined_hash(*hashes);
    op_hashes = *std::move(hashes);
  }
  context["merged_reports"] = std::to_string(reports.size());
  if (!differing.empty()) context["merged_despite"] = differing;
  return context;
}

/// An interrupt came before the case: another report may have it.
bool unreached(const CaseReport& test) { return test.status == CaseStatus::not_run && !test.reason.starts_with("ill-formed"); }

/// Everything but the command, which names the shard's own sources and options.
std::string what_differs(const CaseReport& a, const CaseReport& b) {
  if (a.status != b.status) return std::string(to_word(a.status)) + " and " + to_word(b.status);
  if (a.outputs.size() != b.outputs.size()) return "other outputs";
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    const Comparison &left = a.outputs[i].second, &right = b.outputs[i].second;
    if (a.outputs[i].first != b.outputs[i].first || left.shape != right.shape) return "other outputs";
    if (left.different != right.different || left.histogram != right.histogram || left.digest != right.digest) return "other values of " + a.outputs[i].first;
  }
  return "";
}

/// `1/2`, or of a merged report `1/4; 3/4`.
std::vector<std::string> shards_of(const CheckReport& report) {
  std::vector<std::string> shards;
  std::istringstream text(report.context_of("shard"));
  for (std::string one; std::getline(text, one, ';');) shards.push_back(one.substr(std::min(one.find_first_not_of(' '), one.size())));
  return shards;
}

void note_despite(CheckReport& merged, const std::string& what) {
  std::string& despite = merged.context["merged_despite"];
  despite += (despite.empty() ? "" : " ") + what;
}

struct Origin {
  const CaseReport* test;
  const std::string* file;
};

}  // namespace

Result<CheckReport> merge_reports(const std::vector<NamedReport>& reports, bool force) {
  if (reports.empty()) return fail(Errc::usage, "no report to merge");
  CheckReport merged;
  TIEBREAK_TRY(context, merged_context(reports, force, merged.op_hashes));
  TIEBREAK_TRY(parts, joined_parts(reports, force));
  merged.context = context;
  if (!parts && std::ranges::all_of(reports, [](const NamedReport& one) { return one.report.part.has_value(); })) note_despite(merged, "selection");
  std::map<std::string, Origin> cases;
  merged.allow_unsupported = true;
  for (const NamedReport& one : reports) merged.models.insert(merged.models.end(), one.report.models.begin(), one.report.models.end());
  for (const NamedReport& one : reports) {
    merged.allow_unsupported = merged.allow_unsupported && one.report.allow_unsupported;
    // What was not reached is listed as such, and may be in another report. Where nothing is listed, nothing is known.
    if (one.report.incomplete && std::ranges::none_of(one.report.cases, unreached)) merged.incomplete = true;
    for (const CaseReport& test : one.report.cases) {
      auto [place, is_new] = cases.try_emplace(test.id, Origin{&test, &one.name});
      if (is_new || unreached(test)) continue;
      Origin& known = place->second;
      if (std::string differs = what_differs(*known.test, test); !unreached(*known.test) && !differs.empty())
        return fail(Errc::corrupt, "the case " + test.id + " is in two reports, with " + differs, *known.file + ", " + one.name,
                    "a backend that answers the same question twice in two ways is itself a finding; leave one of the reports out");
      if (unreached(*known.test)) known = {&test, &one.name};
    }
  }
  for (const auto& [id, origin] : cases) {
    merged.cases.push_back(*origin.test);
    merged.incomplete = merged.incomplete || unreached(*origin.test);
  }
  std::vector<const CheckReport*> all;
  for (const NamedReport& one : reports) all.push_back(&one.report);
  merged.causes = merged_causes(all, merged.cases);
  if (parts) put_in_order(*parts, merged);
  return merged;
}

std::vector<std::string> merge_warnings(const std::vector<NamedReport>& reports) {
  const auto parts = joined_parts(reports, true);
  if (parts && *parts && (*parts)->is_whole()) return {};  // however the run was divided
  std::set<std::string> present;
  std::set<std::uint64_t> totals;
  for (const NamedReport& one : reports) {
    for (const std::string& shard : shards_of(one.report)) {
      std::size_t slash = shard.find('/');
      std::uint64_t total = 0;
      if (slash == std::string::npos) continue;
      if (std::from_chars(shard.data() + slash + 1, shard.data() + shard.size(), total).ec != std::errc{}) continue;
      present.insert(shard);
      totals.insert(total);
    }
  }
  constexpr std::uint64_t most_named = 1000;
  std::vector<std::string> warnings;
  if (parts && *parts) {
    const JoinedParts& joined = **parts;
    warnings.push_back(std::to_string(joined.selected - joined.places.size()) + " of " + std::to_string(joined.selected) + " cases are in no report");
  }
  if (totals.size() > 1) warnings.emplace_back("the reports are shards of different divisions");
  if (totals.size() != 1 || *totals.begin() > most_named) return warnings;
  // Shards are counted from 1 by people and from 0 by some systems: the names say which.
  const std::string all = std::to_string(*totals.begin());
  const std::uint64_t first = present.contains("0/" + all) ? 0 : 1;
  for (std::uint64_t i = first; i < first + *totals.begin(); ++i) {
    if (std::string shard = std::to_string(i) + "/" + all; !present.contains(shard)) warnings.push_back("no report for shard " + shard);
  }
  return warnings;
}

}  // namespace tiebreak
