// SPDX-License-Identifier: Apache-2.0
// t[i]: the entry of a table, counted from 0. Outside the table it is undefined.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

using namespace number_ranges;

Result<Value> entry_value(const Node& node, Values args) {
  TIEBREAK_TRY(index, exact(node, args[0]));
  if (index.is_nan() || index.is_infinite()) return Value();
  if (!index.is_whole())
    return fail(Errc::type,
                fmt::format("N05 {} counts an entry of a table without having been rounded to a whole number in '{}'", index.to_decimal(9), node.text),
                place_of(node), "round it first: rne(...), rtz(...)");
  const auto place = index.to_int64();
  if (!place || *place < 0 || *place >= static_cast<std::int64_t>(node.table->size())) return Value();
  return as_kind(node, (*node.table)[static_cast<std::size_t>(*place)]);
}

/// Any entry that a table of this type may have; undefined where the index may lie outside.
ValueRange entry_range(const Node& node, Ranges args) {
  ValueRange range = between(node.low, node.high);
  const auto last = Real(static_cast<std::int64_t>(node.table->size()) - 1);
  const bool inside = !args[0].undefined && !args[0].nan && args[0].low >= Real(0) && args[0].high <= last;
  range.undefined = !inside;
  range.nan = !node.integer;
  range.negative_zero = !node.integer;
  range.whole = node.integer;
  return range;
}

Bounds entry_bounds(const Node& node, BoundsOf) {
  if (!node.integer || node.table->empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(*node.table);
  const auto low = least.to_int64(), high = greatest.to_int64();
  return low && high ? between_integers(*low, *high) : Bounds{};
}

const OperationTraits look_up_records[] = {
    {.op = NodeOp::look_up, .arguments = 1, .value = entry_value, .range = entry_range, .bounds = entry_bounds},
};

}  // namespace

std::span<const OperationTraits> look_up_operations() { return look_up_records; }

}  // namespace tiebreak::operations_inside
