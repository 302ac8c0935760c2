// SPDX-License-Identifier: Apache-2.0
// What is made of a report after the run: pages for people, stored reports read back, shards joined, two runs compared.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "testsuite/check/check.hpp"

namespace tiebreak {

/// One page that needs nothing else: no script, no network. Below `html_limit` bytes whatever the report has; what is cut is counted.
std::string report_html(const CheckReport& report);
constexpr std::size_t html_limit = 2'000'000;

/// A comment for a pull request, below `markdown_limit` bytes.
std::string report_markdown(const CheckReport& report);
constexpr std::size_t markdown_limit = 60'000;

/// tiebreak.report/1 as report_json writes it. Anything else, and a report that contradicts itself, is an error with its place.
Result<CheckReport> parse_report(const std::string& text, const std::string& file);
Result<CheckReport> read_report(const std::string& path);

struct NamedReport {
  std::string name;  ///< file, for messages
  CheckReport report;
};

/// Shards of one run as one report, cases by id, or in the order of the selection where every report says which part of it it is: then all parts
/// together are the report of a single run (divided by cases but for causes), and with one missing the result is incomplete. Reports of different tools, pages,
/// profiles, policies, seeds, backends or selections are refused, unless `force`: then the context says so. A case that two of them have must have the same
/// verdict and values; one not reached gives way.
Result<CheckReport> merge_reports(const std::vector<NamedReport>& reports, bool force);
/// What a reader of merged shards should know: `12 of 40 cases are in no report`, `no report for shard 3/4`.
std::vector<std::string> merge_warnings(const std::vector<NamedReport>& reports);

/// What failed, as tables in Markdown: a section for each report, a line for each failing case with its smallest input, values, cause and command.
std::string bugs_markdown(const std::vector<NamedReport>& reports);
/// A document with the part between its marks replaced; without marks it is the part alone.
Result<std::string> with_bugs(const std::string& document, const std::string& part, const std::string& file);

struct CaseChange {
  enum class Kind : std::uint8_t {
    newly_failing,  ///< judged to fail, and did not before
    lost,           ///< conformed, and is not judged any more
    worse,          ///< fails as before, in further elements or by more
    changed,        ///< other values, or another status, that are neither better nor worse
    better,         ///< fails as before, in fewer elements or by less
    fixed,          ///< conforms, and did not before
    added,
    removed,
  } kind = Kind::changed;
  std::string id;
  std::string before, after;         ///< statuses; "" if the case is not there
  std::vector<std::string> lines{};  ///< what changed, element by element
  bool worse() const { return kind <= Kind::worse; }
};
const char* to_word(CaseChange::Kind kind);

struct ReportDifference {
  std::vector<std::string> contexts{};  ///< `profile: onnx, now onnxruntime-x64`
  std::vector<CaseChange> changes{};    ///< the worst first, then by id
  std::size_t unchanged = 0;
  bool worse() const;
};
/// `show`: elements listed for each output.
ReportDifference diff_reports(const CheckReport& before, const CheckReport& after, std::size_t show);
std::string difference_text(const ReportDifference& difference);
std::string difference_json(const ReportDifference& difference);  ///< tiebreak.report-diff/1

/// `show`: mismatches of each output; `width`: columns that tables may take.
std::string report_text(const CheckReport& report, bool colour, std::size_t show, std::size_t width = 120);
std::string report_json(const CheckReport& report);  ///< tiebreak.report/1
std::string report_junit(const CheckReport& report);
/// `12 cases: 11 conform, 1 fail`: every status that occurs.
std::string counts_text(const CheckReport& report);

}  // namespace tiebreak
