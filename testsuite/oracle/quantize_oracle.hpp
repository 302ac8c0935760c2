// SPDX-License-Identifier: Apache-2.0
// Quantize, requantize and dequantize in plain machine floats and integers: the second opinion that shares no code with the interpreter.
// Compiled without contraction: every operation written is one IEEE operation.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tiebreak::oracle {

enum class Tie : std::uint8_t { even, away, up };
enum class ZeroPointOrder : std::uint8_t { after, before };  ///< of rounding to an integer
enum class Overflow : std::uint8_t { saturate, wrap };       ///< into the code range
enum class Quotient : std::uint8_t { divide, reciprocal };   ///< x / s, or x * (1 / s) with both operations rounded
enum class NotANumber : std::uint8_t { least, zero, zero_point, greatest };

/// The code range of an integer storage type, or a narrower one.
struct CodeRange {
  std::int64_t min = -128;
  std::int64_t max = 127;
};
CodeRange integer_range(bool is_signed, int bits);
inline std::int64_t clamped(std::int64_t v, CodeRange codes) { return std::clamp(v, codes.min, codes.max); }
inline std::int64_t clamped(double v, CodeRange codes) {
  return static_cast<std::int64_t>(std::clamp(v, static_cast<double>(codes.min), static_cast<double>(codes.max)));
}

struct QuantizeRule {
  Tie tie = Tie::even;
  ZeroPointOrder order = ZeroPointOrder::after;
  Overflow overflow = Overflow::saturate;
  Quotient quotient = Quotient::divide;
  NotANumber not_a_number = NotANumber::least;
};

/// Rounds a scaled value in f32 to a code: `scaled` is x / s or acc * m, already rounded to f32.
std::int64_t to_code(float scaled, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule = {});
/// Of one f32 value. f16 and bf16 values are widened by the caller, which loses nothing.
std::int64_t quantize(float x, float scale, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule = {});
/// Kernels that convert to int32 first and add the zero point there: what x86 makes of values outside of int32, or what WebAssembly does.
enum class ToInt32 : std::uint8_t { least, saturate };
enum class Whole : std::uint8_t { even, cut };  ///< to the nearest, or toward zero
std::int64_t to_code_in_int32(float scaled, std::int32_t zero_point, CodeRange range, ToInt32 conversion, Whole whole);
/// f32(f32(x_scale * w_scale) / y_scale)
float requantize_multiplier(float x_scale, float w_scale, float y_scale);
/// to_code(f32(f32(accumulator) * multiplier))
std::int64_t requantize(std::int32_t accumulator, float multiplier, std::int64_t zero_point, CodeRange range, const QuantizeRule& rule = {});
/// f32(f32(wrap.i32(code - zero_point)) * scale)
float dequantize(std::int64_t code, std::int64_t zero_point, float scale);

struct DynamicQuantized {
  float scale = 0;
  std::uint8_t zero_point = 0;
  std::vector<std::uint8_t> codes{};
};
/// onnx.DynamicQuantizeLinear. A range of zero gives scale 1; a nan in x is left out of the range and gets code 0; a zero point that
/// is no number (range of inf, scale that underflows to 0) becomes 255.
DynamicQuantized dynamic_quantize(std::span<const float> x);

/// What the codes at the top (and -0) of a small float format stand for.
enum class SmallFloatKind : std::uint8_t { ieee, fn, fnuz };
struct SmallFloat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  SmallFloatKind kind;
};
inline constexpr SmallFloat f16{5, 10, 15, SmallFloatKind::ieee};
inline constexpr SmallFloat f8e4m3fn{4, 3, 7, SmallFloatKind::fn};
inline constexpr SmallFloat f8e4m3fnuz{4, 3, 8, SmallFloatKind::fnuz};
inline constexpr SmallFloat f8e5m2{5, 2, 15, SmallFloatKind::ieee};
inline constexpr SmallFloat f8e5m2fnuz{5, 2, 16, SmallFloatKind::fnuz};

/// The value of a code; nan for the nan codes.
float decode(std::uint32_t code, const SmallFloat& format);
/// Nearest, ties to even. Beyond the largest value: that value if `saturate` (infinities too), else inf or nan as the format has it.
std::uint32_t encode(float value, const SmallFloat& format, bool saturate);
inline float rounded_to_f16(float v) { return decode(encode(v, f16, false), f16); }
inline double wide(float v) { return static_cast<double>(v); }

}  // namespace tiebreak::oracle
