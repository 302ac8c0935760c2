// SPDX-License-Identifier: Apache-2.0
// ONNX's elementwise operators on what the machine has: integers of 8 bits, f32, and long doubles for real functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tiebreak::oracle::onnx {

/// Add Sub Mul Div Mod BitwiseAnd BitwiseOr BitwiseXor of i8 or u8; nothing for a division by zero.
std::optional<std::int64_t> of_bytes(const std::string& op, std::int64_t a, std::int64_t b, bool is_signed);
/// Equal Less LessOrEqual Greater GreaterOrEqual.
bool compares(const std::string& op, float a, float b);
/// And Or Xor.
bool joins(const std::string& op, bool a, bool b);
/// Add Sub Mul Div Mod (fmod) PRelu: one machine operation.
float of_floats(const std::string& op, float a, float b);
/// Abs Ceil Floor Round Neg Sign Log Cos Sin Tan Elu Celu Selu Mish Softplus Softsign Swish ThresholdedRelu; `alpha` where the op has one.
float unary_of(const std::string& op, float x, float alpha);

/// ReduceSum ReduceL1 ReduceL2 ReduceSumSquare ReduceProd ReduceLogSum ReduceLogSumExp ReduceMean of a line.
float reduced(const std::string& op, const std::vector<float>& line);
/// ReduceSum ReduceL1 ReduceSumSquare ReduceProd, modulo 2^32.
std::int32_t reduced(const std::string& op, const std::vector<std::int32_t>& line);
/// LogSoftmax Hardmax RMSNormalization (scale 1) of a line.
std::vector<float> line_of(const std::string& op, const std::vector<float>& line, float epsilon);
/// Place of the greatest, or the least, element: of equal ones the first or the last.
std::int64_t place_of(const std::vector<float>& line, bool greatest, bool last);

}  // namespace tiebreak::oracle::onnx
