// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/input_segments.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

void add_both(std::vector<InputSegment>& segments, const Real& start, const Real& step, std::int64_t count, bool has_sign) {
  segments.push_back({start, step, count});
  if (has_sign) segments.push_back({-start, -step, count});
}

/// Ones are a segment, then two and three, four to seven; the least number of a signed type has one more power of two.
std::vector<InputSegment> of_integers(const ElementType& type) {
  std::vector<InputSegment> segments{{Real(0), Real(1), 1}};
  const bool has_sign = type.min() < Real(0);
  for (Real start(1); start <= type.max(); start = start * Real(2)) {
    const std::int64_t exponent = start.exponent();
    if (exponent < 63) {
      add_both(segments, start, Real(1), std::int64_t{1} << exponent, has_sign);
      continue;
    }
    segments.push_back({start, Real(1), std::int64_t{1} << 62});  // the upper half of u64 in two parts
    segments.push_back({start + Real::power_of_two(62), Real(1), std::int64_t{1} << 62});
  }
  if (has_sign) segments.push_back({type.min(), Real(-1), 1});
  return segments;
}

std::vector<InputSegment> of_floats(const FloatFormat& format) {
  std::vector<InputSegment> segments;
  const bool has_sign = format.is_signed();
  const std::int64_t fractions = std::int64_t{1} << format.fraction_bits;
  Real start = format.smallest();
  if (format.kind != FloatClass::scale) {
    segments.push_back({Real(0), Real(1), 1});
    if (format.has_negative_zero()) segments.push_back({Real::zero(true), Real(1), 1});
    for (std::int64_t digits = 1; digits < fractions; digits *= 2) add_both(segments, start * Real(digits), start, digits, has_sign);
    start = start * Real(fractions);
  }
  for (; start <= format.largest(); start = start * Real(2)) {
    const Real step = start / Real(fractions), left = (format.largest() - start) / step + Real(1);
    add_both(segments, start, step, left < Real(fractions) ? *left.to_int64() : fractions, has_sign);
  }
  if (format.has_infinity()) add_both(segments, Real::infinity(), Real(0), 1, true);
  return segments;
}

}  // namespace

std::vector<InputSegment> input_segments(const ElementType& type) { return type.is_integer() ? of_integers(type) : of_floats(type.floating()); }

std::vector<InputSegment> input_segments(const OrderedType& input) {
  std::vector<InputSegment> segments = input_segments(input.type);
  if (!input.is_integer() || !input.limited) return segments;  // i64 and u64 have more numbers than ordinals
  const Real low(input.first), high(input.last);
  std::vector<InputSegment> within;
  for (InputSegment segment : segments) {  // of steps by one, up or down
    const bool falls = segment.step < Real(0);
    const Real last = segment.value(segment.count - 1), from = falls ? std::min(segment.start, high) : std::max(segment.start, low),
               to = falls ? std::max(last, low) : std::min(last, high);
    if (falls ? from < to : from > to) continue;
    segment.start = from;
    segment.count = *abs(to - from).to_int64() + 1;
    within.push_back(segment);
  }
  return within;
}

std::uint64_t nan_codes(const ElementType& type) {
  if (type.is_integer()) return 0;
  const FloatFormat& format = type.floating();
  switch (format.kind) {
    case FloatClass::ieee: return (std::uint64_t{2} << format.fraction_bits) - 2;
    case FloatClass::fn: return 2;
    case FloatClass::fnuz:
    case FloatClass::scale: return 1;
    case FloatClass::finite: return 0;
  }
  return 0;
}

}  // namespace tiebreak
