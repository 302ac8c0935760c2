// SPDX-License-Identifier: Apache-2.0
// Tensors as ONNX node tests keep them (input_0.pb).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

/// A serialized TensorProto; read_onnx_tensor_file reads it back. Deterministic.
Result<std::vector<std::byte>> write_onnx_tensor(const Tensor& tensor, const std::string& name);

}  // namespace tiebreak
