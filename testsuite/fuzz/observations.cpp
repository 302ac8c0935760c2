// SPDX-License-Identifier: Apache-2.0
// Any text as a log of what somebody observed: evidence that every profile can be held against, or one error.
#include <cstdint>
#include <cstdlib>

#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/identify/observed_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 14) return 0;  // longer texts are slow, not different
  static InputFile file("observations.json");
  const auto log = read_observations(spec_folder(), {}, file.holding(data, size));
  if (!log) {
    check_error(log.error());
    return 0;
  }
  const auto profile = spec_folder().find_profile("onnx");
  if (!profile || log->parts.empty()) std::abort();
  for (const LoggedPart& part : log->parts) {
    const Fit fit = part.evidence.fit(**profile);
    if (fit.explained + fit.undefined > fit.of || fit.of > part.evidence.elements()) std::abort();
  }
  return 0;
}
