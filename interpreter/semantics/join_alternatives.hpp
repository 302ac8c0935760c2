// SPDX-License-Identifier: Apache-2.0
// Alternatives that stand in a system's page join the choices of other pages.
#pragma once
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Behind a choice's own alternatives, the first of which is the page's reading, come those of other pages by the pages' names and their places.
void join_alternatives(Library& library, std::vector<Error>& findings);

}  // namespace tiebreak
