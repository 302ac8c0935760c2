// SPDX-License-Identifier: Apache-2.0
// A sum of products seen as factors: two that differ from item to item, and others that do not, which an exact sum lets out in front.
#pragma once
#include <optional>
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

struct SumFactors {
  NodeId left = -1, right = -1;  ///< vary over the items
  std::vector<NodeId> outer{};   ///< scales: made of facts alone
};
/// Whether a node is a sum of one body that no step rounds and no block divides: its order is no matter.
bool is_exact_sum(const Node& node);
/// The factors of a sum's body; nothing where it is no product of two such nodes.
std::optional<SumFactors> sum_factors(const Formula& formula, NodeId body);

}  // namespace tiebreak
