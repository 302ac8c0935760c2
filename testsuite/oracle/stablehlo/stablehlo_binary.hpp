// SPDX-License-Identifier: Apache-2.0
// StableHLO's quantized ops of two and three operands in machine floats and integers: the text (dequantize, op, quantize, every step in the expressed
// type) and the reference interpreter's integer lowering. f32 is the hardware's, f16 and bf16 are tables of all their values.
#pragma once
#include <cstdint>
#include <optional>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle::stablehlo {

enum class Expressed : std::uint8_t { f32, f16, bf16 };
enum class Reading : std::uint8_t { text, interpreter };

/// A uniform quantized type. The scale is the double that the type holds.
struct Uniform {
  double scale = 1;
  std::int64_t zero_point = 0;
  CodeRange range{};
  bool is_signed = true;
  int bits = 8;
};
/// Of one op: expressed type and reading are the same for all its tensors.
struct Arithmetic {
  Expressed expressed = Expressed::f32;
  Reading reading = Reading::text;
};

/// A double in the expressed type.
double in_expressed(double v, Expressed expressed);
double dequantize(std::int64_t code, const Uniform& type, const Arithmetic& arithmetic);
/// Nothing where the text leaves the code open.
std::optional<std::int64_t> quantize(double v, const Uniform& type, const Arithmetic& arithmetic);

enum class Operation : std::uint8_t { add, subtract, multiply, divide, remainder, maximum, minimum };
/// Of two values of the expressed type.
double operate(Operation operation, double lhs, double rhs, Expressed expressed);
std::optional<std::int64_t> codes(Operation operation, std::int64_t lhs, std::int64_t rhs, const Uniform& lhs_type, const Uniform& rhs_type,
                                  const Uniform& type, const Arithmetic& arithmetic);
std::optional<std::int64_t> clamp(std::int64_t low, std::int64_t operand, std::int64_t high, const Uniform& low_type, const Uniform& operand_type,
                                  const Uniform& high_type, const Uniform& type, const Arithmetic& arithmetic);
std::optional<std::int64_t> select(bool pred, std::int64_t on_true, std::int64_t on_false, const Uniform& true_type, const Uniform& false_type,
                                   const Uniform& type, const Arithmetic& arithmetic);

}  // namespace tiebreak::oracle::stablehlo
