// SPDX-License-Identifier: Apache-2.0
// From a page's structure line and the shapes of a call to its geometry. Shape rules live here, so formulas know nothing of shapes.
#pragma once
#include <string>
#include <vector>

#include "interpreter/geometry/geometry.hpp"
#include "interpreter/geometry/structure_request.hpp"

namespace tiebreak {

/// The geometry with the accesses of the argument operands.
Result<Geometry> build_geometry(const StructureRequest& request);

/// Names of the structures there are.
std::vector<std::string> structure_names();

/// `[...]` of an operand's declaration, already evaluated.
struct ParameterIndex {
  std::string name;         ///< channel, row, axis ...
  std::int64_t axis = -1;   ///< of `axis`: normalised position in the first argument operand
  std::int64_t block = -1;  ///< of `by`: -1 none, 0 the whole dimension
};

/// Adds the access of a parameter operand (scales, zero points, bias) that varies over `indices` only.
/// Accepts one value, a vector over the index, or for blocked axes a tensor of the blocks. Errors say which length was expected.
Status add_parameter(Geometry& geometry, const StructureRequest& request, const StructureOperand& operand, const std::vector<ParameterIndex>& indices);

/// Access to the scale and zero point of a quantized tensor, from the access to its elements.
Access quantized_parameter_access(const Access& elements, const QuantizedType& type);

}  // namespace tiebreak
