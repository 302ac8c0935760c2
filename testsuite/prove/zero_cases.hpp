// SPDX-License-Identifier: Apache-2.0
// What is known where a number is zero: the two zeros are few enough to try, and nothing is a number behind a division by them.
#pragma once
#include <set>
#include <string>

#include "interpreter/ranges/value_range.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// Nodes with the values they are taken to have.
using Assignment = std::map<NodeId, Real>;
/// The node's value where these have their values and no other element is read; nullopt: it reads one, or has no value.
std::optional<Value> value_where(const Formula& formula, NodeId node, const Assignment& values);

/// The same number with the same sign of zero, the same truth, or both undefined.
bool equal_values(const Value& a, const Value& b);

/// v of `v == 0`, or -1.
NodeId compared_with_zero(const Formula& formula, NodeId condition);

/// v of `abs(v) == inf` or `v == inf`, or -1.
NodeId compared_with_infinity(const Formula& formula, const Node& comparison);

/// The numbers that a condition says are zero, alone or joined by `and`, in its order.
std::vector<NodeId> said_to_be_zero(const Formula& formula, NodeId condition);

struct NodeAtZeros {
  const Formula& formula;
  NodeId node;
  std::vector<NodeId> zeros;  ///< nodes that are zero
};
/// Whether both have one value for whichever zeros these are; the zeros of both are the same numbers, in one order.
bool equal_at_zeros(const NodeAtZeros& a, const NodeAtZeros& b);
/// The second branch, where the first one gives the same for all zeros that it is taken for; else -1.
NodeId branch_at_zeros(const Formula& formula, NodeId conditional);

/// Whether the node is undefined for all values of these ranges: an integer format of what is never a finite number, or never one that fits.
bool always_undefined(const Formula& formula, ValueRanges& ranges, NodeId node);

/// Zero points that a constraint of the op says are zero: `X.zero_point == 0`, alone or `if X is quant then ... else true`.
std::set<std::string> zero_by_constraint(const Library& library, const std::string& op);

}  // namespace tiebreak
