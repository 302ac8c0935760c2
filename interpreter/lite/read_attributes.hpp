// SPDX-License-Identifier: Apache-2.0
// Options of an operator as attributes of its page.
#pragma once
#include "interpreter/lite/operators.hpp"
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak::tflite {

/// What a file leaves out is what the format means by that. `hybrid`: floats meet codes.
Result<AttributeMap> attributes_of(const OperatorSchema& schema, const Options& options, bool hybrid, const std::string& where);
/// The numbers that RESHAPE has in its options; empty where it has none.
std::vector<std::int32_t> shape_in_options(const OperatorSchema& schema, const Options& options);

}  // namespace tiebreak::tflite
