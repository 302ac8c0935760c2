// SPDX-License-Identifier: Apache-2.0
// A failing case made as small as it can be while it still fails in the same way: fewer operations, elements, attributes, simpler values.
#pragma once
#include <set>

#include "testsuite/check/check.hpp"

namespace tiebreak {

/// What must not change while a case is made smaller.
struct FailureKind {
  CaseStatus status = CaseStatus::conform;
  std::set<std::string> classes{};  ///< of differences: one step, several steps, nan ...; how a process ended
  bool is_failure() const { return status == CaseStatus::fail || status == CaseStatus::inconclusive; }
  /// Whether a case that fails in this way is an instance of that one.
  bool is_within(const FailureKind& whole) const;
  std::string text() const;
};
FailureKind kind_of(const CaseReport& report);

struct ReduceOptions {
  CheckOptions check{};      ///< profile, policy, engine, interruption
  std::size_t limit = 1000;  ///< questions put to the backend
};

struct Reduced {
  Case test;
  CaseReport report{};  ///< the verdict on it
  std::vector<ResultTensor> expected{};
  std::vector<ExchangeTensor> actual{};
  FailureKind kind{};                                    ///< of the case as it came
  std::int64_t elements_before = 0, elements_after = 0;  ///< of all inputs
  std::size_t questions = 0, steps = 0;
  bool limit_reached = false;
};

/// The same case, backend and options give the same result. A case that does not fail comes back as it is, with its verdict.
Result<Reduced> reduce(const Library& library, const Case& test, Backend& backend, const ReduceOptions& options);

}  // namespace tiebreak
