// SPDX-License-Identifier: Apache-2.0
// docs/atlas.md: every profile with its choices and sources, and how the profiles differ as scalar functions, counted over all inputs.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

struct AtlasFile {
  std::string name;  ///< atlas.md, atlas-requantize.svg
  std::string content;
};

/// The same pages and profiles give the same bytes.
Result<std::vector<AtlasFile>> make_atlas(const Library& library, int jobs);

}  // namespace tiebreak
