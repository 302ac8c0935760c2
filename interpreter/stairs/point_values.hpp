// SPDX-License-Identifier: Apache-2.0
// The exact values of a formula's nodes for one input of a scalar function.
#pragma once
#include <utility>
#include <vector>

#include "interpreter/stairs/scalar_plan.hpp"

namespace tiebreak {

class PointValues {
 public:
  PointValues(const Formula& formula, KnownValues& known, int varied, Real input)
      : formula_(formula), known_(known), varied_(varied), input_(std::move(input)) {}
  Result<Value> at(NodeId id);

 private:
  const Formula& formula_;
  KnownValues& known_;
  int varied_;
  Real input_;
  std::vector<std::pair<NodeId, Value>> values_{};  ///< a function has a few nodes that vary: looked through faster than kept in a tree
};

}  // namespace tiebreak
