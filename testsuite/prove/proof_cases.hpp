// SPDX-License-Identifier: Apache-2.0
// The cases of a proof by cases: what numbers of two formulas may be, so that one of the cases holds for all their values. In each one
// conditions are known, and what is left may be the same graph.
#pragma once
#include <functional>

#include "testsuite/prove/neutral_operations.hpp"

namespace tiebreak {

struct ProofCase {
  /// A node of the first formula and the one of the second that has its value; -1: there is none. What it is there: a condition's truth, or a number's range.
  struct Side {
    NodeId first = -1, second = -1;
    std::optional<bool> truth{};
    ValueRange range{};
  };
  std::vector<Side> sides{};
  void assume_in(ValueRanges& first, ValueRanges& second) const;
};
using ProofSplit = std::vector<ProofCase>;

/// Is a number nan; are the numbers of a quotient zero, finite, infinite; which constants does a whole number lie between, an element or one
/// that is made; which of two numbers is less. `counterpart`: the node of the second formula with the value of one of the first, or -1.
std::vector<ProofSplit> proof_splits(NeutralOperations& first, NeutralOperations& second, const std::function<NodeId(NodeId)>& counterpart);

}  // namespace tiebreak
