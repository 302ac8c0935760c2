// SPDX-License-Identifier: Apache-2.0
// Attributes as TVM writes them: layouts as words of letters (NCHW, HWIO), lists of two that may be one number, padding of 1, 2 or 4 numbers.
#pragma once
#include <string>
#include <vector>

#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

/// Dimensions by role. A kernel's batch is its output features (O), its feature the input features (I).
struct Roles {
  std::size_t batch, feature;
  std::vector<std::size_t> spatial;
};
/// The layout word of an attribute; `letters` names batch, feature, rows, columns. Absent and empty: the fallback.
Result<Roles> layout_roles(const StructureRequest& request, const std::string& attribute, const std::string& fallback, const std::string& letters);

/// Two numbers, one of which may stand for both; each at least `least`.
Result<Shape> two_of(const StructureRequest& request, const std::string& name, const Shape& fallback, std::int64_t least);

struct Padding {
  Shape low, high;
};
/// `padding`: one number, (rows, columns), or (top, left, bottom, right).
Result<Padding> padding_of(const StructureRequest& request);

}  // namespace tiebreak::structure
