// SPDX-License-Identifier: Apache-2.0
// The operators of family `tflite` as the schema numbers them, with their tables of options: one table for reading and for writing.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/lite/model.hpp"

namespace tiebreak::tflite {

enum class FieldKind : std::uint8_t {
  activation,   ///< NONE RELU RELU_N1_TO_1 RELU6 TANH
  padding,      ///< SAME VALID
  mirroring,    ///< REFLECT SYMMETRIC
  whole,        ///< int32
  truth,        ///< a byte
  real,         ///< f32
  stated,       ///< a byte that is written even where the page's default holds: the format's is the other one
  float_truth,  ///< a byte that speaks of float operands, so that the operator with codes has no attribute for it
  result_type,  ///< that of the result, which the page has no attribute for
  bias_type,    ///< that of the bias; of int16 a bias of 32 bits has to be named
  new_shape,    ///< numbers that older models have here and not as an operand
  unread,       ///< it says what the types of the tensors say
  zero,         ///< nothing but 0 is described
};

/// An attribute of the page, and the field of the operator's table that holds it.
struct FieldForm {
  std::string_view attribute;
  int number;
  FieldKind kind;
  int otherwise = 0;  ///< what the format means where a file has no such field
};

struct OperatorSchema {
  std::string_view word;
  Builtin builtin;
  int table;  ///< of options; 0: none
  std::span<const FieldForm> fields;
  int axes = -1;                   ///< the operand that lists axes, which files may have as one number without a dimension
  bool has_intermediates = false;  ///< parameters of what it computes on the way stand in the file, too (intermediates.hpp)
};

/// The words of a field's numbers, 0 first; none where the kind has no words.
std::span<const std::string_view> words_of(FieldKind kind);

std::span<const OperatorSchema> operator_schemas();
/// nullptr: no such operator in the table.
const OperatorSchema* find_schema(std::string_view word);
const OperatorSchema* find_schema(Builtin builtin);
/// What the schema calls the operator of this number, whether the table has it or not; "" where no operator has it.
std::string_view builtin_word(int number);

}  // namespace tiebreak::tflite
