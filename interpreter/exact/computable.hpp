// SPDX-License-Identifier: Apache-2.0
// Real numbers that may be irrational: exp, log, tanh ... of exact numbers, combined by + - * /.
// They can be named and combined; a rounding decides them by enclosures of growing precision.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {

enum class RealFunction : std::uint8_t { sqrt, cbrt, rsqrt, exp, expm1, log, log1p, pow, sin, cos, tan, tanh, atan2, erf, logistic };
const RealFunction* find_real_function(std::string_view word);
std::string_view to_word(RealFunction function);
int arity(RealFunction function);  ///< 1, or 2 for pow and atan2

/// An exact number, or an expression in real functions whose value is known to any precision.
/// Known rational results are recognised (exp 0, log 1, sqrt of squares, pow with rational results ...), so rounding always
/// ends for one function of a rational, and for rational expressions in exponentials of rationals (softmax, logistic, tanh).
class Computable {
 public:
  Computable() = default;
  Computable(Real value);                                                                 // NOLINT: exact values convert
  static Computable apply(RealFunction function, std::span<const Computable> arguments);  ///< nan, inf and domain errors as IEEE 754 recommends

  bool is_exact() const;
  const Real& exact() const;  ///< only if is_exact()

  friend Computable operator+(const Computable& a, const Computable& b);
  friend Computable operator-(const Computable& a, const Computable& b);
  friend Computable operator*(const Computable& a, const Computable& b);
  friend Computable operator/(const Computable& a, const Computable& b);
  Computable operator-() const;

  /// 1 or -1; 0 where the value is zero, or not told from zero within 2^12 bits.
  int sign() const;

  /// Errc::undecided when 2^14 bits do not decide (N09).
  Result<Real> round_whole(Rounding rounding) const;
  Result<std::optional<Real>> round_to(const FloatFormat& format, Rounding rounding, Overflow overflow) const;
  /// A rational enclosure's midpoint, good to at least `bits` significant bits: for reports, never for decisions.
  Result<Real> approximate(int bits = 120) const;

  struct Node;

 private:
  Real exact_{};
  std::shared_ptr<const Node> node_{};  // null: exact_
  friend struct ComputableAccess;
};

}  // namespace tiebreak
