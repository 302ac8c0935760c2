// SPDX-License-Identifier: Apache-2.0
// The failing cases of a run, op by op: their common causes, and each case's own diagnosis by them.
#pragma once
#include <map>

#include "testsuite/check/check.hpp"

namespace tiebreak {

struct CauseSearch {
  Semantics expected;
  std::string declared{};
  const std::vector<Fusion>* fusions = nullptr;
  int jobs = 1;  ///< ops at the same time; never changes a result
  std::function<bool()> interrupted{};
};

/// `failing`: by place in report.cases, of cases whose status is `fail`. `cases`: what report.cases are about, in the same order;
/// conforming ones among them must not contradict a cause. Fills report.causes and the diagnosis of every failing case.
void find_causes(const CauseSearch& search, const std::vector<const Case*>& cases, const std::map<std::size_t, FailingCase>& failing, CheckReport& report);

}  // namespace tiebreak
