// SPDX-License-Identifier: Apache-2.0
// Pictures within the page: SVG without script, font or colour of its own; the page's style colours them for light and dark.
#pragma once
#include <string>

#include "testsuite/compare/compare.hpp"

namespace tiebreak {

/// Bars: how many elements are off by how much, from the most negative to the most positive, the special ones last.
std::string histogram_svg(const Comparison& comparison);

/// Where they lie, and the sentence below it. From the grid of all; in reports without one from the kept ones, and then it says so.
std::string places_svg(const Comparison& comparison);
std::string places_caption(const Comparison& comparison);

}  // namespace tiebreak
