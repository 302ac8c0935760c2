// SPDX-License-Identifier: Apache-2.0
#include "testsuite/bench/peer_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tiebreak {
namespace {

constexpr const char* own = "Tiebreak";
constexpr const char* prefix = "peers/";

double counter_or(const benchmark::BenchmarkReporter::Run& run, const char* name, double otherwise) {
  const auto found = run.counters.find(name);
  return found == run.counters.end() ? otherwise : found->second.value;
}

}  // namespace

void PeerTable::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    if (!name.starts_with(prefix) || run.run_type != Run::RT_Iteration) continue;
    const std::size_t slash = name.rfind('/'), start = std::string_view(prefix).size();
    const std::string computation = name.substr(start, slash - start);
    auto row = std::ranges::find(rows_, computation, &Row::name);
    if (row == rows_.end()) row = rows_.insert(rows_.end(), {computation, {}});
    row->by[name.substr(slash + 1)] =
        run.error_occurred ? Entry{0, -1, run.error_message} : Entry{counter_or(run, "rate", 0), counter_or(run, "peak_MiB", -1), run.report_label};
  }
}

void PeerTable::Finalize() {
  ConsoleReporter::Finalize();
  if (rows_.empty()) return;
  std::string text = fmt::format("\n{:<28} {:<11} {:>10} {:>7} {:>9}  {}\n", "computation", "by", "G/s", "ratio", "peak MiB", "values");
  for (const Row& row : rows_) {
    const auto mine = row.by.find(own);
    for (const auto& [library, entry] : row.by) {
      const bool has_ratio = library != own && mine != row.by.end() && mine->second.rate > 0 && entry.rate > 0;
      text += fmt::format("{:<28} {:<11} {:>10} {:>7} {:>9}  {}\n", row.name, library, entry.rate > 0 ? fmt::format("{:.4g}", entry.rate / 1e9) : "-",
                          has_ratio ? fmt::format("{:.3g}", mine->second.rate / entry.rate) : "", entry.peak >= 0 ? fmt::format("{:.1f}", entry.peak) : "-",
                          entry.word);
    }
  }
  GetOutputStream() << text << "ratio: Tiebreak's rate by the other's\n";
}

}  // namespace tiebreak
