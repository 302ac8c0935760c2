// SPDX-License-Identifier: Apache-2.0
// A program as the content of a file.
#pragma once
#include <string>

#include "interpreter/program/program.hpp"

namespace tiebreak::command {

/// An ONNX model where the file is called *.onnx, else MLIR text. Errors are those of write_onnx_model.
Result<std::string> file_content(const Program& program, const std::string& path);

}  // namespace tiebreak::command
