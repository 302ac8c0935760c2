// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/cell_unroller.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {

CellUnroller::CellUnroller(const Formula& from, Formula& into, std::int64_t cell, Read read, std::size_t longest)
    : from_(from),
      into_(into),
      read_(std::move(read)),
      longest_(longest),
      cell_number_(cell),
      cell_(from.geometry.cell_extents.size()),
      item_(from.geometry.item_extents.size()) {
  unravel(cell, from.geometry.cell_extents, cell_);
}

Result<NodeId> CellUnroller::add(Node node) {
  const NodeId id = into_.add(std::move(node));
  if (into_.nodes.size() > longest_) return fail(Errc::limit, fmt::format("{}: the formula of one element has more than {} operations", from_.op, longest_));
  return id;
}

Result<NodeId> CellUnroller::at(NodeId id) {
  const Node& node = from_[id];
  const bool carried = (node.rate & rate_carried) != 0;
  const Key key{id, (node.rate & rate_item) != 0 ? item_number_ : 0, carried ? first_carried_ : -1, carried ? second_carried_ : -1};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  TIEBREAK_TRY(made, compute(id));
  known_[key] = made;
  return made;
}

Result<NodeId> CellUnroller::compute(NodeId id) {
  const Node& node = from_[id];
  if (node.set_end >= 0) return fail(Errc::unsupported, from_.op + ": the page leaves a set of results", node.file);
  if ((node.rate & rate_block) != 0) return fail(Errc::unsupported, from_.op + ": sums by blocks are not written out", node.file);
  switch (node.op) {
    case NodeOp::element: return element(node);
    case NodeOp::carried: return node.source == 0 ? first_carried_ : second_carried_;
    case NodeOp::index: return into_.constant(Real(from_.geometry.has_bag ? item_number_ : cell_number_), true);
    case NodeOp::count: return into_.constant(Real(static_cast<std::int64_t>(bag(AggregateOrder::sequential).size())), true);
    case NodeOp::aggregate: return aggregate(node);
    case NodeOp::conditional:
    case NodeOp::conjunction:
    case NodeOp::disjunction: return by_need(node);
    default: break;
  }
  Node copy = node;
  copy.rate = 0;
  for (NodeId& arg : copy.args) {
    TIEBREAK_TRY(own, at(arg));
    arg = own;
  }
  return add(std::move(copy));
}

/// As the exact engine does: what is not asked for is not looked at, where the question is answered by now.
Result<NodeId> CellUnroller::by_need(const Node& node) {
  TIEBREAK_TRY(asked, at(node.args[0]));
  Node copy = node;
  copy.rate = 0;
  copy.args[0] = asked;
  if (into_.is_constant(asked)) {
    const Value& value = into_[asked].constant;
    if (value.is_undefined()) return asked;
    if (node.op == NodeOp::conditional) return at(node.args[value.truth() ? 1 : 2]);
    return value.truth() == (node.op == NodeOp::disjunction) ? Result<NodeId>(asked) : at(node.args[1]);
  }
  for (std::size_t i = 1; i < copy.args.size(); ++i) {
    TIEBREAK_TRY(own, at(node.args[i]));
    copy.args[i] = own;
  }
  return add(std::move(copy));
}

Result<NodeId> CellUnroller::element(const Node& node) {
  const Source& source = from_.sources[static_cast<std::size_t>(node.source)];
  const std::int64_t offset = source.access.offset(cell_, item_);
  if (offset < 0) return node.args.empty() ? Result<NodeId>(into_.constant(Value())) : at(node.args[0]);
  if (source.tensor == nullptr) return into_.constant(source.value(offset), source.integer);
  TIEBREAK_TRY(read, read_(node.source, offset));
  if (into_[read].truth == node.truth || (into_.is_constant(read) && into_[read].constant.is_undefined())) return read;
  // A truth value is stored as 0 or 1.
  Node asked;
  asked.text = node.text;
  asked.truth = node.truth;
  if (node.truth) {
    asked.op = NodeOp::not_equal;
    asked.args = {read, into_.constant(Real(0))};
  } else {
    asked.op = NodeOp::conditional;
    asked.integer = node.integer;
    asked.args = {read, into_.constant(Real(1), true), into_.constant(Real(0), true)};
  }
  return add(std::move(asked));
}

/// The items of this cell that are no holes, in the order of the aggregate.
std::vector<std::int64_t> CellUnroller::bag(AggregateOrder order) const {
  const std::int64_t count = from_.geometry.items();
  std::vector<std::int64_t> items, coordinates(item_.size());
  for (std::int64_t place = 0; place < count; ++place) {
    const std::int64_t features = from_.geometry.features(), taps = features > 0 ? count / features : 0;
    const std::int64_t item = order == AggregateOrder::feature_slowest ? place % taps * features + place / taps : place;
    unravel(item, from_.geometry.item_extents, coordinates);
    const bool hole = std::ranges::any_of(from_.nodes, [&](const Node& node) {
      if (node.op != NodeOp::element || !node.args.empty()) return false;
      const Access& access = from_.sources[static_cast<std::size_t>(node.source)].access;
      return access.may_miss && access.offset(cell_, coordinates) < 0;
    });
    if (!hole) items.push_back(item);
  }
  return items;
}

Result<NodeId> CellUnroller::carry(NodeId graph, NodeId first, NodeId second) {
  const NodeId outer_first = first_carried_, outer_second = second_carried_;
  first_carried_ = first;
  second_carried_ = second;
  Result<NodeId> value = at(graph);
  first_carried_ = outer_first;
  second_carried_ = outer_second;
  return value;
}

Result<NodeId> CellUnroller::combine(const Node& node, NodeId a, NodeId b) {
  if (node.aggregate.kind == AggregateKind::fold) return carry(node.aggregate.combine, a, b);
  Node joined;
  joined.op = combining_op(node.aggregate.kind);
  joined.integer = node.integer;
  joined.place = node.place;
  joined.file = node.file;
  joined.text = node.text;
  joined.args = {a, b};
  TIEBREAK_TRY(value, add(std::move(joined)));
  return node.aggregate.step < 0 ? Result<NodeId>(value) : carry(node.aggregate.step, value, -1);
}

Result<NodeId> CellUnroller::start_of(const Node& node) {
  if (node.args.size() > 1) return at(node.args[1]);
  if (node.aggregate.kind == AggregateKind::fold) return -1;
  return into_.constant(neutral(node.aggregate.kind), node.integer);
}

Result<NodeId> CellUnroller::pairwise(const Node& node, const std::vector<NodeId>& values, std::size_t first, std::size_t count) {
  if (count == 1) {
    TIEBREAK_TRY(start, start_of(node));
    return start < 0 ? Result<NodeId>(values[first]) : combine(node, start, values[first]);
  }
  const std::size_t half = (count + 1) / 2;
  TIEBREAK_TRY(left, pairwise(node, values, first, half));
  TIEBREAK_TRY(right, pairwise(node, values, first + half, count - half));
  return combine(node, left, right);
}

Result<NodeId> CellUnroller::aggregate(const Node& node) {
  if (node.aggregate.blocks > 0 || node.aggregate.over_blocks > 0) return fail(Errc::unsupported, from_.op + ": sums by blocks are not written out", node.file);
  const std::int64_t outer = item_number_;
  const std::vector<std::int64_t> outer_coordinates = item_;
  std::vector<NodeId> values;
  for (const std::int64_t item : bag(node.aggregate.order)) {
    item_number_ = item;
    unravel(item, from_.geometry.item_extents, item_);
    TIEBREAK_TRY(value, at(node.args[0]));
    values.push_back(value);
  }
  item_number_ = outer;
  item_ = outer_coordinates;
  if (node.aggregate.order == AggregateOrder::pairwise && !values.empty()) return pairwise(node, values, 0, values.size());
  TIEBREAK_TRY(total, start_of(node));
  for (const NodeId value : values) {
    if (total < 0) {
      total = value;
      continue;
    }
    TIEBREAK_TRY(next, combine(node, total, value));
    total = next;
  }
  return total < 0 ? Result<NodeId>(into_.constant(Value())) : Result<NodeId>(total);
}

}  // namespace tiebreak
