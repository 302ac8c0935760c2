// SPDX-License-Identifier: Apache-2.0
// What only floats have: nan, infinities, -0, subnormals, and the values next to overflow. An integer type has its ends, 0 and 1.
#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {

Result<Tensor> specials(const InputRequest& request) {
  const ElementType& type = request.type.element;
  std::vector<Real> candidates{Real::nan(), Real::infinity(), Real::infinity(true), Real::zero(true), 0, 1, -1, type.min(), type.max()};
  if (type.is_boolean()) candidates = {0, 1};
  if (type.is_float()) {
    const FloatFormat& format = type.floating();
    Real least = format.smallest();
    Real normal = least * Real::power_of_two(format.fraction_bits);
    for (const Real& v : {least, normal, next_below(normal, type), next_below(type.max(), type)}) {
      candidates.push_back(v);
      candidates.push_back(-v);
    }
  }
  std::vector<Real> values;
  for (const Real& v : candidates) {
    if (!type.is_float() && !v.is_whole()) continue;
    if (!type.is_float() && v.is_zero() && v.is_negative()) continue;  // an integer has one zero
    if (type.encode(v)) values.push_back(v);
  }
  return fill(request, values);
}

}  // namespace tiebreak::generate
