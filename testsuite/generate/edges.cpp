// SPDX-License-Identifier: Apache-2.0
// Finite values where implementations go wrong: ends of this type's range and of the ranges values are narrowed to, zero, halves,
// powers of two with their neighbours, subnormals.
#include <algorithm>

#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

std::vector<Real> points(const ElementType& type) {
  std::vector<Real> chosen{0, type.min(), type.max()};
  auto both = [&](const Real& v) {
    chosen.push_back(v);
    chosen.push_back(-v);
  };
  both(1);
  for (int bits : {2, 4, 7, 8, 15, 16, 24, 31, 32, 53, 63}) both(Real::power_of_two(bits));
  if (type.is_float()) {
    const FloatFormat& format = type.floating();
    both(format.smallest());
    for (int exponent : {-1, -2, -14, -24, -126}) both(Real::power_of_two(exponent));
    both(format.smallest() * Real::power_of_two(format.fraction_bits));  // smallest normal value
    for (std::int64_t odd : {3, 5, 255, 257}) both(Real::dyadic(odd, -1));
  }
  return chosen;
}

}  // namespace

Result<Tensor> edges(const InputRequest& request) {
  const ElementType& type = request.type.element;
  if (type.is_boolean()) return fill(request, {0, 1});
  std::vector<Real> values;
  for (const Real& point : points(type)) {
    if (point < type.min() || point > type.max()) continue;
    for (const Real& v : values_around(point, type)) values.push_back(v);
  }
  std::sort(values.begin(), values.end(), [](const Real& a, const Real& b) { return a < b; });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return fill(request, values);
}

}  // namespace tiebreak::generate
