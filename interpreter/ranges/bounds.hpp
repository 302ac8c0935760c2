// SPDX-License-Identifier: Apache-2.0
// What is known of a node's values in one call, in advance: the proofs behind the fast engine. What is read and what is aggregated is known here; of
// every operation its record says what its arguments' bounds make of it.
#pragma once
#include <vector>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

class BoundsTable {
 public:
  explicit BoundsTable(const Formula& formula) : formula_(formula) {}
  const Bounds& of(NodeId node);

 private:
  Bounds compute(NodeId node);
  Bounds of_constant(const Node& node) const;
  static Bounds of_values(const Source& source);
  Bounds of_element(const Node& node);
  Bounds of_aggregate(const Node& node);
  const Formula& formula_;
  std::vector<Bounds> bounds_{};
  std::vector<bool> known_{};
};

}  // namespace tiebreak
