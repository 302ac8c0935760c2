// SPDX-License-Identifier: Apache-2.0
// Where in a formula a float sum stands whose order a text may leave open, and whether what follows rises with it.
#pragma once
#include <optional>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// A sum that is rounded to a float format: at every step, or at its end.
struct RoundedSum {
  NodeId replaced = -1;  ///< what the interval stands in for: the aggregate, or the rounding around it
  NodeId terms = -1;     ///< what is summed, without the rounding of products
  const FloatFormat* format = nullptr;
  NodeId addend = -1;  ///< a bias, which kernels add as any other term; -1: none
};

/// The first such sum below a node, with its bias where it has one; nothing where there is none.
std::optional<RoundedSum> rounded_sum(const Formula& formula, NodeId id);

/// Rising in `sum` by its operations: roundings, shifts and positive factors that do not vary with it, clamps, and questions whether it is not a number.
bool rises_with(const Formula& formula, NodeId id, NodeId sum);

}  // namespace tiebreak
