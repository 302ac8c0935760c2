// SPDX-License-Identifier: Apache-2.0
// Texts taken apart and put together.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tiebreak {

/// Without blanks and tabs at either end.
std::string_view trimmed(std::string_view text);
/// The same of a line that may still have its carriage return.
std::string_view trimmed_line(std::string_view line);
/// `a, b, c` where ", " stands between.
std::string joined_words(const std::vector<std::string>& words, const std::string& between);

}  // namespace tiebreak
