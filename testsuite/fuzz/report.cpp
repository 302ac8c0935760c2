// SPDX-License-Identifier: Apache-2.0
// Any text as a stored report: refused, or read, shown in every form, and written so that it reads back and is written the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/report/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 16) return 0;  // longer texts are slow, not different
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto report = parse_report(text, "fuzz.json");
  if (!report) {
    if (report.error().what.empty() || report.error().where.empty()) std::abort();
    return 0;
  }
  const std::string written = report_json(*report);
  const auto again = parse_report(written, "again.json");
  if (!again || report_json(*again) != written) std::abort();
  report_text(*report, true, 3);
  report_junit(*report);
  if (report_html(*report).size() > html_limit || report_markdown(*report).size() > markdown_limit) std::abort();
  bugs_markdown({{"fuzz", *report}});
  if (diff_reports(*report, *again, 3).worse()) std::abort();
  if (const auto merged = merge_reports({{"fuzz", *report}, {"again", *again}}, true); !merged && merged.error().what.empty()) std::abort();
  return 0;
}
