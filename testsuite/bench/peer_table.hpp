// SPDX-License-Identifier: Apache-2.0
// Beside the list of benchmarks a table of those that were run by two libraries: `peers/COMPUTATION/SIZE/LIBRARY`.
#pragma once
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tiebreak {

class PeerTable : public benchmark::ConsoleReporter {
 public:
  explicit PeerTable(bool has_colours) : ConsoleReporter(has_colours ? OO_ColorTabular : OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  struct Entry {
    double rate = 0, peak = -1;  ///< operations or elements a second; MiB, below 0 where it is not known
    std::string word{};          ///< why there is none, or how the values compare
  };
  struct Row {
    std::string name;
    std::map<std::string, Entry> by{};  ///< library
  };
  std::vector<Row> rows_{};
};

}  // namespace tiebreak
