// SPDX-License-Identifier: Apache-2.0
// One exact sum of products, times scales, plus something, rounded to a float format: by an interval around a sum of doubles, by two doubles, at last exactly.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {

class SumRounder {
 public:
  /// `rounding`: a conversion to a float format of at most 53 bits. `scales`: facts of a cell.
  SumRounder(const Formula& formula, const Node& rounding, const std::vector<NodeId>& scales);

  /// Neither scales nor another format than binary32: the processor's conversion rounds.
  bool is_plain() const { return is_plain_; }
  bool has_scales() const { return !scales_.empty(); }
  /// The product of the scales of a cell; false where it is no finite positive number, or far from 1.
  Result<bool> set_scale(std::int64_t cell);

  /// Of a sum that is off by at most `error`; nothing where the ends round apart.
  std::optional<double> decide(double sum, double error, double addend) const;
  /// Of the products themselves, each a double; nothing where the format has no value for the sum.
  std::optional<double> exactly(std::span<const double> products, double addend) const;

 private:
  double round(double v, bool& missing) const;

  const Node& rounding_;
  const std::vector<NodeId>& scales_;
  bool is_plain_;
  ExactEvaluator exact_;
  Real scale_{1};
  double near_ = 1;
};

}  // namespace tiebreak
