// SPDX-License-Identifier: Apache-2.0
// MLIR text line by line, by its form alone: code, comment, names of values. For texts that may be no MLIR at all.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tiebreak {

struct MlirLine {
  std::string text;     ///< as it stands
  std::string code;     ///< before the comment, trimmed
  std::string comment;  ///< behind the slashes, trimmed
  bool is_comment = false;
  bool blank() const { return code.empty() && !is_comment; }
};
std::vector<MlirLine> mlir_lines(std::string_view text);

/// Opening less closing brackets outside of strings; `//` ends the text.
int bracket_balance(std::string_view text, std::string_view opening, std::string_view closing);
/// The names after '%', in order: result, result#0. `%r:2 =` gives r.
std::vector<std::string> value_names(std::string_view code);
/// What stands before the `=` of a statement: `%a, %r:2 =` gives a, r, r#0, r#1.
std::vector<std::string> defined_names(std::string_view code);

}  // namespace tiebreak
