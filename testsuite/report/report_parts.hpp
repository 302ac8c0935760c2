// SPDX-License-Identifier: Apache-2.0
// Reports of parts of one selection put together in the order of the whole, so that all of them are the report of a single run.
#pragma once
#include <map>
#include <optional>

#include "testsuite/report/report.hpp"

namespace tiebreak {

/// What several parts have of one selection.
struct JoinedParts {
  std::size_t selected = 0;
  std::string digest{};
  std::map<std::string, std::size_t> places{};  ///< by id
  bool is_whole() const { return places.size() == selected; }
};

/// nullopt where a report does not say which part it is, or, only by `force`, where they are parts of different selections. Errc::usage where these differ
/// without force, Errc::corrupt where two reports say different things of one case or place.
Result<std::optional<JoinedParts>> joined_parts(const std::vector<NamedReport>& reports, bool force);

/// Puts the cases, whose ids all have places, in the order of the selection. Where some are missing the report says which it has, and is incomplete.
void put_in_order(const JoinedParts& parts, CheckReport& merged);

}  // namespace tiebreak
