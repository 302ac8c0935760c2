// SPDX-License-Identifier: Apache-2.0
// The schema's TensorType, both ways.
#pragma once
#include <optional>
#include <string>

#include "interpreter/tensor/element_type.hpp"

namespace tiebreak::tflite {

/// Nothing where the format has no such type.
std::optional<int> number_of(const ElementType& element);
/// Nothing where the number is of no type of numbers.
std::optional<ElementType> element_of(int number);
/// STRING, for messages; the number where it has no word.
std::string type_word(int number);

}  // namespace tiebreak::tflite
