// SPDX-License-Identifier: Apache-2.0
// Which entries of a report's context a verdict rests on: two reports that differ in one of them are not of one run.
#pragma once
#include <string>

namespace tiebreak {

/// Whether reports of one run have the same value for this key. Pages are not among them: op by op, they have hashes.
bool rests_on(const std::string& key);

}  // namespace tiebreak
