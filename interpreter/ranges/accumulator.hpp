// SPDX-License-Identifier: Apache-2.0
// Where a contraction's formula narrows to one number: the accumulator. What follows it is a function of that number, whatever the
// sizes; so that it has stairs although the whole has not.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

struct Accumulator {
  NodeId node = -1;
  ElementType type{};  ///< that holds every value it can have
};
/// The node nearest to the aggregates through which every way from `root` to an aggregate leads, and whose values lie in a format.
std::optional<Accumulator> accumulator_of(const Formula& formula, NodeId root);

/// The last sum of an aggregate and of what does not see the bag, wrapped or not, through which every way from `root` to the bag leads.
std::optional<NodeId> last_sum(const Formula& formula, NodeId root);

/// Names of the sources whose elements a node depends on.
std::set<std::string> sources_below(const Formula& formula, NodeId node);

/// Makes the formula one of a single cell in which the accumulator is the element of `tensor`; the source is called `name`.
void replace_accumulator(Formula& formula, NodeId node, const Tensor& tensor, const std::string& name);

}  // namespace tiebreak
