// SPDX-License-Identifier: Apache-2.0
// What a formula does on one run of inputs: where it rises or falls, where the run must be cut before that is known, and by how much it
// grows when the input does.
#pragma once
#include <functional>
#include <map>
#include <optional>

#include "interpreter/stairs/monotone_pieces.hpp"
#include "interpreter/stairs/point_values.hpp"

namespace tiebreak {

/// What is known of a node on one piece.
struct Finding {
  int direction = 0;
  bool periodic = false;              ///< wraps more often than pieces are cut; nothing is said of its direction
  std::optional<std::int64_t> cut{};  ///< first place of the second part: look at the parts apart
  NodeId unknown = -1;
  bool settled() const { return !cut && unknown < 0; }
};

/// A number that tells apart where a node must be cut: sign, number of the wrap, zone of a range, truth.
using Mark = std::function<Result<Real>(PointValues&)>;

class PieceAnalysis {
 public:
  /// `periods`: what wraps more than `limit` times is periodic, else unknown.
  PieceAnalysis(ScalarFunction::Parts& parts, const InputRun& run, std::size_t limit, bool periods)
      : parts_(parts),
        formula_(parts.formula),
        known_(*parts.known),
        run_(run),
        limit_(static_cast<std::int64_t>(limit)),
        periods_(periods),
        at_first_(point(run.first)),
        at_last_(point(run.last)) {}

  Result<Finding> of(NodeId id);
  /// c such that the node grows by c whenever the input grows by `shift`, wherever both lie on the piece; nothing where that is not proved.
  /// Of a piece that is settled.
  Result<std::optional<Real>> drift(NodeId id, const Real& shift);

 private:
  PointValues point(std::int64_t place) { return PointValues(formula_, known_, parts_.varied_source, run_.value(place)); }
  /// A mark that is monotone on the piece: equal at both ends means equal throughout; else the piece is cut, near the middle of the marks.
  Result<Finding> same_mark(NodeId id, const Mark& mark, Finding otherwise);
  static Finding directed(int direction) { return Finding{.direction = direction}; }
  static Finding unknown(NodeId id) { return Finding{.unknown = id}; }
  static Finding combined(NodeId id, int a, int b) { return a == 0 || b == 0 || a == b ? directed(a != 0 ? a : b) : unknown(id); }
  /// 1 for numbers from +0 up, -1 below.
  static Mark side_of(NodeId id);
  /// -inf, below zero, -0, +0, above zero, inf: six numbers in order.
  static Mark kind_of(NodeId id);
  /// Of an exponent: the whole number itself.
  static Mark value_of(NodeId id);
  /// What may follow a value that wraps often, as far as a period goes.
  static bool goes_round(const Node& node);
  Result<int> side_at_first(NodeId id);
  Result<Finding> compute(NodeId id);
  Result<Finding> branch(const Node& node);
  Result<Finding> both(const Node& node);
  /// d(xy) has the signs y dx + x dy, d(x / y) those of y dx - x dy.
  Result<Finding> product(NodeId id, const Node& node, const std::vector<int>& d);
  /// Of a node that is monotone on the piece: then it is finite throughout.
  Result<bool> finite_at_ends(NodeId id);
  /// A format without infinities has no value, or nan, beyond its ends.
  Result<Finding> rounded(const Node& node, int direction);
  Result<Finding> wrapped(NodeId id, const Node& node, int direction);
  Result<Finding> trapped(NodeId id, const Node& node, int direction);
  /// The sign of the difference is monotone; cut where it changes, so that the truth is constant.
  Result<Finding> compared(NodeId id, const Node& node, const std::vector<int>& d);
  Result<Finding> moved(NodeId id, const Node& node, const std::vector<int>& d);

  // piece_drift.cpp
  using Drift = std::optional<Real>;
  Result<bool> constant(NodeId id);
  /// Neither end is below zero, or neither above.
  Result<bool> keeps_side(NodeId id);
  Result<Drift> drift_of_product(const Node& node, const std::vector<Real>& d);
  Result<Drift> drift_of_whole(const Node& node, const Real& d);
  Result<Drift> drift_of_float(const Node& node, const Real& d);
  Result<Drift> drift_within(const Node& node, const Real& d);
  Result<Drift> drift_of_extreme(NodeId id, const Node& node, const std::vector<Real>& d);

  ScalarFunction::Parts& parts_;
  const Formula& formula_;
  KnownValues& known_;
  InputRun run_;
  std::int64_t limit_;
  bool periods_;
  PointValues at_first_, at_last_;
  std::map<NodeId, Finding> findings_{};
};

}  // namespace tiebreak
