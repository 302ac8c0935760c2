// SPDX-License-Identifier: Apache-2.0
#include "interpreter/operations/double_rounding.hpp"

#include <limits>

#include "interpreter/exact/machine_formats.hpp"

namespace tiebreak {

double round_whole(double value, Rounding rounding) {
  if (!std::isfinite(value) || std::fabs(value) >= 0x1p52) return value;
  const double below = std::floor(value);
  const double fraction = value - below;  // exact
  double result = below;
  switch (rounding) {
    using enum Rounding;
    case nearest_even: result = std::nearbyint(value); break;
    case nearest_away: result = fraction > 0.5 || (fraction == 0.5 && value > 0) ? below + 1 : below; break;
    case nearest_up: result = fraction >= 0.5 ? below + 1 : below; break;
    case nearest_down: result = fraction > 0.5 ? below + 1 : below; break;
    case nearest_zero: result = fraction > 0.5 || (fraction == 0.5 && value < 0) ? below + 1 : below; break;
    case toward_zero: result = std::trunc(value); break;
    case down: break;
    case up: result = std::ceil(value); break;
    case to_odd: result = fraction != 0 && std::fmod(below, 2.0) == 0 ? below + 1 : below; break;
  }
  return std::copysign(result, value);
}

double round_to_format(double value, const FloatFormat& format, Rounding rounding, Overflow overflow, bool& missing) {
  // The everyday case is one instruction: double to float is IEEE's own conversion, ties to even.
  if (rounding == Rounding::nearest_even && overflow == Overflow::format && is_binary32(format)) return static_cast<double>(static_cast<float>(value));
  if (rounding == Rounding::nearest_even && overflow == Overflow::format && format.kind == FloatClass::ieee && format.precision() <= 51)
    return round_to_ieee(value, format);
  const bool is_directed = rounding == Rounding::up || rounding == Rounding::down;
  if (is_directed && overflow == Overflow::format && is_binary32(format)) return round_to_single(value, rounding == Rounding::up);
  auto rounded = round_to(Real::from_double(value), format, rounding, overflow);
  if (!rounded) {
    missing = true;
    return 0;
  }
  return rounded->to_double();
}

}  // namespace tiebreak
