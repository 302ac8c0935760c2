// SPDX-License-Identifier: Apache-2.0
// A log as CSV (RFC 4180): a header with the names of operands, results and attributes, a call in each line.
#pragma once
#include "interpreter/semantics/library.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {

/// One field with its place, file:line:column.
struct CsvField {
  std::string text;
  bool quoted = false;
  std::string where{};
};
/// Records of fields. Fields are parted by commas, records by LF or CRLF; a field in quotes may hold all of these, and "" is a quote. Every
/// record has as many fields as the first. Errc::syntax with line and column.
Result<std::vector<std::vector<CsvField>>> parse_csv(const std::string& text, const std::string& file);

/// The records as tiebreak.observations/1. Of an elementwise op, lines with equal parameters become one observation, so that they are
/// evaluated together. A header's name may state the element type: `acc:i32`.
Result<JsonValue> observations_of_csv(const Library& library, const std::string& op, const std::string& text, const std::string& file);

}  // namespace tiebreak
