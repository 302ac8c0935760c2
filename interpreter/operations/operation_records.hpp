// SPDX-License-Identifier: Apache-2.0
// The records by family, and what their definitions share. Inside operations/ only.
#pragma once
#include <span>
#include <string>

#include "interpreter/operations/operation_traits.hpp"

namespace tiebreak::operations_inside {

std::span<const OperationTraits> arithmetic_operations();    ///< a + b, a - b, a * b, a / b, -a
std::span<const OperationTraits> power_operations();         ///< a ^ b, exponent
std::span<const OperationTraits> order_operations();         ///< min, max, abs, sign
std::span<const OperationTraits> comparison_operations();    ///< ==, !=, <, <=, isnan
std::span<const OperationTraits> truth_operations();         ///< and, or, not, if
std::span<const OperationTraits> bit_operations();           ///< bitand, bitor, bitxor
std::span<const OperationTraits> rounding_operations();      ///< rne(v), f32(v) ...
std::span<const OperationTraits> whole_format_operations();  ///< sat.I, wrap.I, trap.I
std::span<const OperationTraits> look_up_operations();       ///< t[i]
std::span<const OperationTraits> function_operations();      ///< exp, log, tanh ...

using Values = std::span<const Value>;
using Ranges = std::span<const ValueRange>;
using BoundsOf = std::span<const Bounds>;

/// page:line of the node, for messages.
std::string place_of(const Node& node);
/// An integer has one zero.
Value as_kind(const Node& node, Real number);
/// A number that is exact, else N10.
Result<Real> exact(const Node& node, const Value& value);

template <Course course>
Course always(const Node&, std::size_t) {
  return course;
}
template <Course first, Course second>
Course by_argument(const Node&, std::size_t argument) {
  return argument == 0 ? first : second;
}
inline Bounds truth_bounds(const Node&, BoundsOf) { return {.carrier = Carrier::truth}; }

}  // namespace tiebreak::operations_inside
