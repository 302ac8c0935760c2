// SPDX-License-Identifier: Apache-2.0
// The lowering of a formula to a scalar plan. Split by carrier: whole numbers with a unit (scalar_plan_integers.cpp), their roundings
// (scalar_plan_roundings.cpp), doubles (scalar_plan_doubles.cpp), truth values and choices between branches (scalar_plan_truths.cpp).
#pragma once
#include <optional>
#include <vector>

#include "interpreter/stairs/scalar_plan.hpp"

namespace tiebreak {

/// What a slot is worth in a lane, exactly.
Value lane_value(const Slot& slot, const Lanes& lanes, std::size_t lane);

class Lowering {
 public:
  Lowering(const Formula& formula, KnownValues& known, const OrderedType& input, bool strict_zeros, bool open_ends)
      : formula_(formula), known_(known), input_(input), strict_zeros_(strict_zeros), open_ends_(open_ends), slot_of_(formula.nodes.size()) {}

  /// The slot of a node, with everything it needs.
  Result<std::size_t> slot(NodeId node);
  /// An operation met open ends and needs all of the value: lower again without them.
  bool stuck() const { return stuck_; }
  ScalarPlan take() { return std::move(plan_); }
  const Slot& operator[](std::size_t slot) const { return plan_.slots[slot]; }

 private:
  using Maybe = std::optional<std::size_t>;  ///< nothing: this carrier does not do it

  Result<std::size_t> compute(NodeId id);
  std::size_t add_slot(Slot slot);
  std::size_t constant_slot(Value value);
  std::size_t error_slot(const Node& node);
  std::size_t input_slot();
  Result<std::size_t> exactly(const Node& node, const std::vector<std::size_t>& args);
  template <class Each>
  void emit(Each each);
  void inherit_undefined(std::size_t out, const std::vector<std::size_t>& args);

  // scalar_plan_integers.cpp
  struct Common {  ///< a = n * first_factor, b = m * second_factor in one unit
    Real unit;
    std::int64_t first_factor, second_factor;
  };
  Maybe as_scaled(std::size_t slot);
  std::optional<Common> common_unit(const Slot& a, const Slot& b) const;
  Maybe sum(const Node& node, std::size_t a, std::size_t b);
  Maybe product(const Node& node, std::size_t a, std::size_t b);
  Maybe times_constant(std::size_t a, const Real& factor);
  Maybe negated(std::size_t a);
  Maybe bounded(const Node& node, std::size_t a);  ///< saturate, wrap, trap
  Maybe extreme(const Node& node, std::size_t a, std::size_t b);
  Maybe magnitude(const Node& node, std::size_t a);
  std::optional<Slot> whole_slot(Real unit, Wide low, Wide high) const;
  bool keeps_zero(const Node& node, const Slot& slot) const;
  template <class Op>
  std::size_t emit_whole(Slot out, std::size_t a, std::size_t b, bool narrow, Op op);

  // scalar_plan_roundings.cpp
  Maybe rounded_whole(const Node& node, std::size_t a);
  Maybe rounded_scaled(Rounding rounding, std::size_t a);

  // scalar_plan_doubles.cpp
  Maybe as_real(std::size_t slot);
  Maybe real_arithmetic(const Node& node, std::size_t a, std::size_t b);
  Result<Maybe> rounded_float(const Node& node);
  Maybe fused(const Node& rounding, const Node& operation, std::size_t a, std::size_t b);
  Maybe float_of_scaled(const Node& node, std::size_t a);
  Maybe float_of_real(const Node& node, std::size_t a);
  std::optional<Slot> float_slot(const Node& node, int top, int bottom, bool infinite) const;

  // scalar_plan_truths.cpp
  Maybe compared(const Node& node, std::size_t a, std::size_t b);
  Maybe logical(const Node& node, const std::vector<std::size_t>& args);
  Maybe joined(const Node& node, std::size_t a, std::size_t b);
  Result<std::size_t> selected(const Node& node);
  struct Limits {
    std::optional<Wide> low{}, high{};
  };
  void limits_of(NodeId condition, bool truth, NodeId value, Limits& limits);
  std::size_t closed(const Node& conditional, bool truth, std::size_t branch);
  Result<std::size_t> selected_exactly(const Node& node, std::size_t condition, std::size_t yes, std::size_t no);
  void select_undefined(std::size_t result, std::size_t condition, std::size_t yes, std::size_t no);

  const Formula& formula_;
  KnownValues& known_;
  const OrderedType& input_;
  bool strict_zeros_;  ///< the sign of a zero can reach the result
  bool open_ends_;     ///< doubles beyond 2^60 may become whole numbers with tails
  bool stuck_ = false;
  std::vector<std::optional<std::size_t>> slot_of_;
  ScalarPlan plan_{};
};

template <class Each>
void Lowering::emit(Each each) {
  plan_.steps.push_back([each](Frame& frame) -> Status {
    for (std::size_t lane = 0; lane < frame.count; ++lane) each(frame, lane);
    return {};
  });
}

/// out = op(a, b), in 64 bits where `narrow`, else in 128.
template <class Op>
std::size_t Lowering::emit_whole(Slot out, std::size_t a, std::size_t b, bool narrow, Op op) {
  narrow = narrow && out.kind == SlotKind::integer && plan_.slots[a].kind == SlotKind::integer && plan_.slots[b].kind == SlotKind::integer;
  const bool small = out.kind == SlotKind::integer;
  const std::size_t result = add_slot(std::move(out));
  const std::size_t to = plan_.slots[result].place, from = plan_.slots[a].place, and_from = plan_.slots[b].place;
  plan_.steps.push_back([=](Frame& frame) -> Status {
    Lanes& target = frame.lanes[to];
    const Lanes& left = frame.lanes[from];
    const Lanes& right = frame.lanes[and_from];
    if (narrow) {
      const std::int64_t* x = left.integers.data();
      const std::int64_t* y = right.integers.data();
      std::int64_t* z = target.integers.data();
      for (std::size_t i = 0; i < frame.count; ++i) z[i] = op(x[i], y[i]);
    } else if (small) {
      for (std::size_t i = 0; i < frame.count; ++i) target.integers[i] = static_cast<std::int64_t>(op(left.whole(i), right.whole(i)));
    } else {
      for (std::size_t i = 0; i < frame.count; ++i) target.wides[i] = op(left.whole(i), right.whole(i));
    }
    return {};
  });
  inherit_undefined(result, {a, b});
  return result;
}

/// Exact bounds in 128 bits; nothing where they do not fit.
inline std::optional<Wide> checked_add(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}
inline std::optional<Wide> checked_multiply(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}
inline bool fits_64(Wide v) { return v >= INT64_MIN && v <= INT64_MAX; }
inline bool fits_126(Wide v) { return v < (Wide{1} << 126) && v > -(Wide{1} << 126); }

}  // namespace tiebreak
