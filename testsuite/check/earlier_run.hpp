// SPDX-License-Identifier: Apache-2.0
// What is known of an earlier run, in order to run some of its cases again: from its report, or from the small file that keeps failures.
#pragma once
#include <set>

#include "testsuite/check/check.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {

struct EarlierCases {
  std::vector<std::string> sources{};  ///< of the cases, in their order, each once
  std::set<std::string> ids{};
  std::optional<std::uint64_t> seed{};  ///< they were made with
};

/// Words of statuses, separated by commas; `all` are all. An unknown one is an error with the nearest.
Result<std::set<CaseStatus>> parse_statuses(const std::string& text);
/// The cases of a report (tiebreak.report/1) that have one of the statuses.
Result<EarlierCases> cases_of_report(const std::string& path, const std::set<CaseStatus>& statuses);

/// What failed, or did not answer, when it was last run with this backend, and with this seed where one is given. A file that does not
/// exist yet has no cases; failures of several seeds cannot be made together and are an error.
Result<EarlierCases> last_failures(const std::string& path, const std::string& backend, std::optional<std::uint64_t> wanted_seed);
/// Takes a run in: what fails now is added, what does not is removed, what did not run stays as it was.
Status remember_failures(const std::string& path, const std::string& backend, std::uint64_t seed, const CheckReport& report);

/// Selects these cases. Without sources of its own the selection takes theirs, and their seed.
void select_again(const EarlierCases& earlier, bool seed_is_given, Selection& selection);

}  // namespace tiebreak
