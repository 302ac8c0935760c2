// SPDX-License-Identifier: Apache-2.0
// Parts of the MLIR printer: literals and attributes as text that reads back to the same.
#pragma once
#include <string>

#include "interpreter/program/program.hpp"

namespace tiebreak::mlir {

std::string dense_text(const Tensor& tensor);  ///< dense<...> : tensor<...>, in the storage type
std::string attribute_text(const Attribute& attribute);
std::string quoted(const std::string& text);
/// `name = value, ...` of an operation; StableHLO's operations get their dialect's spellings.
std::string attributes_text(const Operation& operation);

}  // namespace tiebreak::mlir
