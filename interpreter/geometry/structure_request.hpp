// SPDX-License-Identifier: Apache-2.0
// What a structure line of a page asks for in one call: operands with their types, attributes, words.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/tensor/attribute.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// One operand that is present in the call.
struct StructureOperand {
  std::string name;
  TensorType type;
  const Tensor* tensor = nullptr;  ///< its elements, where they say what to read (gather)
};

/// Name of a member of a variadic operand.
std::string member_name(const std::string& operand, std::size_t number);

/// One argument of the structure line: an operand, or an attribute-like value (rows(x, axis), rows(x, axis by 32)).
struct StructureArgument {
  std::string name;        ///< operand name, or "" for positional values
  Shape values{};          ///< of an axes argument
  std::int64_t block = 0;  ///< of `axis by n`, 0: none; of `data by n`: elements in one entry of the last dimension
};

/// A number that a formula of the structure line gives (`at`, `extent`), for values of the names that the structure provides.
using StructureFormula = std::function<Result<Real>(const std::string& key, const std::map<std::string, Real>& names)>;

struct StructureRequest {
  std::string path;  ///< elementwise, dot.onnx ...
  std::vector<StructureArgument> arguments;
  std::vector<StructureOperand> operands;
  const AttributeMap* attributes;
  std::string op;  ///< for messages and constraint labels
  std::string where;
  std::vector<std::optional<TensorType>> results{};  ///< as the call states them: moves that take the result's shape
  std::size_t part = 0, parts = 1;                   ///< of a structure that gives several results: which of how many
  StructureFormula formula{};                        ///< empty where the line has no such formulas
  bool has_weight = false;                           ///< one of them says what a tap counts
};

}  // namespace tiebreak
