// SPDX-License-Identifier: Apache-2.0
// QLinearAdd, QLinearMul and the ops behind tables of 256 codes, as ONNX Runtime's kernels and XNNPACK's compute them, in plain machine floats and integers.
// Compiled without contraction: every operation written is one IEEE operation, fused ones are written as such.
#pragma once
#include <cstdint>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

struct QLinearBinaryParameters {
  float a_scale = 1;
  std::int64_t a_zero_point = 0;
  float b_scale = 1;
  std::int64_t b_zero_point = 0;
  float c_scale = 1;
  std::int64_t c_zero_point = 0;
};

enum class AddKernel : std::uint8_t { sse, avx2, neon, scalar, unfused, twenty_digits };
enum class MultiplyKernel : std::uint8_t { after_rounding, unfused_steps, two_roundings, one_rounding, scalar };

/// An operand that is one value for a whole row of the other: the vector kernels add it to their constant first.
enum class Lone : std::uint8_t { neither, a, b };

/// Codes of both operands to the code of the sum.
std::int64_t add_codes(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range, AddKernel kernel, Lone lone = Lone::neither);
std::int64_t multiply_codes(std::int64_t a, std::int64_t b, const QLinearBinaryParameters& p, CodeRange range, MultiplyKernel kernel);

struct UnaryParameters {
  float x_scale = 1;
  std::int64_t x_zero_point = 0;
  float y_scale = 1;
  std::int64_t y_zero_point = 0;
};

std::int64_t sigmoid_code(std::int64_t x, const UnaryParameters& p, CodeRange range);
std::int64_t leaky_relu_code(std::int64_t x, float alpha, const UnaryParameters& p, CodeRange range);
/// The same real value in another scale: QLinearConcat and QLinearWhere.
std::int64_t rescaled_code(std::int64_t x, const UnaryParameters& p, CodeRange range);

}  // namespace tiebreak::oracle
