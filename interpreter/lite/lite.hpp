// SPDX-License-Identifier: Apache-2.0
// Models of TensorFlow Lite as programs: an operator becomes `tflite.NAME` with the operands and attributes that its page has, a tensor's parameters its
// quantized type, IF and WHILE operations with regions.
#pragma once
#include <span>
#include <string>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// A .tflite file. An operator that no page has is read, too, without attributes: whoever evaluates it says so. Custom operators are refused.
Result<Program> read_tflite(std::span<const std::byte> bytes, const std::string& file);
Result<Program> read_tflite_file(const std::string& path);
/// By its name.
bool is_tflite_path(const std::string& path);

}  // namespace tiebreak
