// SPDX-License-Identifier: Apache-2.0
// The way from one element of a result back to the sum or the operand that it comes from, through the products and quotients on it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak {

struct ScalingStep {
  bool divides = false;
  bool under_division = false;  ///< the product is itself divided by a power of two: fixed-point arithmetic
  bool given = false;           ///< the number is an operand's element as it stands
  Real value{};
};
struct ScalingChain {
  std::string start{};               ///< `accumulator`, the operand's name, `sum` or `product` of several
  std::vector<ScalingStep> steps{};  ///< the last to be applied first
};

/// log2 of a power of two; nothing of other numbers.
std::optional<std::int64_t> log2_of(const Real& value);

class ScalingWalk {
 public:
  /// `op` tells data from parameters: operands without brackets are data. Both must outlive this.
  ScalingWalk(const Formula& formula, const notation::Op& op, NodeId root);

  /// Cell coordinates over which the numbers on the way vary.
  std::uint64_t rate() const { return rate_; }
  /// Nothing where there is no single way.
  std::optional<std::vector<ScalingChain>> at(std::int64_t cell);

 private:
  bool is_data(NodeId id) const { return data_[static_cast<std::size_t>(id)]; }
  bool is_start(const Node& node) const { return node.op == NodeOp::aggregate || node.op == NodeOp::element; }
  void add_rate(NodeId id, std::vector<bool>& seen);
  bool walk(NodeId id, bool under_division, ScalingChain chain);
  bool walk_scaling(const Node& node, bool under_division, ScalingChain chain);
  bool walk_sum(const Node& node, bool under_division, ScalingChain chain);
  bool walk_conditional(const Node& node, bool under_division, ScalingChain chain);

  const Formula& formula_;
  NodeId root_;
  ExactEvaluator evaluator_;
  std::vector<bool> data_{};
  std::uint64_t rate_ = 0;
  std::vector<ScalingChain> found_{};
};

}  // namespace tiebreak
