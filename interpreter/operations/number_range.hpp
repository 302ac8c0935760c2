// SPDX-License-Identifier: Apache-2.0
// What is known of a number for every call of the same types: between which numbers it lies, and whether it may be nan, undefined or a negative zero.
#pragma once
#include <algorithm>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

struct ValueRange {
  Real low = Real::infinity(true), high = Real::infinity();  ///< of its numbers; low > high: it has none
  bool nan = true;
  bool undefined = true;
  bool negative_zero = true;
  bool whole = false;  ///< finite numbers have no fraction

  bool empty() const { return low > high; }
  bool impossible() const { return empty() && !nan && !undefined; }
  bool is_point() const { return low == high && !nan && !undefined; }
  bool contains_zero() const { return low <= Real(0) && high >= Real(0); }
  bool infinite() const { return !empty() && (low.is_infinite() || high.is_infinite()); }
};

}  // namespace tiebreak

namespace tiebreak::number_ranges {

inline const Real infinity = Real::infinity(), minus_infinity = Real::infinity(true);

inline ValueRange between(Real low, Real high) { return {std::move(low), std::move(high), false, false, false, false}; }
inline ValueRange nothing() { return between(infinity, minus_infinity); }

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

}  // namespace tiebreak::number_ranges
