// SPDX-License-Identifier: Apache-2.0
// bitand, bitor and bitxor of whole numbers, in two's complement without end.
#include <algorithm>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

template <Real (*combine)(const Real&, const Real&)>
Result<Value> bits_value(const Node& node, Values args) {
  TIEBREAK_TRY(a, exact(node, args[0]));
  TIEBREAK_TRY(b, exact(node, args[1]));
  return a.is_whole() && b.is_whole() ? Value(combine(a, b)) : Value();
}

/// Some bits of a number that is not negative are no more than it.
ValueRange bits_range(const Node& node, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  ValueRange range{};
  range.nan = a.nan || b.nan || a.infinite() || b.infinite();
  range.undefined = a.undefined || b.undefined || range.nan;
  range.whole = true;
  range.negative_zero = false;
  Real most = infinity;
  for (const ValueRange* one : {&a, &b})
    if (!one->empty() && one->low >= Real(0)) most = std::min(most, one->high);
  if (node.op == NodeOp::bit_and && most.is_finite()) range.low = Real(0), range.high = most;
  return range;
}

template <Real (*combine)(const Real&, const Real&)>
constexpr OperationTraits bits(NodeOp op, std::string_view word) {
  return {.op = op, .word = word, .gives = Gives::integer_of_integers, .value = bits_value<combine>, .range = bits_range};
}

const OperationTraits bit_records[] = {bits<bit_and>(NodeOp::bit_and, "bitand"), bits<bit_or>(NodeOp::bit_or, "bitor"),
                                       bits<bit_xor>(NodeOp::bit_xor, "bitxor")};

}  // namespace

std::span<const OperationTraits> bit_operations() { return bit_records; }

}  // namespace tiebreak::operations_inside
