// SPDX-License-Identifier: Apache-2.0
// docs/cast-atlas.md: every pair of element types, every profile that says something of conversions, and on how many inputs it leaves the
// text.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The same pages and profiles give the same bytes.
Result<std::string> make_cast_atlas(const Library& library, int jobs);

}  // namespace tiebreak
