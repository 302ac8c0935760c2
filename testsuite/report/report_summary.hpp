// SPDX-License-Identifier: Apache-2.0
// What every page for people says of a report: the verdict, counts by op and type, causes, reasons.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "testsuite/check/check.hpp"

namespace tiebreak {

/// Cases of one op and type. `known` are expected failures and stale ones, `other` those not run, the invalid ones and those in which nothing was compared.
struct CellCounts {
  std::size_t conform = 0, fail = 0, known = 0, unsupported = 0, inconclusive = 0, other = 0;
  std::size_t first_failing = 0;  ///< index of a case, if fail > 0
  std::size_t total() const { return conform + fail + known + unsupported + inconclusive + other; }
};

struct ReportVerdict {
  enum class Kind : std::uint8_t { conforms, differs, unclear } kind = Kind::unclear;
  std::string word;      ///< Conforms, Differs, Inconclusive ...
  std::string sentence;  ///< demo 1.2 differs from profile onnx under policy exact in 3 of 12 cases
};

struct ReasonGroup {
  std::string reason;
  std::vector<const CaseReport*> cases{};
};

ReportVerdict verdict_of(const CheckReport& report);
/// op -> type -> counts; the type of a case that has none is "".
std::map<std::string, std::map<std::string, CellCounts>> op_type_counts(const CheckReport& report);
CellCounts sum_of(const std::map<std::string, CellCounts>& row);
/// Cases of a status by reason, the largest group first.
std::vector<ReasonGroup> by_reason(const CheckReport& report, CaseStatus status);
std::vector<ReasonGroup> by_reason(const std::vector<const CaseReport*>& cases);
/// Failing cases by the word of their cause; the largest group first.
std::vector<ReasonGroup> by_cause(const CheckReport& report);
std::vector<const CaseReport*> cases_of(const CheckReport& report, CaseStatus status);
/// `not_run` as `not run`.
std::string spoken_status(CaseStatus status);

}  // namespace tiebreak
