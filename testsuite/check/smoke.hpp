// SPDX-License-Identifier: Apache-2.0
// A run of seconds: of each op that the backend lists two cases that it takes. Only asking it tells which cases these are.
#pragma once
#include "testsuite/check/check.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {

/// Cases by the hash of their ids. Where the backend refuses all that were chosen of an op, the next ones are asked, up to a limit; what it
/// refused stands in the report only where it took nothing of that op. nullopt where nothing is selected.
Result<std::optional<CheckReport>> check_smoke(const Library& library, const Selection& selection, Backend& backend, const CheckOptions& options);

}  // namespace tiebreak
