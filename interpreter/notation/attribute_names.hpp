// SPDX-License-Identifier: Apache-2.0
// Attributes that sources call like words of the notation: a page declares `min_` where programs say `min`.
#pragma once
#include <string>

namespace tiebreak::notation {

/// What programs call an attribute that a page declares under this name: the same, without the underscore behind a word of the notation.
std::string program_name(const std::string& declared);

}  // namespace tiebreak::notation
