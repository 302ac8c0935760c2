// SPDX-License-Identifier: Apache-2.0
// MPFR made to behave as one IEEE format, subnormals and overflow included: the judge of float roundings in these tests.
#pragma once
#include <mpfr.h>

#include "interpreter/exact/float_format.hpp"

namespace tiebreak {

/// Sets MPFR's exponent range for its lifetime.
class AsFormat {
 public:
  explicit AsFormat(const FloatFormat& format) : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    mpfr_set_emin(3 - format.bias - format.precision());
    mpfr_set_emax(format.bias + 1);
    mpfr_init2(value_, format.precision());
  }
  ~AsFormat() {
    mpfr_clear(value_);
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }
  AsFormat(const AsFormat&) = delete;
  AsFormat& operator=(const AsFormat&) = delete;

  // All IEEE formats here fit a double.
  double round(mpq_srcptr v, mpfr_rnd_t direction) { return finish(mpfr_set_q(value_, v, direction), direction); }
  double round(double v, mpfr_rnd_t direction) { return finish(mpfr_set_d(value_, v, direction), direction); }

 private:
  double finish(int inexact, mpfr_rnd_t direction) {
    mpfr_subnormalize(value_, inexact, direction);
    return mpfr_get_d(value_, MPFR_RNDN);
  }
  mpfr_exp_t emin_;
  mpfr_exp_t emax_;
  mpfr_t value_;
};

struct Direction {
  Rounding rounding;
  mpfr_rnd_t direction;
};
inline constexpr Direction directions[] = {
    {Rounding::nearest_even, MPFR_RNDN}, {Rounding::toward_zero, MPFR_RNDZ}, {Rounding::down, MPFR_RNDD}, {Rounding::up, MPFR_RNDU}};

}  // namespace tiebreak
