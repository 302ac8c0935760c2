// SPDX-License-Identifier: Apache-2.0
// Tensors as the library has them (packed sub-byte elements) and as Tiebreak has them (one element a byte at least).
#pragma once
#include "interpreter/tensor/tensor.hpp"
#include "tools/adapters/onnxruntime/ort_library.hpp"

namespace tiebreak::ort {

/// Number of ONNX TensorProto.DataType, 0 for types that ONNX has not.
int type_number(const ElementType& element);
Result<RawTensor> to_raw(const Tensor& tensor);
Result<Tensor> from_raw(const RawTensor& raw, const std::string& where);

}  // namespace tiebreak::ort
