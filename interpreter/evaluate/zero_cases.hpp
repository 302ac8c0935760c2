// SPDX-License-Identifier: Apache-2.0
// What is known where a number is zero: the two zeros are few enough to try, and nothing is a number behind a division by them.
#pragma once
#include "interpreter/evaluate/value_range.hpp"

namespace tiebreak {

/// The node's value where `variable` has this value and no other element is read; nullopt: it reads one, or has no value.
std::optional<Value> value_where(const Formula& formula, NodeId node, NodeId variable, const Real& value);

/// v of `v == 0`, or -1.
NodeId compared_with_zero(const Formula& formula, NodeId condition);

/// Whether the node is undefined for all values of these ranges: an integer format of what is never a finite number, or never one that fits.
bool always_undefined(const Formula& formula, ValueRanges& ranges, NodeId node);

}  // namespace tiebreak
