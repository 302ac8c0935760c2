// SPDX-License-Identifier: Apache-2.0
// How the values of a node are carried by machine numbers, and the bounds that prove it: as int64, as double or as truth only where every value
// is exactly one; everything else is carried as an exact value.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/exact/magnitude.hpp"

namespace tiebreak {

enum class Carrier : std::uint8_t { integer, real, truth, exact };

struct Bounds {
  Carrier carrier = Carrier::exact;
  /// integer: all values lie in [low, high].
  std::int64_t low = 0, high = 0;
  /// real: at most `precision` significant bits, the highest bit at most 2^top, the lowest at least 2^bottom (infinities and nan beside).
  int precision = 53, top = 1023, bottom = -1074;
  bool whole = false;                 ///< real: no fraction
  std::optional<int> power_of_two{};  ///< the one value is 2^this
};

/// Whole numbers of at most this magnitude are doubles.
constexpr std::int64_t double_limit = std::int64_t{1} << 53;

/// Whether every value is a double: an integer of at most 2^53 in absolute value, or a real.
inline bool fits_double(const Bounds& bounds) {
  if (bounds.carrier == Carrier::real) return true;
  return bounds.carrier == Carrier::integer && bounds.low >= -double_limit && bounds.high <= double_limit;
}

/// The bounds of the same values as doubles.
inline Bounds as_real(const Bounds& bounds) {
  if (bounds.carrier != Carrier::integer) return bounds;
  Bounds real{.carrier = Carrier::real, .whole = true, .power_of_two = bounds.power_of_two};
  real.precision = std::max(1, static_cast<int>(std::bit_width(std::max(magnitude(bounds.low), magnitude(bounds.high)))));
  real.top = std::max(0, real.precision - 1);
  real.bottom = 0;
  return real;
}

/// Exact values, unless doubles hold what the bounds allow.
inline Bounds within_double(const Bounds& bounds) { return bounds.precision <= 53 && bounds.top <= 1023 && bounds.bottom >= -1074 ? bounds : Bounds{}; }

/// Integers between two ends; exact values where an int64 does not hold them.
inline Bounds between_integers(__int128_t low, __int128_t high) {
  if (low < std::numeric_limits<std::int64_t>::min() || high > std::numeric_limits<std::int64_t>::max()) return {};
  return {.carrier = Carrier::integer, .low = static_cast<std::int64_t>(low), .high = static_cast<std::int64_t>(high)};
}

/// The values of a float format.
inline Bounds bounds_of_format(const FloatFormat& format) {
  if (format.precision() > 53) return {};
  Bounds bounds{.carrier = Carrier::real};
  bounds.precision = format.precision();
  bounds.top = static_cast<int>(format.largest().exponent());
  bounds.bottom = format.kind == FloatClass::scale ? -127 : static_cast<int>(format.smallest().exponent());
  return bounds;
}

/// The values of one or of the other.
inline Bounds either(const Bounds& a, const Bounds& b) {
  if (a.carrier == Carrier::integer && b.carrier == Carrier::integer) return between_integers(std::min(a.low, b.low), std::max(a.high, b.high));
  if (a.carrier == Carrier::truth && b.carrier == Carrier::truth) return a;
  if (!fits_double(a) || !fits_double(b)) return {};
  const Bounds x = as_real(a), y = as_real(b);
  return {.carrier = Carrier::real,
          .precision = std::max(x.precision, y.precision),
          .top = std::max(x.top, y.top),
          .bottom = std::min(x.bottom, y.bottom),
          .whole = x.whole && y.whole};
}

}  // namespace tiebreak
