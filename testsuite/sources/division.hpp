// SPDX-License-Identifier: Apache-2.0
// A selection divided into parts, and what a report of one part says of the whole, so that the parts can be put together again.
#pragma once
#include <string>
#include <vector>

#include "testsuite/sources/load_cases.hpp"
#include "testsuite/sources/shard.hpp"

namespace tiebreak {

/// Which of `ids`, all that is selected, the shard has; empty, which is all, where it is the whole. Each id is in exactly one of the shards of a total.
/// By cases that is decided by the id alone. By ops the cases of an op stay together: ops go, the largest first, each to the shard that has the fewest
/// cases so far, so it depends on which ids there are, and never on their order.
CaseFilter part_of(const std::vector<std::string>& ids, const Shard& shard);

/// The places of a part's cases in the whole selection.
struct PlacesOfPart {
  std::size_t selected = 0;           ///< cases of the whole selection
  std::string digest{};               ///< of their ids, in their order: 16 hexadecimal digits
  std::vector<std::size_t> places{};  ///< of each case of the part, from 0
};
/// `part`: ids of cases of the part, each among `ids`. Errc::internal for one that is not.
Result<PlacesOfPart> places_of_part(const std::vector<std::string>& ids, const std::vector<std::string>& part);

}  // namespace tiebreak
