// SPDX-License-Identifier: Apache-2.0
// Any text as a log in CSV: records of equal length, and evidence, or one error with its place.
#include <cstdint>
#include <cstdlib>

#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/identify/observations_csv.hpp"
#include "testsuite/identify/observed_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  const auto records = parse_csv(std::string(reinterpret_cast<const char*>(data), size), "observations.csv");
  if (!records) check_error(records.error());
  else
    for (const auto& record : *records)
      if (record.size() != records->front().size()) std::abort();
  static InputFile file("observations.csv");
  const auto log = read_observations(spec_folder(), {"quant.requantize", {}}, file.holding(data, size));
  if (!log) check_error(log.error());
  else if (!records || log->parts.empty()) std::abort();
  return 0;
}
