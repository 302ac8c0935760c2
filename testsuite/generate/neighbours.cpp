// SPDX-License-Identifier: Apache-2.0
#include "testsuite/generate/neighbours.hpp"

namespace tiebreak {
namespace {

Real clamped(const Real& v, const ElementType& type) { return min(max(v, type.min()), type.max()); }

Real rounded(const Real& v, const ElementType& type, Rounding rounding) {
  Real inside = clamped(v, type);
  if (!type.is_float()) return clamped(round_whole(inside, rounding), type);
  std::optional<Real> value = round_to(inside, type.floating(), rounding, Overflow::saturate);
  return value && value->is_finite() ? *value : inside;
}

/// A step so small that only the neighbouring value lies beyond it: half the least spacing of the type.
Real half_least_step(const ElementType& type) { return type.is_float() ? type.floating().smallest() / Real(2) : Real(1) / Real(2); }

}  // namespace

Real value_below(const Real& v, const ElementType& type) { return rounded(v, type, Rounding::down); }
Real value_above(const Real& v, const ElementType& type) { return rounded(v, type, Rounding::up); }
Real next_below(const Real& value, const ElementType& type) { return value_below(value - half_least_step(type), type); }
Real next_above(const Real& value, const ElementType& type) { return value_above(value + half_least_step(type), type); }

std::vector<Real> values_around(const Real& v, const ElementType& type) {
  Real below = value_below(v, type);
  Real above = value_above(v, type);
  std::vector<Real> values;
  auto add = [&](const Real& value) {
    if (values.empty() || values.back() < value) values.push_back(value);
  };
  if (below == above) {
    add(next_below(below, type));
    add(below);
    add(next_above(below, type));
  } else {
    add(below);
    add(above);
  }
  return values;
}

}  // namespace tiebreak
