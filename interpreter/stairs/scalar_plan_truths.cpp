// SPDX-License-Identifier: Apache-2.0
// Comparisons, their combinations, and the choice between two branches.
#include <algorithm>

#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {

Lowering::Maybe Lowering::compared(const Node& node, std::size_t a, std::size_t b) {
  Slot out;
  out.kind = SlotKind::truth;
  const NodeOp op = node.op;
  auto hold = [op](auto m, auto n) -> std::uint8_t {
    switch (op) {
      case NodeOp::equal: return m == n;
      case NodeOp::not_equal: return m != n;
      case NodeOp::less: return m < n;
      default: return m <= n;
    }
  };
  const Maybe left = as_scaled(a), right = as_scaled(b);
  if (left && right) {
    const Slot x = plan_.slots[*left], y = plan_.slots[*right];
    auto common = common_unit(x, y);
    const Slot& closed = x.tails ? y : x;
    const bool comparable = common && (!(x.tails || y.tails) || (common->first_factor == 1 && common->second_factor == 1 && !(x.tails && y.tails) &&
                                                                 closed.low > -tail_limit && closed.high < tail_limit));
    if (comparable && checked_multiply(std::max(x.high, -x.low), common->first_factor) && checked_multiply(std::max(y.high, -y.low), common->second_factor)) {
      const Wide p = common->first_factor, q = common->second_factor;
      const std::size_t result = add_slot(out), m = x.place, n = y.place;
      emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].truths[lane] = hold(frame.lanes[m].whole(lane) * p, frame.lanes[n].whole(lane) * q); });
      inherit_undefined(result, {*left, *right});
      return result;
    }
  }
  const Maybe first = as_real(a), second = as_real(b);
  if (!first || !second) return std::nullopt;
  const std::size_t result = add_slot(out), m = plan_.slots[*first].place, n = plan_.slots[*second].place;
  emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].truths[lane] = hold(frame.lanes[m].reals[lane], frame.lanes[n].reals[lane]); });
  inherit_undefined(result, {*first, *second});
  return result;
}

Lowering::Maybe Lowering::logical(const Node& node, const std::vector<std::size_t>& args) {
  if (node.op == NodeOp::is_nan) {
    // Neither whole numbers nor slots of doubles hold a nan.
    const Slot& source = plan_.slots[args[0]];
    if ((!source.is_scaled() && source.kind != SlotKind::real) || source.may_be_undefined) return std::nullopt;
    return constant_slot(Value(false));
  }
  for (std::size_t i = 0; i < args.size() && args.size() == 2; ++i) {
    const Slot &known = plan_.slots[args[i]], &other = plan_.slots[args[1 - i]];
    if (known.kind != SlotKind::constant || !known.constant.is_truth() || (i == 1 && other.may_be_undefined)) continue;
    return known.constant.truth() == (node.op == NodeOp::disjunction) ? args[i] : args[1 - i];
  }
  if (args.size() == 2) return joined(node, args[0], args[1]);
  if (plan_.slots[args[0]].kind != SlotKind::truth || plan_.slots[args[0]].may_be_undefined) return std::nullopt;
  Slot out;
  out.kind = SlotKind::truth;
  const std::size_t result = add_slot(out), a = plan_.slots[args[0]].place;
  emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].truths[lane] = frame.lanes[a].truths[lane] == 0; });
  return result;
}

/// `and`, `or`: where the first is the answer, the second does not count, whether it is undefined or an error.
Lowering::Maybe Lowering::joined(const Node& node, std::size_t a, std::size_t b) {
  const Slot first = plan_.slots[a], second = plan_.slots[b];
  for (const Slot* slot : {&first, &second})
    if (slot->kind != SlotKind::truth && (slot->kind != SlotKind::constant || !slot->constant.is_truth())) return std::nullopt;
  Slot out;
  out.kind = SlotKind::truth;
  out.may_be_undefined = first.may_be_undefined || second.may_be_undefined;
  const bool answer = node.op == NodeOp::disjunction, open = out.may_be_undefined;
  const std::size_t result = add_slot(std::move(out));
  const auto truth = [](const Slot& slot, const Lanes& lanes, std::size_t lane) {
    return slot.kind == SlotKind::constant ? slot.constant.truth() : lanes.truths[lane] != 0;
  };
  emit([=](Frame& frame, std::size_t lane) {
    std::uint8_t flags = first.may_be_undefined ? frame.lanes[first.place].undefined[lane] : 0;
    bool held = truth(first, frame.lanes[first.place], lane);
    if (flags == 0 && held != answer) {
      flags = second.may_be_undefined ? frame.lanes[second.place].undefined[lane] : 0;
      held = truth(second, frame.lanes[second.place], lane);
    }
    frame.lanes[result].truths[lane] = held;
    if (open) frame.lanes[result].undefined[lane] = flags;
  });
  return result;
}

/// What a condition says of a value's size: `value < c`, `c <= value` and the like, joined by `and` where it is true, by `or` where it is false.
void Lowering::limits_of(NodeId condition, bool truth, NodeId value, Limits& limits) {
  const Node& node = formula_[condition];
  if (node.op == (truth ? NodeOp::conjunction : NodeOp::disjunction)) {
    for (const NodeId arg : node.args) limits_of(arg, truth, value, limits);
    return;
  }
  if (node.op == NodeOp::negation) return limits_of(node.args[0], !truth, value, limits);
  if (node.op != NodeOp::less && node.op != NodeOp::less_equal) return;
  for (const std::size_t side : {0u, 1u}) {
    const Result<NodeId> compared = known_.resolve(node.args[side]);
    if (!compared || *compared != value || known_.varies(node.args[1 - side])) continue;
    const Result<Value> limit = known_.of(node.args[1 - side]);
    const std::optional<std::int64_t> number = limit && limit->is_number() && limit->number().is_whole() ? limit->number().to_int64() : std::nullopt;
    if (!number) continue;
    // Wider by one than `<` says, which harms nothing.
    if ((side == 0) == truth) limits.high = std::min(limits.high.value_or(*number), Wide{*number});
    else limits.low = std::max(limits.low.value_or(*number), Wide{*number});
  }
}

/// A branch with open ends, where the condition lets it be taken for numbers between limits alone: its ends are closed there.
std::size_t Lowering::closed(const Node& conditional, bool truth, std::size_t branch) {
  const Slot open = plan_.slots[branch];
  const Result<NodeId> value = known_.resolve(conditional.args[truth ? 1 : 2]);
  if (!open.is_scaled() || !open.tails || !(open.unit == Real(1)) || !value) return branch;
  Limits limits;
  limits_of(conditional.args[0], truth, *value, limits);
  if (!limits.low || !limits.high || *limits.low <= -tail_limit || *limits.high >= tail_limit || *limits.low > *limits.high) return branch;
  const Wide low = *limits.low, high = *limits.high;
  return emit_whole(*whole_slot(Real(1), low, high), branch, branch, true, [low, high](auto m, auto) {
    using T = decltype(m);
    return std::clamp(m, static_cast<T>(low), static_cast<T>(high));
  });
}

/// The branch not taken does not count, whether it is undefined or an error.
Result<std::size_t> Lowering::selected(const Node& node) {
  TIEBREAK_TRY(condition, slot(node.args[0]));
  const Slot test = plan_.slots[condition];
  if (test.kind == SlotKind::constant) {
    if (test.constant.is_undefined()) return condition;
    return slot(node.args[test.constant.truth() ? 1 : 2]);
  }
  if (test.kind != SlotKind::truth) return fail(Errc::internal, "a condition that is no truth value", node.text);
  TIEBREAK_TRY(yes, slot(node.args[1]));
  TIEBREAK_TRY(no, slot(node.args[2]));
  yes = closed(node, true, yes);
  no = closed(node, false, no);
  const std::size_t choice = test.place;
  std::size_t result = 0, m = 0, n = 0;
  bool done = false;
  const Maybe left = as_scaled(yes), right = as_scaled(no);
  // A branch of its own zero sign must not be turned into a whole number.
  const bool scaled = left && right && (!strict_zeros_ || node.integer);
  if (scaled) {
    const Slot x = plan_.slots[*left], y = plan_.slots[*right];
    auto common = common_unit(x, y);
    const auto wide_of = [](const Slot& s, std::int64_t factor) { return checked_multiply(std::max(s.high, -s.low), factor); };
    const bool open = x.tails || y.tails;
    if (common && wide_of(x, common->first_factor) && wide_of(y, common->second_factor) &&
        (!open || (common->first_factor == 1 && common->second_factor == 1))) {
      const Wide p = common->first_factor, q = common->second_factor;
      auto out = whole_slot(common->unit, std::min(x.low * p, y.low * q), std::max(x.high * p, y.high * q));
      if (out) {
        out->tails = open;
        const bool small = out->kind == SlotKind::integer;
        result = add_slot(*out);
        m = x.place;
        n = y.place;
        yes = *left;
        no = *right;
        emit([=](Frame& frame, std::size_t lane) {
          const Wide v = frame.lanes[choice].truths[lane] != 0 ? frame.lanes[m].whole(lane) * p : frame.lanes[n].whole(lane) * q;
          if (small) frame.lanes[result].integers[lane] = static_cast<std::int64_t>(v);
          else frame.lanes[result].wides[lane] = v;
        });
        done = true;
      }
    }
  }
  const Maybe first = done ? std::nullopt : as_real(yes), second = done ? std::nullopt : as_real(no);
  if (!done && first && second) {
    const Slot x = plan_.slots[*first], y = plan_.slots[*second];
    Slot out = x;
    out.may_be_undefined = false;
    out.precision = std::max(x.precision, y.precision);
    out.top = std::max(x.top, y.top);
    out.bottom = std::min(x.bottom, y.bottom);
    out.may_be_infinite = x.may_be_infinite || y.may_be_infinite;
    result = add_slot(out);
    m = x.place;
    n = y.place;
    yes = *first;
    no = *second;
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].reals[lane] = frame.lanes[frame.lanes[choice].truths[lane] != 0 ? m : n].reals[lane]; });
    done = true;
  }
  if (!done && plan_.slots[yes].kind == SlotKind::truth && plan_.slots[no].kind == SlotKind::truth) {
    Slot out;
    out.kind = SlotKind::truth;
    result = add_slot(out);
    m = plan_.slots[yes].place;
    n = plan_.slots[no].place;
    emit([=](Frame& frame, std::size_t lane) { frame.lanes[result].truths[lane] = frame.lanes[frame.lanes[choice].truths[lane] != 0 ? m : n].truths[lane]; });
    done = true;
  }
  if (!done) return selected_exactly(node, condition, yes, no);
  select_undefined(result, condition, yes, no);
  return result;
}

void Lowering::select_undefined(std::size_t result, std::size_t condition, std::size_t yes, std::size_t no) {
  const Slot test = plan_.slots[condition], x = plan_.slots[yes], y = plan_.slots[no];
  if (!test.may_be_undefined && !x.may_be_undefined && !y.may_be_undefined) return;
  plan_.slots[result].may_be_undefined = true;
  emit([=](Frame& frame, std::size_t lane) {
    const bool taken = frame.lanes[test.place].truths[lane] != 0;
    const Slot& branch = taken ? x : y;
    const std::uint8_t asked = test.may_be_undefined ? frame.lanes[test.place].undefined[lane] : 0;
    frame.lanes[result].undefined[lane] = asked != 0 || !branch.may_be_undefined ? asked : frame.lanes[branch.place].undefined[lane];
  });
}

Result<std::size_t> Lowering::selected_exactly(const Node& node, std::size_t condition, std::size_t yes, std::size_t no) {
  for (std::size_t arg : {yes, no})
    if (plan_.slots[arg].tails) {
      stuck_ = true;
      return fail(Errc::internal, "a value with open ends meets a choice that needs all of it", node.text);
    }
  Slot slot;
  slot.may_be_undefined = true;
  const std::size_t out = add_slot(slot);
  ++plan_.exact_steps;
  const Slot test = plan_.slots[condition], x = plan_.slots[yes], y = plan_.slots[no];
  emit([=](Frame& frame, std::size_t lane) {
    Value value;
    std::uint8_t flags = test.may_be_undefined ? frame.lanes[test.place].undefined[lane] : 0;
    if (flags == 0) {
      const Slot& branch = frame.lanes[test.place].truths[lane] != 0 ? x : y;
      value = lane_value(branch, frame.lanes[branch.place], lane);
      flags = branch.may_be_undefined ? frame.lanes[branch.place].undefined[lane] : 0;
      if (flags == 0 && value.is_undefined()) flags = lane_undefined;
    }
    frame.lanes[out].undefined[lane] = flags;
    frame.lanes[out].values[lane] = std::move(value);
  });
  return out;
}

}  // namespace tiebreak
