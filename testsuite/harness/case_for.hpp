// SPDX-License-Identifier: Apache-2.0
// "for" in a case file: one entry that stands for many, a case for each combination of its words.
#pragma once
#include "testsuite/harness/json_value.hpp"

namespace tiebreak {

/// The entry itself, or its copies with every `$word` replaced by one of the word's values. At most 4096.
Result<std::vector<JsonValue>> expand_entry(const JsonValue& entry);

}  // namespace tiebreak
