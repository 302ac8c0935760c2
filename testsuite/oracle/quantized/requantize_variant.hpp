// SPDX-License-Identifier: Apache-2.0
// What the files of twins share: a twin from its derivation and its code function, and the derivations of factors.
#pragma once
#include <algorithm>
#include <cstddef>

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/oracle/quantized/requantize_twins.hpp"

namespace tiebreak::oracle {

constexpr std::int64_t far_away = std::int64_t{1} << 61;  ///< beyond every result, with room for a zero point

using Derivation = void (*)(const RequantizeParameters&, PreparedRequantize&);

/// A twin's three entry points. `code` gives the number before saturation, inlined into the loop of run().
template <Derivation derive, auto code>
struct RequantizeVariant {
  static PreparedRequantize prepare(const RequantizeParameters& p) {
    PreparedRequantize prepared{
        .x_scale = p.x_scale, .w_scale = p.w_scale, .y_scale = p.y_scale, .zero_point = p.zero_point, .low = p.low, .high = p.high, .per_tensor = p.per_tensor};
    derive(p, prepared);
    return prepared;
  }
  static std::int64_t apply(const PreparedRequantize& p, std::int64_t accumulator) {
    if (p.refused) return requantize_undefined;
    const std::int64_t v = code(p, accumulator);
    return v == requantize_undefined ? v : std::clamp(v, p.low, p.high);
  }
  static void run(const PreparedRequantize& p, std::int32_t first, std::span<std::int32_t> codes) {
    std::uint32_t accumulator = static_cast<std::uint32_t>(first);
    for (std::int32_t& result : codes) {
      const std::int64_t v = apply(p, static_cast<std::int32_t>(accumulator++));
      result = v == requantize_undefined ? run_undefined : static_cast<std::int32_t>(v);
    }
  }
};

template <Derivation derive, auto code>
constexpr RequantizeTwin twin_of(std::string_view profile) {
  using Variant = RequantizeVariant<derive, code>;
  return {profile, &Variant::prepare, &Variant::apply, &Variant::run};
}

// Factors from scales.
double ratio_f64(const RequantizeParameters& p);         ///< f64(f64(x * w) / y)
double ratio_f64_of_f32(const RequantizeParameters& p);  ///< f64(f32(x * w) / y)
float ratio_f32(const RequantizeParameters& p);          ///< f32(f32(x * w) / y)

/// Mantissa and exponent: frexp, then 2^31 times the fraction, half away; 2^31 becomes 2^30 with the next exponent.
void to_q31(double factor, PreparedRequantize& p);
/// A mantissa of zero where the exponent is below -31.
void flush_far(PreparedRequantize& p);
/// The mantissa of an f32, left-aligned in 31 bits.
void to_mantissa(float factor, PreparedRequantize& p);

// Derivations of several families.
inline void q31_far(const RequantizeParameters& s, PreparedRequantize& p) { to_q31(ratio_f64(s), p), flush_far(p); }
inline void mantissa_of_f32(const RequantizeParameters& s, PreparedRequantize& p) { to_mantissa(ratio_f32(s), p); }

inline std::int64_t saturate32(std::int64_t v) {
  return std::clamp<std::int64_t>(v, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
}
inline bool fits32(std::int64_t v) { return v == saturate32(v); }
/// v * 2^n as int32 has it, for any n from 0 up.
inline std::int32_t shift_left32(std::int64_t v, int n) { return n > 31 ? 0 : wrap32(static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << n)); }

/// TVM's q_multiply_shift: the low 32 bits of the accumulator, a product in int64 that wraps. `away` nudges negative products by one less.
inline std::int64_t tvm_wide(const PreparedRequantize& p, std::int64_t acc, bool away) {
  const int places = 31 + std::max(-p.exponent, 0), left = std::max(p.exponent, 0);
  if (places >= 64 || left >= 64) return requantize_undefined;
  const std::uint64_t shifted = static_cast<std::uint64_t>(std::int64_t{wrap32(acc)}) << left;
  const auto product = static_cast<std::int64_t>(shifted * static_cast<std::uint64_t>(p.mantissa));
  std::uint64_t nudge = std::uint64_t{1} << (places - 1);
  if (away && product < 0) --nudge;
  return wrap32(static_cast<std::int64_t>(static_cast<std::uint64_t>(product) + nudge) >> places);
}

}  // namespace tiebreak::oracle
