// SPDX-License-Identifier: Apache-2.0
// Inputs at which roundings are decided.
#include <algorithm>
#include <set>

#include "testsuite/equal/compare_elements.hpp"
#include "testsuite/generate/neighbours.hpp"

namespace tiebreak {
namespace {

constexpr int ties_each_way = 130;  // a few more than the codes of 8 bits on either side of zero

void add_around(const Real& value, const LeafDomain& domain, std::set<std::uint64_t>& codes) {
  if (!value.is_finite()) return;
  const TensorType& type = domain.type;
  for (const Real& near : values_around(value, type.element)) {
    if (type.quantized && (near < type.quantized->storage_min || near > type.quantized->storage_max)) continue;
    if (domain.range && (near < Real(domain.range->first) || near > Real(domain.range->second))) continue;
    if (const auto code = type.element.encode(near)) codes.insert(*code);
  }
}

}  // namespace

std::vector<std::uint64_t> LeafDomain::codes_at_ties(const std::vector<Real>& steps) const {
  if (!codes.empty()) return codes;
  if (type.element.is_boolean()) return {0, 1};
  std::set<std::uint64_t> found;
  for (const Real& end : {type.element.min(), type.element.max(), Real(0), Real(1), Real(-1)}) add_around(end, *this, found);
  for (int power = 0; power < std::min(type.element.bits(), 64); ++power)
    for (const bool below : {false, true}) add_around(below ? -Real::power_of_two(power) : Real::power_of_two(power), *this, found);
  if (type.element.is_float())
    for (const Real& special : {Real::infinity(), Real::infinity(true), Real::nan()})
      if (const auto code = type.element.encode(special)) found.insert(*code);
  if (range)
    for (const std::int64_t end : {range->first, range->second}) add_around(Real(end), *this, found);
  for (const Real& step : steps)
    for (int k = -ties_each_way; k <= ties_each_way; ++k) add_around(step * (Real(2 * k + 1) / Real(2)), *this, found);
  return {found.begin(), found.end()};
}

}  // namespace tiebreak
