// SPDX-License-Identifier: Apache-2.0
// Operations on columns. Each has the value of apply_node in every lane; the carriers chosen by BoundsTable are the proof.
#pragma once
#include "interpreter/fast/lane.hpp"

namespace tiebreak {

/// Columns of equal or uniform length to one of integers or reals; of operations of one argument it stands twice.
Column lane_arithmetic(const LaneLoops& loops, const Column& a, const Column& b, Carrier carrier);
Column lane_compare(const LaneLoops& loops, const Column& a, const Column& b);
Column lane_is_nan(const Column& a);
Column lane_conditional(const Column& condition, const Column& a, const Column& b, Carrier carrier);
Column lane_round_whole(const Node& node, const Column& a, Carrier carrier);
/// To f32 or f64, to nearest: what a processor does with any 64-bit integer in one rounding.
bool is_conversion(const Node& node);
/// round_float of a column whose values are exact, in doubles or by such a conversion.
Column lane_round_float(const Node& node, const Column& a);
/// round_float of an arithmetic operation on two columns, rounded once.
Column lane_round_operation(const Node& node, const LaneLoops& loops, const Column& a, const Column& b, const Bounds& x, const Bounds& y);
/// saturate, wrap, trap of a column of whole numbers.
Column lane_to_integer(const Node& node, const Column& a);
/// saturate of a + b or a - b, where a is a real column of whole numbers and b a small integer column.
Column lane_saturate_sum(const Node& node, const Node& sum, const Column& a, const Column& b);
/// Any operation, value by value.
Result<Column> lane_apply(const Node& node, const std::vector<const Column*>& args);

}  // namespace tiebreak
