// SPDX-License-Identifier: Apache-2.0
// Any text as one of the small JSON files beside a run: expected failures, what failed last, a report to run again, the manifest of golden
// files. And as JSON itself: what early_text finds without reading on is what the whole text has.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/check/baseline.hpp"
#include "testsuite/check/earlier_run.hpp"
#include "testsuite/fuzz/input_file.hpp"
#include "testsuite/golden/golden_files.hpp"
#include "testsuite/text/json_value.hpp"

namespace {

template <class Value>
void check(const tiebreak::Result<Value>& read) {
  if (!read && (read.error().what.empty() || read.error().where.empty())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  static InputFile file("record.json");
  const std::string& path = file.holding(data, size);
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto root = parse_json(text, "fuzz.json");
  check(root);
  if (const std::string early = early_text(text, "op"); root && !early.empty() && text_or_empty(*root, "op") != early) std::abort();
  check(read_baseline(path));
  check(cases_of_report(path, {CaseStatus::fail}));
  check(last_failures(path, "fuzz", 0));
  const auto manifest = read_manifest(path);
  check(manifest);
  if (manifest) {
    const std::string written = manifest_text(*manifest);
    const auto again = read_manifest(file.holding(reinterpret_cast<const std::uint8_t*>(written.data()), written.size()));
    if (!again || manifest_text(*again) != written) std::abort();
  }
  return 0;
}
