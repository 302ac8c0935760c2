// SPDX-License-Identifier: Apache-2.0
// Operations of a formula that change none of the values their argument can have: what is left without them is the same function.
#pragma once
#include "interpreter/ranges/bounds.hpp"
#include "interpreter/ranges/value_range.hpp"

namespace tiebreak {

class NeutralOperations {
 public:
  explicit NeutralOperations(const Formula& of) : formula(of), ranges(of), bounds_(of) {}
  const Formula& formula;
  ValueRanges ranges;

  /// The node without conversions that change nothing, sums with zero, ends of a clamp that are never reached, branches never taken.
  /// `zeros`: whether the sign of a zero matters.
  NodeId without(NodeId node, bool zeros);
  bool is_zero(NodeId id) const { return formula.is_constant(id) && formula[id].constant.is_number() && formula[id].constant.number().is_zero(); }
  bool is_one(NodeId id) const;
  /// The argument of a rounding without roundings inside it that it makes superfluous.
  NodeId before_rounding(const Node& rounding);
  /// The argument of a cut to a whole number without a float format that keeps the whole part of a quotient.
  NodeId before_cut(const Node& cut);
  /// The argument of a saturation without float formats that keep the range's whole numbers: what they round lies outside, on its side.
  NodeId before_saturation(const Node& saturation);
  /// A whole number that is even where the node is.
  NodeId same_parity(NodeId node);
  /// n such that every finite number of the node is a multiple of 2^n.
  std::int64_t power_divisor(NodeId node);
  /// A whole number up to multiples of 2^bits: a node, -1 for none, and what is added to it.
  struct Residue {
    NodeId base = -1;
    Real offset{};
  };
  std::optional<Residue> residue(NodeId node, int bits);
  /// v of `v cut to its first digits`, which has v's sign and is zero, infinite or nan where v is; else the node.
  NodeId uncut(NodeId node);
  /// The node that is nan where this one is: roundings make none.
  NodeId source_of_nan(NodeId node);
  /// The least value above a limit, or at it, in the narrowest format that has all of the node's values: what `limit < node` asks. nullopt: no such format.
  std::optional<Real> least_above(NodeId node, const Real& limit, bool strict);
  /// The narrowest of the usual formats that has every value of the node; nullptr where none has.
  const FloatFormat* format_of(NodeId node);
  /// The number that the node always is.
  std::optional<Real> only_value(NodeId node);
  /// Whether every number the node can have lies there.
  bool lies_between(NodeId node, const Real& low, const Real& high);

 private:
  /// The argument that the node always equals, or -1.
  NodeId equal_argument(NodeId node, bool zeros);
  bool bounded_by_types(NodeId id);
  bool changes_nothing(const Node& node, bool zeros);
  bool whole_fits(const Node& node, bool zeros);
  bool in_format(NodeId id, const FloatFormat& format);
  bool power_in_format(NodeId id, const FloatFormat& format, bool reciprocal);
  bool always_equal(const Node& comparison);
  bool same_number(NodeId a, NodeId b);
  NodeId unmasked(const Node& node);
  bool is_positive_zero(NodeId id);
  bool never_beyond(const Node& node, std::size_t kept, bool zeros);
  std::optional<Residue> of_branches(const Node& conditional, const Residue& so_far, int bits);
  /// A quotient by zero, of what is never zero itself.
  bool always_infinite(NodeId node);
  struct Cut {
    NodeId value = -1;        ///< -1: the node is none
    std::int64_t digits = 0;  ///< n + 1 of them stay
  };
  Cut cut_of(const Node& node) const;
  bool is_odd_mask(NodeId id) const;
  NodeId cut_value(const Node& node);
  std::optional<Real> magnitude(NodeId id);
  BoundsTable bounds_;
};

}  // namespace tiebreak
