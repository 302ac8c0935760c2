// SPDX-License-Identifier: Apache-2.0
// Several reports as one table: a column for each backend and profile, a row for each op.
#pragma once
#include <string>
#include <vector>

#include "testsuite/report/report.hpp"

namespace tiebreak {

/// What all cases of one op say of one backend, in the order in which they decide.
struct OpVerdict {
  enum class Kind : std::uint8_t { differs, inconclusive, conforms, skipped } kind = Kind::skipped;
  std::int64_t different = 0;    ///< elements that count against the backend
  std::int64_t compared = 0;     ///< elements
  bool known = true;             ///< whether the baseline lists every case that differs
  std::size_t inconclusive = 0;  ///< cases
  std::size_t skipped = 0;       ///< cases: unsupported, not run, or nothing to compare
  void add(const CaseReport& result);
};

/// `conforms 12800`, `differs 3 of 120`, `differs 3 of 120, known`, `inconclusive 2`, `.` where nothing was judged.
std::string to_text(const OpVerdict& verdict);

/// Reports of one backend, profile and instruction set share a column. What is wider than `width` stands below, in further tables. Ops that one of
/// several backends alone takes, and to which it conforms, are named in a paragraph instead of a row.
std::string report_table(const std::vector<NamedReport>& reports, std::size_t width);

}  // namespace tiebreak
