// SPDX-License-Identifier: Apache-2.0
// What `ADAPTER describe` prints, as text and as a value.
#pragma once
#include <string>
#include <string_view>

#include "testsuite/backends/backend.hpp"

namespace tiebreak {

struct JsonValue;
class JsonWriter;

/// Reads the JSON of `describe`. Unknown and repeated keys are errors that name the nearest key.
Result<BackendDescription> parse_description(std::string_view text, const std::string& where);
/// The JSON, keys sorted, with a line end: parse_description reads it back.
std::string description_text(const BackendDescription& description);
/// The same object as a part of a larger document.
Result<BackendDescription> read_description(const JsonValue& json, const std::string& where);
void write_description(const BackendDescription& description, JsonWriter& json);

}  // namespace tiebreak
