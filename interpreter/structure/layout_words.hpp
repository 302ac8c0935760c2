// SPDX-License-Identifier: Apache-2.0
// Attributes as TVM writes them: layouts as words of letters (NCHW, HWIO), lists with a number for each axis that may be one number, padding of one number, one
// for each axis, or two.
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
/// The layout word of an attribute; `letters` names batch, feature and the spatial ones, as rows, columns. Absent and empty: the fallback.
Result<Roles> layout_roles(const StructureRequest& request, const std::string& attribute, const std::string& fallback, const std::string& letters);

/// A number for each spatial axis; one may stand for all. Each at least `least`.
Result<Shape> for_each_axis(const StructureRequest& request, const std::string& name, std::size_t axes, std::int64_t fallback, std::int64_t least);

struct Padding {
  Shape low, high;
};
/// `padding`: one number, one for each axis (rows, columns), or first those before and then those behind (top, left, bottom, right).
Result<Padding> padding_of(const StructureRequest& request, std::size_t axes);

}  // namespace tiebreak::structure
