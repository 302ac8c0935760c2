// SPDX-License-Identifier: Apache-2.0
// Ops that cannot be asked one element at a time (reductions, windows, rows, blocks): their existing cases are the questions.
#pragma once
#include "testsuite/identify/identify.hpp"

namespace tiebreak {

/// The cases of one op that this installation has, beside those in `further` folders: ids by hash, until there are `elements`.
Result<std::vector<Case>> cases_for_identify(const Library& library, const std::string& op, const std::vector<std::string>& further, std::size_t elements);

/// The semantics that explains every answer of the backend to the cases. What the backend refuses is left out, with its reasons.
Result<Identification> identify_by_cases(const Library& library, Backend& backend, const IdentifyOptions& options, const std::vector<Case>& cases);

}  // namespace tiebreak
