// SPDX-License-Identifier: Apache-2.0
// Real functions: sqrt, exp, log, tanh ... What is irrational is known to any precision, and rounded before it is compared or stored.
#include <vector>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

Result<Value> function_value(const Node& node, Values args) {
  std::vector<Computable> numbers;
  for (const Value& arg : args) numbers.push_back(arg.computable());
  return Value(Computable::apply(node.function, numbers));
}

Course function_course(const Node& node, std::size_t) {
  switch (node.function) {
    using enum RealFunction;
    case exp:
    case expm1:
    case cbrt:
    case tanh:
    case erf:
    case logistic: return Course::rises;
    case sqrt:
    case log:
    case log1p: return Course::rises_where_number;
    case rsqrt: return Course::falls_above_zero;
    case pow:
    case sin:
    case cos:
    case tan:
    case atan2: break;
  }
  return Course::unknown;
}

/// An angle is less than 4; nan is no point.
ValueRange function_range(const Node& node, Ranges args) {
  if (node.function != RealFunction::atan2) return {};
  ValueRange range = from_arguments(args[0], args[1]);
  range.low = Real(-4);
  range.high = Real(4);
  range.negative_zero = true;
  return range;
}

const OperationTraits function_records[] = {
    {.op = NodeOp::real_function, .value = function_value, .course = function_course, .range = function_range},
};

}  // namespace

std::span<const OperationTraits> function_operations() { return function_records; }

}  // namespace tiebreak::operations_inside
