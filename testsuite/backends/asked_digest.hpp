// SPDX-License-Identifier: Apache-2.0
// What a backend was asked, as a digest: the same question has the same one, whatever the case is called and whatever is expected.
#pragma once
#include <string>

#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// SHA-256 over op, version, attributes, program, inputs (names, types, bytes) and the names, types and shapes of the outputs that are wanted, laid out as
/// in a request. Not over the case's id, the profile, and what a page calls the operands.
Result<std::string> asked_digest(const ExchangeCase& request);
/// SHA-256 over an answer as a response has it, without its id and its reason.
Result<std::string> answer_digest(const ExchangeCase& answer);

}  // namespace tiebreak
