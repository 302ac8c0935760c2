// SPDX-License-Identifier: Apache-2.0
// Real functions near their values, in doubles, with a bound of the error that is proved here and not taken from a library: where both ends of what the
// bound leaves round to the same number, no more digits are needed.
#pragma once

namespace tiebreak {

/// How far, as a share of the value, the functions below are off at most: their own errors, about 2^-49, with room.
inline constexpr double double_function_error = 0x1p-46;

/// exp(x) for |x| <= 700; nan elsewhere.
double exp_near(double x);
/// log(x) for x > 0 that is no subnormal number and finite; nan elsewhere.
double log_near(double x);
/// tanh(x), with the sign of zero; nan of nan.
double tanh_near(double x);
/// 1 / (1 + exp(-x)) for |x| <= 700; nan elsewhere.
double logistic_near(double x);

}  // namespace tiebreak
