// SPDX-License-Identifier: Apache-2.0
// Values of an element type next to a real number: what a tie needs around it.
#pragma once
#include <vector>

#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

/// v if it is a value of the type, else the nearest one on either side, inside the type's range.
Real value_below(const Real& v, const ElementType& type);  ///< largest value <= v (least value if v is below all)
Real value_above(const Real& v, const ElementType& type);  ///< least value >= v (largest value if v is above all)
/// Next value of the type strictly below or above a value of the type; the same at the end of the range.
Real next_below(const Real& value, const ElementType& type);
Real next_above(const Real& value, const ElementType& type);
/// The values at and beside v, ascending without repetition: next below, v (or the two around it), next above.
std::vector<Real> values_around(const Real& v, const ElementType& type);

}  // namespace tiebreak
