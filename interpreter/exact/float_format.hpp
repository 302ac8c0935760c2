// SPDX-License-Identifier: Apache-2.0
// Every binary float format as data: widths, bias and what the largest exponent field means.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

/// What the encodings at the top (and -0) stand for.
enum class FloatClass : std::uint8_t {
  ieee,    ///< largest exponent field: inf (fraction 0) and nan; -0 exists
  fn,      ///< only the code of all ones (either sign) is nan; no inf; -0 exists
  fnuz,    ///< the code of -0 is the nan; no inf, no -0
  finite,  ///< numbers only; -0 exists
  scale,   ///< unsigned powers of two, all ones is nan; no zero, no sign (e8m0)
};

struct FloatFormat {
  std::string_view name;  ///< notation word: f32, bf16, f8e4m3fn, f8e8m0 ...
  int exponent_bits;
  int fraction_bits;
  int bias;
  FloatClass kind;
  int bits() const;  ///< width of a code, 4..64
  bool has_infinity() const { return kind == FloatClass::ieee; }
  bool has_nan() const { return kind != FloatClass::finite; }
  bool has_negative_zero() const { return kind != FloatClass::fnuz && kind != FloatClass::scale; }
  bool is_signed() const { return kind != FloatClass::scale; }
  Real largest() const;   ///< largest finite value
  Real smallest() const;  ///< smallest positive value (subnormal where there are any)
  Real lowest() const;    ///< most negative finite value (smallest() for scale formats)
  int precision() const { return fraction_bits + 1; }
};

/// f64 f32 tf32 f16 bf16 f8e5m2 f8e4m3 f8e3m4 f8e4m3fn f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz f6e3m2 f6e2m3 f4e2m1 f8e8m0
std::span<const FloatFormat> float_formats();
const FloatFormat* find_float_format(std::string_view name);  ///< nullptr if unknown

/// How a value that is not on the grid moves. The first five choose the nearest and say who wins a tie.
enum class Rounding : std::uint8_t {
  nearest_even,
  nearest_away,
  nearest_up,
  nearest_down,
  nearest_zero,  // rne rna rhu rhd rnz
  toward_zero,
  down,
  up,      // rtz floor ceil
  to_odd,  // inexact results get an odd last digit
};
/// Notation word (`rne` ...; `odd` for to_odd), and back.
std::string_view to_word(Rounding rounding);
const Rounding* find_rounding(std::string_view word);

/// What happens beyond the largest finite value.
enum class Overflow : std::uint8_t {
  format,    ///< the format's own: inf, else nan, else none (result std::nullopt). Directed roundings inward stop at the largest
  saturate,  ///< largest value of that sign, infinities too
  nan,       ///< nan where the format has one, else none
};

/// Rounds to a whole number. nan and infinities pass through; the sign of zero is kept (rne(-0.3) is -0).
Real round_whole(const Real& v, Rounding rounding);

/// Rounds v to a value of the format. The grid goes on beyond the largest value and what lands there overflows.
/// nan gives nan, or nullopt where the format has none. Underflow keeps the sign of zero where the format has -0.
/// scale formats: values below the least, 0 included, become the least; negatives nan.
std::optional<Real> round_to(const Real& v, const FloatFormat& format, Rounding rounding = Rounding::nearest_even, Overflow overflow = Overflow::format);

/// The code of a value that is exactly representable (nan: the canonical quiet nan code), nullopt if it is not.
std::optional<std::uint64_t> encode(const Real& v, const FloatFormat& format);
/// The value of a code (bits above the width are ignored).
Real decode(std::uint64_t code, const FloatFormat& format);

}  // namespace tiebreak
