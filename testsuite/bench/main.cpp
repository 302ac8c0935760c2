// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's own main, with a table beside its list where that goes to a console.
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "testsuite/bench/peer_table.hpp"

int main(int count, char** words) {
  const bool is_table =
      std::none_of(words, words + count, [](std::string_view word) { return word.starts_with("--benchmark_format=") && word != "--benchmark_format=console"; });
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
  tiebreak::PeerTable table(::isatty(STDOUT_FILENO) == 1);
  if (is_table) benchmark::RunSpecifiedBenchmarks(&table);
  else benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
