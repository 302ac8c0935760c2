// SPDX-License-Identifier: Apache-2.0
// What the files of value_range.hpp share: ranges made of other ranges. Inside evaluate/ only.
#pragma once
#include <algorithm>

#include "interpreter/ranges/value_range.hpp"

namespace tiebreak::ranges_inside {

inline const Real infinity = Real::infinity(), minus_infinity = Real::infinity(true);

inline ValueRange between(Real low, Real high) { return {std::move(low), std::move(high), false, false, false, false}; }
inline ValueRange nothing() { return between(infinity, minus_infinity); }

inline ValueRange of_type(const ElementType& type) {
  if (type.is_boolean()) return {};
  ValueRange range = between(type.min(), type.max());
  range.whole = type.is_integer();
  if (!type.is_float()) return range;
  const FloatFormat& format = type.floating();
  if (format.has_infinity()) range.low = minus_infinity, range.high = infinity;
  range.nan = format.has_nan();
  range.negative_zero = format.has_negative_zero();
  return range;
}

inline ValueRange hull(const ValueRange& a, const ValueRange& b) {
  ValueRange range = between(std::min(a.low, b.low), std::max(a.high, b.high));
  range.nan = a.nan || b.nan;
  range.undefined = a.undefined || b.undefined;
  range.negative_zero = a.negative_zero || b.negative_zero;
  range.whole = (a.whole || a.empty()) && (b.whole || b.empty());
  return range;
}

inline ValueRange both(const ValueRange& a, const ValueRange& b) {
  ValueRange range = between(std::max(a.low, b.low), std::min(a.high, b.high));
  range.nan = a.nan && b.nan;
  range.undefined = a.undefined && b.undefined;
  range.negative_zero = a.negative_zero && b.negative_zero;
  range.whole = a.whole || b.whole;
  return range;
}

inline ValueRange from_arguments(const ValueRange& a, const ValueRange& b) {
  ValueRange range = nothing();
  range.nan = a.nan || b.nan;
  range.undefined = a.undefined || b.undefined;
  return range;
}

inline bool may_be(const ValueRange& range, const Real& value) { return !range.empty() && range.low <= value && range.high >= value; }
inline bool may_be_infinite(const ValueRange& range) { return may_be(range, infinity) || may_be(range, minus_infinity); }

}  // namespace tiebreak::ranges_inside
