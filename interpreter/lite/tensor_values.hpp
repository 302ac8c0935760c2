// SPDX-License-Identifier: Apache-2.0
// Tensors of a model as values of a program.
#pragma once
#include "interpreter/lite/model.hpp"
#include "interpreter/program/program.hpp"

namespace tiebreak::tflite {

/// Parameters of narrow integers become a quantized type. Integers of 32 bits and more are plain: kernels take their scale from other tensors.
Result<TensorType> type_of(const ModelTensor& tensor, const std::string& where);
/// A value of the tensor's type, its data where it is a constant. `name` is to be used as it is.
Result<ProgramValue> value_of(const ModelTensor& tensor, std::string name, const std::string& where);
/// What a runtime keeps in a variable before the first call: codes of zero.
Result<Tensor> first_state(const TensorType& type, const std::string& where);

}  // namespace tiebreak::tflite
