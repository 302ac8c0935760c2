// SPDX-License-Identifier: Apache-2.0
// The unary elementwise ops of StableHLO on codes and on floats, in long double rounded once to the format: the second implementation.
// A long double has 40 bits more than the formats here, so that its function is decided wherever it is no tie, and ties come from exact values.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak::oracle {

/// A binary format of IEEE form, as wide as f64 at most.
struct WideFloat {
  const char* name;
  int precision;  ///< bits of the significand, the hidden one included
  int least;      ///< exponent of the least normal number
  int greatest;
};
inline constexpr WideFloat wide_f16{"f16", 11, -14, 15};
inline constexpr WideFloat wide_bf16{"bf16", 8, -126, 127};
inline constexpr WideFloat wide_f32{"f32", 24, -126, 127};
inline constexpr WideFloat wide_f64{"f64", 53, -1022, 1023};

/// The nearest value of the format, ties to even, beyond the largest an infinity.
long double nearest(long double v, const WideFloat& format);

enum class StablehloReading : std::uint8_t {
  specification,  ///< every operation in the expressed type
  exact,          ///< no rounding but the last
  interpreter,    ///< functions as doubles, codes of unsigned types read as signed ones, f32 only
};

struct StablehloUnaryParameters {
  WideFloat expressed = wide_f32;
  int bits = 8;
  bool is_signed = true;
  double operand_scale = 1, result_scale = 1;
  int operand_zero_point = 0, result_zero_point = 0;
  int exponent_bits = 0, mantissa_bits = 0;  ///< of reduce_precision
};

/// Names of the ops, as StableHLO has them.
std::span<const std::string_view> unary_ops();
/// The op on a float of the format.
long double unary_float(std::string_view op, long double x, const StablehloUnaryParameters& parameters, StablehloReading reading);
/// The op on a code; nothing where the result is no number.
std::optional<std::int64_t> unary_code(std::string_view op, std::int64_t code, const StablehloUnaryParameters& parameters, StablehloReading reading);

}  // namespace tiebreak::oracle
