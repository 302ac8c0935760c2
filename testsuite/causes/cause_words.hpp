// SPDX-License-Identifier: Apache-2.0
// What a cause means, said from the two formulas that part: `rounds halves up where the profile rounds them away from zero`.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// `key` is a choice as profiles name it; `expected` and `found` are what is bound there, an alternative's name or a condition over some.
/// Where the two formulas differ in one rounding, one conversion or one value, that difference is said; else both formulas are shown.
std::string clause_words(const Library& library, const std::string& key, const std::string& expected, const std::string& found);

}  // namespace tiebreak
