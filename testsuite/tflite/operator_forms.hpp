// SPDX-License-Identifier: Apache-2.0
// The operators of family `tflite` (interpreter/lite/operators.hpp), and how a model is written that reaches the builtin kernel.
#pragma once
#include <span>
#include <string_view>

#include "interpreter/lite/operators.hpp"

namespace tiebreak::tflite {

/// What makes the XNNPACK delegate decline, so that the builtin kernel runs.
enum class Decline : std::uint8_t {
  nothing,           ///< not known, or not needed
  ranks,             ///< seven dimensions
  activation,        ///< one that kernels ignore
  float_activation,  ///< the same, needed of floats alone
  beta,              ///< of codes seven dimensions, of floats a factor that is not 1
  runtime_filter,    ///< a filter that is no constant
  runtime_numbers,   ///< sizes, axes or paddings that are no constants
};

/// Beyond which ratios of scales the delegate declines. Not every host says which kernel ran.
enum class ScaleLimit : std::uint8_t {
  none,
  sum,      ///< each operand's to the result's from 2^-10 to 2^8
  product,  ///< that of the product from 2^-16 to 2^8
  slopes,   ///< both factors of LEAKY_RELU from 2^-8 to 2^7
  factor,   ///< input times filter to the result's below 2^8; from there up LiteRT answers with memory that nothing wrote
};

struct OperatorForm : OperatorSchema {
  Decline decline;
  int int8_version = 2;  ///< what models with int8 state; kernels do not look at it
  int filter = -1;       ///< the operand with the weights, which is a constant for the delegate
  int bias = -1;         ///< the operand whose scale is the product of those of its tensor and the filter
  ScaleLimit limit = ScaleLimit::none;
  unsigned states = 0;         ///< a bit for each operand that the runtime keeps between calls
  unsigned data = 0;           ///< a bit for each operand that the host gives even where it has whole numbers without parameters
  int version = 1;             ///< the version of models without int8 operands
  int activation_version = 0;  ///< that of models with a fused activation, where it is another one
  unsigned constants = 0;      ///< a bit for each operand that kernels read before the model runs

  bool is_state(std::size_t position) const { return position < 32 && (states >> position & 1U) != 0; }
  bool is_constant(std::size_t position) const { return position < 32 && (constants >> position & 1U) != 0; }
};

std::span<const OperatorForm> operator_forms();

}  // namespace tiebreak::tflite
