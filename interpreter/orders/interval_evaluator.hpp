// SPDX-License-Identifier: Apache-2.0
// A formula with every rounded sum replaced by what any order of its terms may give, and every set any.F(a, b) by its two ends: each node has a least and a
// greatest value, which go through the operations behind the sum as exact numbers. Elements of operands may be ranges, too. What is enclosed is larger than
// what orders give: two places of one sum, or of one element, are taken as if they were two.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {

class IntervalEvaluator {
 public:
  struct Range {
    Value low, high;
    bool is_point() const;
  };

  /// What an operand's element lies between, by its source in the formula and its place there; nothing where no bound is known.
  using Read = std::function<std::optional<Range>(std::size_t source, std::int64_t offset)>;

  /// Sums have the order that the formula says where `any_order` does not hold.
  explicit IntervalEvaluator(const Formula& formula, bool any_order = true) : IntervalEvaluator(formula, any_order, {}, {}) {}
  /// `open_sources`: for each source of the formula, whether its elements are asked of `read`.
  IntervalEvaluator(const Formula& formula, bool any_order, const std::vector<bool>& open_sources, Read read);
  /// Whether the value of the node depends on the order of a sum, on a set, or on an operand that is open.
  bool is_open(NodeId node) const { return open_[static_cast<std::size_t>(node)] != 0; }
  void set_cell(std::int64_t cell);
  void set_item(std::int64_t item);
  /// Nothing where no bound is known: an overflow may happen, a divisor may be zero, or an operation is not known to be monotone.
  Result<std::optional<Range>> at(NodeId node);

 private:
  using Known = Result<std::optional<Range>>;
  Known set(const Node& node);
  Known element(const Node& node);
  Known aggregate(const Node& node);
  Known rounded_sum(const Node& node, const std::vector<Range>& terms) const;
  bool is_hole();
  Known conditional(const Node& node);
  Known at_corners(const Node& node, const Range& a, const Range& b) const;
  Known about_zero(const Node& node, const Range& a) const;
  Known moved_by_wraps(const Node& node, const Range& a) const;
  Known at_ends(const Node& node, const std::vector<Range>& args) const;
  Known apply(const Node& node, const std::vector<Range>& args) const;

  const Formula& formula_;
  ExactEvaluator exact_;
  std::vector<std::uint8_t> open_{};
  Read read_;
  std::int64_t item_ = 0, cell_ = 0;
  std::vector<std::int64_t> cell_place_, item_place_;
  std::vector<std::int64_t> memo_cell_{};  ///< of values that do not vary with the item
  std::vector<std::optional<Range>> memo_{};
};

}  // namespace tiebreak
