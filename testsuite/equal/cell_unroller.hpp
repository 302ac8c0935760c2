// SPDX-License-Identifier: Apache-2.0
// One cell of a bound formula, copied into another formula: items of bags one by one, operands replaced by what `read` gives for them.
#pragma once
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

class CellUnroller {
 public:
  /// The node of an operand's element: `source` of the formula, flat offset.
  using Read = std::function<Result<NodeId>(int source, std::int64_t offset)>;
  CellUnroller(const Formula& from, Formula& into, std::int64_t cell, Read read, std::size_t longest);

  Result<NodeId> at(NodeId node);

 private:
  using Key = std::tuple<NodeId, std::int64_t, NodeId, NodeId>;  ///< item, carried values
  Result<NodeId> compute(NodeId id);
  Result<NodeId> element(const Node& node);
  Result<NodeId> by_need(const Node& node);
  Result<NodeId> aggregate(const Node& node);
  Result<NodeId> combine(const Node& node, NodeId a, NodeId b);
  Result<NodeId> pairwise(const Node& node, const std::vector<NodeId>& values, std::size_t first, std::size_t count);
  Result<NodeId> start_of(const Node& node);  ///< -1: a fold without one
  Result<NodeId> carry(NodeId graph, NodeId first, NodeId second);
  Result<NodeId> add(Node node);
  std::vector<std::int64_t> bag(AggregateOrder order) const;

  const Formula& from_;
  Formula& into_;
  Read read_;
  std::size_t longest_;
  std::int64_t cell_number_, item_number_ = 0;
  std::vector<std::int64_t> cell_, item_;
  NodeId first_carried_ = -1, second_carried_ = -1;
  std::map<Key, NodeId> known_{};
};

}  // namespace tiebreak
