// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testsuite/candidates/probe_pool.hpp"
#include "testsuite/generate/neighbours.hpp"

namespace tiebreak {

std::vector<Real> in_order(std::vector<Real> values) {
  auto before = [](const Real& a, const Real& b) {
    if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
    Real left = abs(a), right = abs(b);
    if (!(left == right)) return left < right;
    return !a.is_negative() && b.is_negative();
  };
  std::stable_sort(values.begin(), values.end(), before);
  values.erase(std::unique(values.begin(), values.end(), [](const Real& a, const Real& b) { return a.identical(b); }), values.end());
  return values;
}

std::vector<Real> tie_points(const Real& factor, const ElementType& type, const Real& low, const Real& high, std::size_t most) {
  std::vector<Real> points;
  if (!factor.is_finite() || factor.is_zero() || !low.is_finite() || !high.is_finite()) return points;
  std::int64_t first = round_whole(low, Rounding::down).to_int64().value_or(-40000) - 2;
  std::int64_t last = round_whole(high, Rounding::up).to_int64().value_or(40000) + 2;
  // A wider range is sampled by an odd step, so that even and odd codes occur.
  auto per_tie = static_cast<std::int64_t>(5);
  std::int64_t step = std::max<std::int64_t>(1, ((last - first) * per_tie / static_cast<std::int64_t>(std::max<std::size_t>(most, 1))) | 1);
  if ((last - first) * per_tie <= static_cast<std::int64_t>(most)) step = 1;
  auto add = [&](std::int64_t k) {
    Real tie = Real::dyadic(2 * k + 1, -1) / factor;
    if (tie < type.min() || tie > type.max()) return;
    std::vector<Real> around = values_around(tie, type);
    points.insert(points.end(), around.begin(), around.end());
    points.push_back(next_below(around.front(), type));
    points.push_back(next_above(around.back(), type));
  };
  for (std::int64_t k = first; k <= last; k += step) add(k);
  for (std::int64_t k = std::max<std::int64_t>(first, -4); step > 1 && k <= std::min<std::int64_t>(last, 4); ++k) add(k);
  return in_order(std::move(points));
}

std::vector<Real> special_points(const ElementType& type) {
  std::vector<Real> wanted{0, 1, -1, type.min(), type.max()};
  for (int exponent : {7, 8, 15, 16, 22, 23, 24, 25, 30, 31, 32, 52, 53, 63}) {
    for (int offset : {-1, 0, 1}) {
      Real v = Real::power_of_two(exponent) + Real(offset);
      wanted.push_back(v);
      wanted.push_back(-v);
    }
  }
  if (type.is_float()) {
    const FloatFormat& format = type.floating();
    for (const Real& v : {format.smallest(), Real::power_of_two(1 - format.bias), Real::dyadic(1, -1), Real::dyadic(3, -1)}) {
      wanted.push_back(v);
      wanted.push_back(-v);
    }
    wanted.push_back(Real::zero(true));
    if (format.has_infinity()) wanted.insert(wanted.end(), {Real::infinity(), Real::infinity(true)});
    if (format.has_nan()) wanted.push_back(Real::nan());
  }
  std::erase_if(wanted, [&](const Real& v) { return !type.encode(v); });
  return in_order(std::move(wanted));
}

}  // namespace tiebreak
