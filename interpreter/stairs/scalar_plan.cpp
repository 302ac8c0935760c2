// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/scalar_plan.hpp"

#include <algorithm>
#include <bit>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {

bool KnownValues::varies(NodeId id) {
  if (varies_.size() < formula_.nodes.size()) varies_.resize(formula_.nodes.size(), -1);
  signed char& known = varies_[static_cast<std::size_t>(id)];
  if (known < 0) {
    const Node& node = formula_[id];
    bool found = node.op == NodeOp::element && node.source == varied_;
    for (NodeId arg : node.args) found = varies(arg) || found;
    known = found ? 1 : 0;
  }
  return varies_[static_cast<std::size_t>(id)] > 0;
}

Result<Value> KnownValues::of(NodeId id) {
  const Node& node = formula_[id];
  if (node.op == NodeOp::constant) return node.constant;
  if (known_.size() < formula_.nodes.size()) known_.resize(formula_.nodes.size());
  if (known_[static_cast<std::size_t>(id)]) return *known_[static_cast<std::size_t>(id)];
  Value result;
  if (node.op == NodeOp::element) {
    const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
    const Real number = source.value(0);
    result = node.truth ? Value(!number.is_zero()) : Value(number);
  } else if (node.op == NodeOp::index) {
    result = Real(0);
  } else if (node.op == NodeOp::count) {
    result = Real(1);
  } else if (node.op == NodeOp::conditional) {
    TIEBREAK_TRY(condition, of(node.args[0]));
    if (!condition.is_undefined()) {
      TIEBREAK_TRY(branch, of(node.args[condition.truth() ? 1 : 2]));
      result = branch;
    }
  } else if (node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) {
    TIEBREAK_TRY(left, of(node.args[0]));
    result = left;
    if (!left.is_undefined() && left.truth() == (node.op == NodeOp::conjunction)) {
      TIEBREAK_TRY(right, of(node.args[1]));
      result = right;
    }
  } else {
    std::vector<Value> args;
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(value, of(arg));
      args.push_back(value);
    }
    TIEBREAK_TRY(applied, apply_node(node, args));
    result = applied;
  }
  known_[static_cast<std::size_t>(id)] = result;
  return result;
}

Result<NodeId> KnownValues::resolve(NodeId id) {
  for (;;) {
    const Node& node = formula_[id];
    if (node.op != NodeOp::conditional || varies(node.args[0])) return id;
    TIEBREAK_TRY(condition, of(node.args[0]));
    if (condition.is_undefined()) return id;
    id = node.args[condition.truth() ? 1 : 2];
  }
}

void ScalarPlan::reserve(Frame& frame) const {
  frame.lanes.resize(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    Lanes& lanes = frame.lanes[i];
    auto size = [](auto& lane_vector, bool used) {
      if (used) {
        if (lane_vector.size() < frame_lanes) lane_vector.resize(frame_lanes);
      } else {
        lane_vector.clear();
      }
    };
    size(lanes.integers, slot.kind == SlotKind::integer);
    size(lanes.wides, slot.kind == SlotKind::wide);
    size(lanes.reals, slot.kind == SlotKind::real);
    size(lanes.truths, slot.kind == SlotKind::truth);
    size(lanes.values, slot.kind == SlotKind::exact);
    size(lanes.undefined, slot.may_be_undefined);
  }
}

std::size_t Lowering::add_slot(Slot slot) {
  slot.place = plan_.slots.size();
  plan_.slots.push_back(std::move(slot));
  return plan_.slots.size() - 1;
}

std::size_t Lowering::constant_slot(Value value) {
  Slot slot;
  slot.kind = SlotKind::constant;
  slot.may_be_undefined = false;
  slot.constant = std::move(value);
  return add_slot(std::move(slot));
}

std::size_t Lowering::input_slot() {
  Slot slot;
  if (input_.is_integer()) {
    slot.kind = SlotKind::integer;
    slot.low = input_.first;
    slot.high = input_.last;
    const std::size_t out = add_slot(slot);
    emit([out](Frame& frame, std::size_t lane) { frame.lanes[out].integers[lane] = frame.inputs[lane]; });
    return out;
  }
  const FloatFormat& format = input_.type.floating();
  slot.kind = SlotKind::real;
  slot.precision = format.precision();
  slot.top = static_cast<int>(format.largest().exponent()) + 1;
  slot.bottom = static_cast<int>(format.smallest().exponent()) - (format.kind == FloatClass::scale ? format.fraction_bits : 0);
  slot.may_be_infinite = format.has_infinity();
  const std::size_t out = add_slot(slot);
  if (is_binary32(format)) {
    emit([out](Frame& frame, std::size_t lane) {
      const std::int64_t o = frame.inputs[lane];
      const std::uint32_t bits = o >= 0 ? static_cast<std::uint32_t>(o) : 0x80000000u | static_cast<std::uint32_t>(-(o + 1));
      frame.lanes[out].reals[lane] = static_cast<double>(std::bit_cast<float>(bits));
    });
  } else {
    emit([out, type = input_](Frame& frame, std::size_t lane) { frame.lanes[out].reals[lane] = type.value(frame.inputs[lane]).to_double(); });
  }
  return out;
}

/// Undefined in, undefined out.
void Lowering::inherit_undefined(std::size_t out, const std::vector<std::size_t>& args) {
  for (std::size_t arg : args) {
    if (!plan_.slots[arg].may_be_undefined) continue;
    const std::size_t from = plan_.slots[arg].place;
    const bool first = !plan_.slots[out].may_be_undefined;
    plan_.slots[out].may_be_undefined = true;
    if (first) emit([out, from](Frame& frame, std::size_t lane) { frame.lanes[out].undefined[lane] = frame.lanes[from].undefined[lane]; });
    else emit([out, from](Frame& frame, std::size_t lane) { frame.lanes[out].undefined[lane] |= frame.lanes[from].undefined[lane]; });
  }
}

namespace {

Real real_of(Wide v) {
  if (fits_64(v)) return Real(static_cast<std::int64_t>(v));
  return Real(static_cast<std::int64_t>(v >> 64)) * Real::power_of_two(64) + Real::from_unsigned(static_cast<std::uint64_t>(v));
}

}  // namespace

Value lane_value(const Slot& slot, const Lanes& lanes, std::size_t lane) {
  if (slot.may_be_undefined && lanes.undefined[lane] != 0) return Value();
  switch (slot.kind) {
    case SlotKind::constant: return slot.constant;
    case SlotKind::integer:
    case SlotKind::wide: return Value(real_of(lanes.whole(lane)) * slot.unit);
    case SlotKind::real: return Value(Real::from_double(lanes.reals[lane]));
    case SlotKind::truth: return Value(lanes.truths[lane] != 0);
    case SlotKind::exact: break;
  }
  return lanes.values[lane];
}

/// By apply_node. Results that are known to fit machine integers are carried as such again.
Result<std::size_t> Lowering::exactly(const Node& node, const std::vector<std::size_t>& args) {
  for (std::size_t arg : args)
    if (plan_.slots[arg].tails) {
      stuck_ = true;
      return fail(Errc::internal, "a value with open ends meets an operation that needs all of it", node.text);
    }
  Slot slot;
  slot.may_be_undefined = true;
  const bool bounded_whole = node.op == NodeOp::saturate || node.op == NodeOp::trap || node.op == NodeOp::wrap;
  const Real low = node.op == NodeOp::wrap ? node.integer_format.min() : node.low, high = node.op == NodeOp::wrap ? node.integer_format.max() : node.high;
  if (bounded_whole && low.to_int64() && high.to_int64()) {
    slot.kind = SlotKind::integer;
    slot.low = *low.to_int64();
    slot.high = *high.to_int64();
  } else if (node.truth) {
    slot.kind = SlotKind::truth;
  }
  const SlotKind kind = slot.kind;
  const std::size_t out = add_slot(slot);
  ++plan_.exact_steps;
  std::vector<Slot> sources;
  for (std::size_t arg : args) sources.push_back(plan_.slots[arg]);
  plan_.steps.push_back([out, kind, node, sources](Frame& frame) -> Status {
    Lanes& target = frame.lanes[out];
    std::vector<Value> values(sources.size());
    for (std::size_t lane = 0; lane < frame.count; ++lane) {
      std::uint8_t flags = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Lanes& from = frame.lanes[sources[i].place];
        if (sources[i].may_be_undefined) flags |= from.undefined[lane];
        values[i] = lane_value(sources[i], from, lane);
      }
      Value value;
      if (flags == 0) {
        auto applied = apply_node(node, values);
        flags = !applied ? lane_error : applied->is_undefined() ? lane_undefined : 0;
        if (applied) value = *std::move(applied);
      }
      target.undefined[lane] = flags;
      if (kind == SlotKind::integer) target.integers[lane] = value.is_undefined() ? 0 : value.number().to_int64().value_or(0);
      if (kind == SlotKind::truth) target.truths[lane] = !value.is_undefined() && value.truth() ? 1 : 0;
      if (kind == SlotKind::exact) target.values[lane] = value;
    }
    return {};
  });
  return out;
}

/// What does not vary is an error of the page: of no account where it is not asked for.
std::size_t Lowering::error_slot(const Node& node) {
  Slot slot;
  slot.kind = node.truth ? SlotKind::truth : SlotKind::exact;
  slot.may_be_undefined = true;
  const std::size_t out = add_slot(std::move(slot));
  emit([out](Frame& frame, std::size_t lane) { frame.lanes[out].undefined[lane] = lane_error; });
  return out;
}

Result<std::size_t> Lowering::slot(NodeId id) {
  const Result<NodeId> found = known_.resolve(id);
  if (!found) return error_slot(formula_[id]);
  const NodeId resolved = *found;
  auto& known = slot_of_[static_cast<std::size_t>(resolved)];
  if (known) return *known;
  TIEBREAK_TRY(computed, compute(resolved));
  slot_of_[static_cast<std::size_t>(resolved)] = computed;
  return computed;
}

Result<std::size_t> Lowering::compute(NodeId id) {
  const Node& node = formula_[id];
  if (!known_.varies(id)) {
    const Result<Value> value = known_.of(id);
    return value ? constant_slot(*value) : error_slot(node);
  }
  if (node.op == NodeOp::element) return input_slot();
  if (node.op == NodeOp::conditional) return selected(node);
  if (node.op == NodeOp::round_float) {
    TIEBREAK_TRY(done, rounded_float(node));
    if (done) return *done;
  }
  std::vector<std::size_t> args;
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(lowered, slot(arg));
    args.push_back(lowered);
  }
  Maybe done;
  switch (node.op) {
    using enum NodeOp;
    case add:
    case subtract:
      done = sum(node, args[0], args[1]);
      if (!done) done = real_arithmetic(node, args[0], args[1]);
      break;
    case multiply:
    case divide:
      done = product(node, args[0], args[1]);
      if (!done) done = real_arithmetic(node, args[0], args[1]);
      break;
    case negate: done = negated(args[0]); break;
    case round_whole: done = rounded_whole(node, args[0]); break;
    case saturate:
    case wrap:
    case trap: done = bounded(node, args[0]); break;
    case minimum:
    case maximum: done = extreme(node, args[0], args[1]); break;
    case absolute:
    case sign: done = magnitude(node, args[0]); break;
    case equal:
    case not_equal:
    case less:
    case less_equal: done = compared(node, args[0], args[1]); break;
    case conjunction:
    case disjunction:
    case negation:
    case is_nan: done = logical(node, args); break;
    default: break;
  }
  if (done) return *done;
  return exactly(node, args);
}

namespace {

Result<ScalarPlan> lower_all(Lowering& lowering, const Formula& formula, NodeId root) {
  TIEBREAK_TRY(result, lowering.slot(root));
  std::vector<std::size_t> required;
  for (const FormulaRequire& requirement : formula.requires_) {
    TIEBREAK_TRY(held, lowering.slot(requirement.node));
    required.push_back(held);
  }
  ScalarPlan plan = lowering.take();
  plan.root = result;
  plan.required = std::move(required);
  return plan;
}

}  // namespace

Result<ScalarPlan> lower(const Formula& formula, KnownValues& known, NodeId root, const OrderedType& input) {
  // The sign of a zero reaches a result that is a float, and through a division.
  bool strict_zeros = false;
  for (std::size_t i = 0; i < formula.nodes.size(); ++i) {
    const Node& node = formula.nodes[i];
    if (node.op == NodeOp::divide && known.varies(node.args[1])) strict_zeros = true;
    if (node.op == NodeOp::real_function && known.varies(static_cast<NodeId>(i))) strict_zeros = true;
  }
  for (const FormulaResult& result : formula.results)
    if (result.node == root && !result.type.element.is_integer()) strict_zeros = true;
  for (const bool open_ends : {true, false}) {
    Lowering lowering(formula, known, input, strict_zeros, open_ends);
    auto plan = lower_all(lowering, formula, root);
    if (plan || !lowering.stuck()) return plan;
  }
  return fail(Errc::internal, "a formula could not be lowered", formula.op);
}

}  // namespace tiebreak
