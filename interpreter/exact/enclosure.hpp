// SPDX-License-Identifier: Apache-2.0
// Intervals with MPFR ends, rounded outward at every step: what is known of an irrational value at one precision.
#pragma once
#include <mpfr.h>

#include "interpreter/exact/big_rational.hpp"
#include "interpreter/exact/computable.hpp"

namespace tiebreak {

/// An mpfr_t that cleans up after itself.
class Mpfr {
 public:
  explicit Mpfr(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Mpfr(const Mpfr& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Mpfr& operator=(const Mpfr& other) {
    if (this == &other) return *this;
    mpfr_set_prec(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Mpfr() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

enum class Known : std::uint8_t {
  bounds,   ///< the interval holds the value
  nothing,  ///< this precision does not tell (a divisor that may be zero, a domain's edge)
  nan,      ///< the value is certainly nan
};

/// lo <= value <= hi, and strictly so at an open end. Ends may be infinite. Openness is what lets tanh(1000) round down
/// without thousands of bits: the value is known not to be 1.
struct Enclosure {
  Known known = Known::nothing;
  bool lo_open = false;
  bool hi_open = false;
  Mpfr lo;
  Mpfr hi;
  explicit Enclosure(mpfr_prec_t precision, Known state = Known::nothing) : known(state), lo(precision), hi(precision) {}
};

/// A finite value, or an infinity.
Enclosure enclose(const Real& v, mpfr_prec_t precision);
Enclosure add(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision);
Enclosure subtract(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision);
Enclosure multiply(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision);
Enclosure divide(const Enclosure& a, const Enclosure& b, mpfr_prec_t precision);
Enclosure apply(RealFunction function, const Enclosure& a, mpfr_prec_t precision);
/// Whether the exponent of pow is a whole number; then the base may be negative.
enum class ExponentKind : std::uint8_t { other, even, odd };
Enclosure power(const Enclosure& base, const Enclosure& exponent, ExponentKind kind, mpfr_prec_t precision);
Enclosure atan2(const Enclosure& y, const Enclosure& x, mpfr_prec_t precision);

/// -1 or 1 where the interval lies on one side of zero and the value is not zero, else 0.
int certain_sign(const Enclosure& a);
/// -1 or 1 where zero is not even an end.
int strict_sign(const Enclosure& a);
/// An end as an exact number, moved outward to 0 or an infinity where its exponent is beyond +-2^20.
Real lower_end(const Enclosure& a);
Real upper_end(const Enclosure& a);

}  // namespace tiebreak
