// SPDX-License-Identifier: Apache-2.0
// Between which numbers a node's values lie, for whatever elements, scales and zero points its types allow, and for tensors of any size.
// What is known of one call's numbers (bounds.hpp) is not used here: these are proofs for every call of the same types.
#pragma once
#include <map>

#include "interpreter/formula/formula.hpp"
#include "interpreter/operations/number_range.hpp"

namespace tiebreak {

class ValueRanges {
 public:
  explicit ValueRanges(const Formula& formula) : formula_(formula) {}
  ValueRange of(NodeId node);
  /// Whether a condition is known. nullopt also where it may be undefined.
  std::optional<bool> truth(NodeId condition);
  bool truth_may_be_undefined(NodeId condition);

  /// From here on the node has only these values as well: a branch, or one case of a proof by cases.
  void assume(NodeId node, const ValueRange& range);
  void assume(NodeId condition, bool truth);

 private:
  ValueRange compute(NodeId id);
  ValueRange of_element(const Node& node);
  ValueRange of_branches(const Node& node);
  ValueRange of_aggregate(const Node& node);
  std::vector<ValueRange> ranges_of(const Node& node);
  std::optional<ValueRange> of_remainder(NodeId id);
  bool never_vanishes(const Node& rounding);
  std::optional<bool> where_asked(const Node& node, bool decides);
  void assume_finite_parts(NodeId id);
  void assume_comparison(const Node& node, bool truth);
  const Formula& formula_;
  std::map<NodeId, ValueRange> known_{}, assumed_{};
  std::map<NodeId, bool> truths_{};
};

}  // namespace tiebreak
