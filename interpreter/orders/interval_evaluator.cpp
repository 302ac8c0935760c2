// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/interval_evaluator.hpp"

#include <algorithm>

#include "interpreter/orders/sum_interval.hpp"

namespace tiebreak {
namespace {

using Range = IntervalEvaluator::Range;
using Known = Result<std::optional<Range>>;

Known unknown() { return std::optional<Range>(); }
Known known(Value low, Value high) { return std::optional<Range>(Range{std::move(low), std::move(high)}); }

bool is_rounded_sum(const Formula& formula, const Node& node) {
  if (node.op != NodeOp::aggregate || node.aggregate.kind != AggregateKind::sum || node.aggregate.step < 0) return false;
  const Node& step = formula[node.aggregate.step];
  return step.op == NodeOp::round_float && step.rounding == Rounding::nearest_even && formula[step.args[0]].op == NodeOp::carried;
}

bool is_bounded(const Value& value) { return value.is_computable() || (value.is_number() && value.number().is_finite()); }

Known checked(Range range) {
  if (range.is_point() || (is_bounded(range.low) && is_bounded(range.high))) return std::optional<Range>(std::move(range));
  return unknown();
}

/// 1, -1: the whole range is above or below zero; 0: it may hold zero.
int side_of_zero(const Range& range) {
  if (!range.low.is_number() || !range.high.is_number()) return 0;
  return range.low.number().sign() > 0 ? 1 : range.high.number().sign() < 0 ? -1 : 0;
}

/// Neither undefined nor nan.
bool has_order(const Value& value) { return !value.is_undefined() && !(value.is_number() && value.number().is_nan()); }

/// Which of two numbers is smaller is asked of exact numbers only.
Known hull(const std::vector<Value>& values) {
  if (!std::ranges::all_of(values, [](const Value& value) { return value.is_number() && value.number().is_finite(); })) return unknown();
  Real low = values[0].number(), high = low;
  for (const Value& value : values) {
    low = min(low, value.number());
    high = max(high, value.number());
  }
  return known(low, high);
}

}  // namespace

bool IntervalEvaluator::Range::is_point() const {
  if (low.is_truth()) return high.is_truth() && low.truth() == high.truth();
  if (low.is_number()) return high.is_number() && low.number().identical(high.number());
  return low.is_undefined() && high.is_undefined();
}

IntervalEvaluator::IntervalEvaluator(const Formula& formula, bool any_order, const std::vector<bool>& open_sources, Read read)
    : formula_(formula),
      exact_(formula),
      open_(formula.nodes.size(), 0),
      read_(std::move(read)),
      cell_place_(formula.geometry.cell_extents.size()),
      item_place_(formula.geometry.item_extents.size()),
      memo_cell_(formula.nodes.size(), -1),
      memo_(formula.nodes.size()) {
  const auto reads_open = [&](const Node& node) {
    return node.op == NodeOp::element && !open_sources.empty() && open_sources[static_cast<std::size_t>(node.source)];
  };
  for (bool changed = true; changed;) {  // nodes mostly follow what they are made of
    changed = false;
    for (std::size_t id = 0; id < formula.nodes.size(); ++id) {
      const Node& node = formula.nodes[id];
      const bool open = node.set_end >= 0 || reads_open(node) || (any_order && is_rounded_sum(formula, node)) ||
                        std::ranges::any_of(node.args, [&](NodeId arg) { return is_open(arg); });
      changed |= open && open_[id] == 0;
      open_[id] |= open ? 1 : 0;
    }
  }
}

void IntervalEvaluator::set_cell(std::int64_t cell) {
  exact_.set_cell(cell);
  cell_ = cell;
  unravel(cell, formula_.geometry.cell_extents, cell_place_);
}

void IntervalEvaluator::set_item(std::int64_t item) {
  exact_.set_item(item);
  item_ = item;
  unravel(item, formula_.geometry.item_extents, item_place_);
}

Known IntervalEvaluator::at(NodeId id) {
  const Node& node = formula_[id];
  if (!is_open(id)) {
    TIEBREAK_TRY(value, exact_.at(id));
    return known(value, value);
  }
  const auto place = static_cast<std::size_t>(id);
  const bool kept = (node.rate & (rate_item | rate_block | rate_carried)) == 0;
  if (kept && memo_cell_[place] == cell_) return memo_[place];
  auto compute = [&]() -> Known {
    if (node.set_end >= 0) return set(node);
    if (node.op == NodeOp::element) return element(node);
    if (node.op == NodeOp::aggregate) return aggregate(node);
    if (node.op == NodeOp::conditional || node.op == NodeOp::disjunction || node.op == NodeOp::conjunction) return conditional(node);
    std::vector<Range> args;
    for (NodeId arg : node.args) {
      TIEBREAK_TRY(range, at(arg));
      if (!range) return unknown();
      args.push_back(*range);
    }
    return apply(node, args);
  };
  TIEBREAK_TRY(range, compute());
  if (kept) memo_[place] = range, memo_cell_[place] = cell_;
  return range;
}

/// Every value from one end to the other; ends that may be others themselves widen it.
Known IntervalEvaluator::set(const Node& node) {
  TIEBREAK_TRY(first, at(node.args[0]));
  TIEBREAK_TRY(last, at(node.set_end));
  if (!first || !last || first->low.is_undefined() || last->high.is_undefined()) return unknown();
  return known(first->low, last->high);
}

/// An element that is no number for sure has no range.
Known IntervalEvaluator::element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  const std::int64_t offset = source.access.offset(cell_place_, item_place_);
  if (offset < 0) return node.args.empty() ? known(Value(), Value()) : at(node.args[0]);
  if (node.truth) return unknown();  // stored as 0 or 1
  const auto range = read_(static_cast<std::size_t>(node.source), offset);
  return range ? checked(*range) : unknown();
}

/// Whether the present item is none of the cell's: an operand that has no other value there has no element.
bool IntervalEvaluator::is_hole() {
  return std::ranges::any_of(formula_.nodes, [&](const Node& node) {
    if (node.op != NodeOp::element || !node.args.empty()) return false;
    const Access& access = formula_.sources[static_cast<std::size_t>(node.source)].access;
    return access.may_miss && access.offset(cell_place_, item_place_) < 0;
  });
}

/// Sums, greatest and least of ranges: from the ends. Sums that round after every step have a bound for any order.
Known IntervalEvaluator::aggregate(const Node& node) {
  const AggregateKind kind = node.aggregate.kind;
  const bool rounded = is_rounded_sum(formula_, node);
  const bool plain = node.aggregate.blocks == 0 && node.aggregate.over_blocks == 0 && (node.aggregate.step < 0 || rounded);
  if (!plain || (kind != AggregateKind::sum && kind != AggregateKind::maximum && kind != AggregateKind::minimum)) return unknown();
  if (rounded && node.args.size() > 1) return unknown();
  const std::int64_t outer = item_, items = formula_.geometry.items();
  std::vector<Range> terms;
  Known failed = unknown();
  bool bounded = true;
  for (std::int64_t item = 0; item < items && bounded; ++item) {
    set_item(item);
    if (is_hole()) continue;
    auto term = at(node.args[0]);
    bounded = term && *term && (*term)->low.is_number() && (*term)->high.is_number() && (*term)->low.number().is_finite() && (*term)->high.number().is_finite();
    if (bounded) terms.push_back(**term);
    else if (!term) failed = std::move(term);
  }
  set_item(outer);
  if (!bounded) return failed;
  if (rounded) return rounded_sum(node, terms);
  if (node.args.size() > 1) {
    TIEBREAK_TRY(start, at(node.args[1]));
    if (!start || !is_bounded(start->low) || !start->low.is_number() || !start->high.is_number()) return unknown();
    terms.push_back(*start);
  } else if (kind == AggregateKind::sum) {
    terms.push_back({Value(Real(0)), Value(Real(0))});
  }
  if (terms.empty()) return unknown();
  Real low = terms[0].low.number(), high = terms[0].high.number();
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const Real &a = terms[i].low.number(), &b = terms[i].high.number();
    low = kind == AggregateKind::sum ? low + a : kind == AggregateKind::maximum ? max(low, a) : min(low, a);
    high = kind == AggregateKind::sum ? high + b : kind == AggregateKind::maximum ? max(high, b) : min(high, b);
  }
  return checked({low, high});
}

/// Terms of one sign keep a sum on the far side of each of them, whatever the order: rounding is monotone.
Known IntervalEvaluator::rounded_sum(const Node& node, const std::vector<Range>& terms) const {
  const FloatFormat& format = *formula_[node.aggregate.step].format;
  Real low(0), high(0), size(0), most(0), least(0);
  bool positive = true, negative = true;
  for (const Range& term : terms) {
    const Real &a = term.low.number(), &b = term.high.number();
    low = low + a;
    high = high + b;
    size = size + max(abs(a), abs(b));
    positive &= a.sign() >= 0;
    negative &= b.sign() <= 0;
    most = max(most, a);
    least = min(least, b);
  }
  const Real bound = any_order_bound(format, static_cast<std::int64_t>(terms.size()), size);
  if (!bound.is_finite()) return unknown();
  Real from = low - bound, to = high + bound;
  if (positive) from = max(from, most);
  if (negative) to = min(to, least);
  const auto first = round_to(from, format, Rounding::up), last = round_to(to, format, Rounding::down);
  return first && last ? checked({*first, *last}) : unknown();
}

/// What is decided is decided for the whole range; a branch that gives no value gives no other.
Known IntervalEvaluator::conditional(const Node& node) {
  TIEBREAK_TRY(condition, at(node.args[0]));
  if (!condition || !condition->is_point()) return unknown();
  if (condition->low.is_undefined()) return condition;
  const bool truth = condition->low.truth();
  if (node.op == NodeOp::conditional) return at(node.args[truth ? 1 : 2]);
  return truth == (node.op == NodeOp::disjunction) ? Known(condition) : at(node.args[1]);
}

/// At the corners: a product or a quotient is greatest and least there. Of a square both factors move together.
Known IntervalEvaluator::at_corners(const Node& node, const Range& a, const Range& b) const {
  if (course_of(node, 1) == Course::against_other && side_of_zero(b) == 0) return unknown();
  std::vector<Value> corners;
  for (const Value* x : {&a.low, &a.high})
    for (const Value* y : {&b.low, &b.high}) {
      TIEBREAK_TRY(corner, apply_node(node, {*x, *y}));
      corners.push_back(corner);
    }
  if (node.op != NodeOp::multiply || node.args[0] != node.args[1]) return hull(corners);
  if (side_of_zero(a) != 0) return hull({corners[0], corners[3]});
  return hull({Value(Real(0)), corners[0], corners[3]});
}

/// Of an operation that rises or falls with each argument: its values where it is least and where it is greatest.
Known IntervalEvaluator::at_ends(const Node& node, const std::vector<Range>& args) const {
  std::vector<Value> least, greatest;
  if (std::ranges::all_of(args, &Range::is_point)) {
    for (const Range& range : args) least.push_back(range.low);
    TIEBREAK_TRY(value, apply_node(node, least));
    return known(value, value);
  }
  if (args.size() == 1 && course_of(node, 0) == Course::with_own && side_of_zero(args[0]) == 0) return about_zero(node, args[0]);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Course own = course_of(node, i);
    const Course course = own != Course::with_own ? own : side_of_zero(args[i]) > 0 ? Course::rises : Course::falls;
    const bool falls = course == Course::falls || (course == Course::falls_above_zero && side_of_zero(args[i]) > 0);
    if (!falls && course != Course::rises && course != Course::rises_where_number) return unknown();
    least.push_back(falls ? args[i].high : args[i].low);
    greatest.push_back(falls ? args[i].low : args[i].high);
  }
  TIEBREAK_TRY(low, apply_node(node, least));
  TIEBREAK_TRY(high, apply_node(node, greatest));
  // Where both ends have no number, what lies between them may have one.
  if (!has_order(low) || !has_order(high)) return unknown();
  return checked({low, high});
}

/// What falls up to zero and rises from there is least at zero, if zero is there.
Known IntervalEvaluator::about_zero(const Node& node, const Range& a) const {
  if (!a.low.is_number() || !a.high.is_number()) return unknown();
  std::vector<Value> values;
  for (const Real& argument : {a.low.number(), a.high.number(), max(a.low.number(), min(a.high.number(), Real(0)))}) {
    TIEBREAK_TRY(value, apply_node(node, {Value(argument)}));
    values.push_back(value);
  }
  return hull(values);
}

/// All values move by one multiple of 2^bits: then they stay in a row.
Known IntervalEvaluator::moved_by_wraps(const Node& node, const Range& a) const {
  if (!a.low.is_number() || !a.high.is_number()) return unknown();
  TIEBREAK_TRY(low, apply_node(node, {a.low}));
  TIEBREAK_TRY(high, apply_node(node, {a.high}));
  if (!low.is_number() || !high.is_number()) return unknown();
  return high.number() - low.number() == a.high.number() - a.low.number() ? checked({low, high}) : unknown();
}

Known IntervalEvaluator::apply(const Node& node, const std::vector<Range>& args) const {
  for (const Range& range : args)
    if (range.low.is_undefined() || range.high.is_undefined()) return range.is_point() ? known(Value(), Value()) : unknown();
  if (node.op == NodeOp::is_nan) return is_bounded(args[0].low) && is_bounded(args[0].high) ? known(Value(false), Value(false)) : unknown();
  if (course_of(node, 0) == Course::with_other) return at_corners(node, args[0], args[1]);
  if (node.op == NodeOp::wrap && !args[0].is_point()) return moved_by_wraps(node, args[0]);
  return at_ends(node, args);
}

}  // namespace tiebreak
