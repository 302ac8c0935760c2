// SPDX-License-Identifier: Apache-2.0
// sum(s * a * b) is s * sum(a * b) where s is a positive number that is the same for all items: exact sums of whole numbers times scales become sums of
// whole numbers.
#pragma once
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// The node with such sums rewritten. Adds nodes to the formula.
NodeId factor_out(Formula& formula, NodeId node);

}  // namespace tiebreak
