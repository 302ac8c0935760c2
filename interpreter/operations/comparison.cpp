// SPDX-License-Identifier: Apache-2.0
// ==, !=, <, <= and isnan. With nan every comparison is false but !=.
#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct IsNan {
  bool operator()(float a, float) const { return a != a; }
};

template <class Function>
constexpr LaneLoops comparison_loops() {
  return {.truths = run_lanes<Function, std::uint8_t, double>, .floats = run_lanes<Function, float, float>};
}

Result<Value> equality_value(const Node& node, Values args) {
  const bool equal = node.op == NodeOp::equal;
  if (args[0].is_truth() && args[1].is_truth()) return Value((args[0].truth() == args[1].truth()) == equal);
  TIEBREAK_TRY(left, exact(node, args[0]));
  TIEBREAK_TRY(right, exact(node, args[1]));
  return Value((left == right) == equal);
}

Result<Value> order_value(const Node& node, Values args) {
  TIEBREAK_TRY(left, exact(node, args[0]));
  TIEBREAK_TRY(right, exact(node, args[1]));
  return Value(node.op == NodeOp::less ? (left <=> right) < 0 : (left <=> right) <= 0);
}

Result<Value> is_nan_value(const Node& node, Values args) {
  TIEBREAK_TRY(v, exact(node, args[0]));
  return Value(v.is_nan());
}

std::optional<bool> equality_truth(const Node& node, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  if (a.undefined || b.undefined) return std::nullopt;
  if (a.low > b.high || b.low > a.high) return node.op == NodeOp::not_equal;  // a nan equals nothing
  return a.is_point() && b.is_point() ? std::optional(node.op == NodeOp::equal) : std::nullopt;
}

std::optional<bool> order_truth(const Node& node, Ranges args) {
  const ValueRange &a = args[0], &b = args[1];
  if (a.undefined || b.undefined) return std::nullopt;
  if ((a.empty() && a.nan) || (b.empty() && b.nan)) return false;
  const bool strict = node.op == NodeOp::less;
  if (strict ? a.low >= b.high : a.low > b.high) return false;  // a nan compares false as well
  if (a.nan || b.nan) return std::nullopt;
  return (strict ? a.high < b.low : a.high <= b.low) ? std::optional(true) : std::nullopt;
}

std::optional<bool> is_nan_truth(const Node&, Ranges args) {
  if (args[0].undefined || (args[0].nan && !args[0].empty())) return std::nullopt;
  return args[0].nan;
}

template <class Function>
constexpr OperationTraits equality(NodeOp op) {
  return {.op = op, .gives = Gives::truth, .value = equality_value, .truth = equality_truth, .bounds = truth_bounds, .loops = comparison_loops<Function>()};
}

/// False is below true: a < b falls with a and rises with b.
template <class Function>
constexpr OperationTraits order(NodeOp op) {
  return {.op = op,
          .gives = Gives::truth,
          .value = order_value,
          .course = by_argument<Course::falls, Course::rises>,
          .truth = order_truth,
          .bounds = truth_bounds,
          .loops = comparison_loops<Function>()};
}

const OperationTraits comparison_records[] = {
    equality<Equal>(NodeOp::equal),
    equality<NotEqual>(NodeOp::not_equal),
    order<Less>(NodeOp::less),
    order<LessEqual>(NodeOp::less_equal),
    {.op = NodeOp::is_nan,
     .word = "isnan",
     .arguments = 1,
     .gives = Gives::truth,
     .value = is_nan_value,
     .truth = is_nan_truth,
     .bounds = truth_bounds,
     .loops = {.floats = run_lanes<IsNan, float, float>}},
};

}  // namespace

std::span<const OperationTraits> comparison_operations() { return comparison_records; }

}  // namespace tiebreak::operations_inside
