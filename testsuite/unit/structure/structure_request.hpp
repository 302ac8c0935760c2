// SPDX-License-Identifier: Apache-2.0
// Calls of a structure whose operands all stand on the structure line.
#pragma once
#include "interpreter/structure/structure.hpp"

namespace tiebreak {

inline TensorType f32(Shape shape) { return {ElementType(find_float_format("f32")), std::move(shape), {}}; }

inline StructureRequest request_of(std::string path, std::vector<StructureOperand> operands, const AttributeMap& attributes) {
  StructureRequest request{.path = std::move(path), .arguments = {}, .operands = operands, .attributes = &attributes, .op = "test", .where = "here"};
  for (const StructureOperand& operand : operands) request.arguments.push_back({.name = operand.name});
  return request;
}

}  // namespace tiebreak
