// SPDX-License-Identifier: Apache-2.0
// A response held against its request: names, types, shapes. What does not fit is inconclusive, never a verdict.
#pragma once
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"

namespace tiebreak {

BackendAnswer inconclusive(std::string reason);
/// Whether the system itself says that nothing of its result is defined: it marks every element of every output. `reason` is why, then.
bool says_undefined(const BackendAnswer& answer);
/// One answer a case, in the order of the request. An error where the response as a whole makes no sense.
Result<std::vector<BackendAnswer>> check_response(const std::vector<ExchangeCase>& asked, ExchangeFile response);

}  // namespace tiebreak
