// SPDX-License-Identifier: Apache-2.0
// The operators of family `tflite` as the schema numbers them: their tables of options, and how a model is written that reaches the builtin kernel.
#pragma once
#include <span>
#include <string_view>

#include "testsuite/tflite/model.hpp"

namespace tiebreak::tflite {

enum class FieldKind : std::uint8_t {
  activation,   ///< NONE RELU RELU_N1_TO_1 RELU6
  padding,      ///< SAME VALID
  whole,        ///< int32
  truth,        ///< a byte
  real,         ///< f32
  result_type,  ///< that of the result, which the page has no attribute for
};

/// An attribute of the page, and the field of the operator's table that holds it.
struct FieldForm {
  std::string_view attribute;
  int number;
  FieldKind kind;
};

/// What makes the XNNPACK delegate decline, so that the builtin kernel runs.
enum class Decline : std::uint8_t {
  nothing,          ///< not known, or not needed
  ranks,            ///< seven dimensions
  activation,       ///< one that kernels ignore
  runtime_filter,   ///< a filter that is no constant
  runtime_numbers,  ///< sizes, axes or paddings that are no constants
};

/// Beyond which ratios of scales the delegate declines. Not every host says which kernel ran.
enum class ScaleLimit : std::uint8_t {
  none,
  sum,      ///< each operand's to the result's from 2^-10 to 2^8
  product,  ///< that of the product from 2^-16 to 2^8
  slopes,   ///< both factors of LEAKY_RELU from 2^-8 to 2^7
};

struct OperatorForm {
  std::string_view word;
  Builtin builtin;
  int table;  ///< of options; 0: none
  std::span<const FieldForm> fields;
  Decline decline;
  int int8_version = 2;  ///< what models with int8 state; kernels do not look at it
  int filter = -1;       ///< the operand with the weights, which is a constant for the delegate
  int bias = -1;         ///< the operand whose scale is the product of those of its tensor and the filter
  ScaleLimit limit = ScaleLimit::none;
};

std::span<const OperatorForm> operator_forms();

}  // namespace tiebreak::tflite
