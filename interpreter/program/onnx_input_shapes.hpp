// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// The shapes that an ONNX file states for its inputs, by name, with open_dimension where it leaves an extent open: a program has only types that are closed.
/// Without those of which it does not even state the rank. Errors as of read_onnx_file.
Result<std::map<std::string, Shape>> onnx_input_shapes(const std::string& path);

}  // namespace tiebreak
