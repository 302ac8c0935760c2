// SPDX-License-Identifier: Apache-2.0
#include "interpreter/formula/exact_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tiebreak {
namespace {

Node arithmetic_node(NodeOp op, const Node& like) {
  Node node;
  node.op = op;
  node.integer = like.integer;
  node.place = like.place;
  node.file = like.file;
  node.text = like.text;
  return node;
}

}  // namespace

Value neutral(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::sum: return Real(0);
    case AggregateKind::product: return Real(1);
    case AggregateKind::minimum: return Real::infinity();
    case AggregateKind::maximum: return Real::infinity(true);
    case AggregateKind::fold: break;
  }
  return Value();
}

NodeOp combining_op(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::product: return NodeOp::multiply;
    case AggregateKind::minimum: return NodeOp::minimum;
    case AggregateKind::maximum: return NodeOp::maximum;
    default: return NodeOp::add;
  }
}

ExactEvaluator::ExactEvaluator(const Formula& formula)
    : formula_(formula),
      cell_(formula.geometry.cell_extents.size(), 0),
      item_(formula.geometry.item_extents.size(), 0),
      items_per_cell_(formula.geometry.items()) {
  for (const Node& node : formula.nodes)
    if (node.op == NodeOp::element && node.args.empty() && formula.sources[static_cast<std::size_t>(node.source)].access.may_miss)
      missing_.push_back(&formula.sources[static_cast<std::size_t>(node.source)].access);
}

void ExactEvaluator::set_cell(std::int64_t cell) {
  cell_number_ = cell;
  unravel(cell, formula_.geometry.cell_extents, cell_);
}

void ExactEvaluator::set_item(std::int64_t item) {
  item_number_ = item;
  unravel(item, formula_.geometry.item_extents, item_);
}

ExactEvaluator::Key ExactEvaluator::key_of(std::uint64_t rate) const {
  Key key{0, 0, 0};
  for (std::size_t c = 0; c < cell_.size(); ++c)
    if ((rate >> c & 1) != 0) key.cell = key.cell * formula_.geometry.cell_extents[c] + cell_[c];
  if ((rate & rate_item) != 0) key.item = item_number_;
  if ((rate & rate_block) != 0) key.block = block_number_;
  return key;
}

Result<Value> ExactEvaluator::at(NodeId id) {
  const Node& node = formula_[id];
  if (node.op == NodeOp::constant) return node.constant;
  if (formula_.stop.is_requested()) return tl::unexpected<Error>(formula_.stop.check().error());
  if ((node.rate & rate_carried) != 0) return compute(id);
  if (memo_.size() < formula_.nodes.size()) memo_.resize(formula_.nodes.size());
  const Key key = key_of(node.rate);
  if (memo_[static_cast<std::size_t>(id)].key == key) return memo_[static_cast<std::size_t>(id)].value;
  TIEBREAK_TRY(value, compute(id));
  memo_[static_cast<std::size_t>(id)] = {key, value};
  return value;
}

Result<Value> ExactEvaluator::compute(NodeId id) {
  const Node& node = formula_[id];
  switch (node.op) {
    case NodeOp::element: return element(node);
    case NodeOp::carried: return carried_[static_cast<std::size_t>(node.source)];
    case NodeOp::index: return Value(Real(formula_.geometry.has_bag ? item_number_ : cell_number_));
    case NodeOp::count: return Value(Real(static_cast<std::int64_t>(bag().size())));
    case NodeOp::aggregate: return node.aggregate.over_blocks > 0 ? over_blocks(node) : aggregate(node);
    case NodeOp::conditional: {
      // By need: the branch not taken is not evaluated.
      TIEBREAK_TRY(condition, at(node.args[0]));
      if (condition.is_undefined()) return condition;
      return at(node.args[condition.truth() ? 1 : 2]);
    }
    case NodeOp::conjunction:
    case NodeOp::disjunction: {
      TIEBREAK_TRY(left, at(node.args[0]));
      if (left.is_undefined() || left.truth() == (node.op == NodeOp::disjunction)) return left;
      return at(node.args[1]);
    }
    default: break;
  }
  std::vector<Value> args;
  args.reserve(node.args.size());
  for (NodeId arg : node.args) {
    TIEBREAK_TRY(value, at(arg));
    args.push_back(value);
  }
  return apply_node(node, args);
}

Result<Value> ExactEvaluator::element(const Node& node) {
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  const std::int64_t offset = source.access.offset(cell_, item_);
  if (offset < 0) return node.args.empty() ? Result<Value>(Value()) : at(node.args[0]);
  if (source.undefined != nullptr && (*source.undefined)[static_cast<std::size_t>(offset)] != 0) return Value();
  Real value = source.value(offset);
  if (node.truth) return Value(!value.is_zero());
  return Value(std::move(value));
}

/// The items of this cell: all, or those that are no holes.
const std::vector<std::int64_t>& ExactEvaluator::bag() {
  if (bag_cell_ == cell_number_ || (missing_.empty() && bag_cell_ >= 0)) return bag_;
  bag_cell_ = cell_number_;
  std::vector<std::int64_t>& items = bag_;
  items.clear();
  std::vector<std::int64_t> coordinates(item_.size());
  for (std::int64_t i = 0; i < items_per_cell_; ++i) {
    unravel(i, formula_.geometry.item_extents, coordinates);
    if (std::ranges::all_of(missing_, [&](const Access* access) { return access->offset(cell_, coordinates) >= 0; })) items.push_back(i);
  }
  return items;
}

std::int64_t ExactEvaluator::block_count(std::int64_t blocks, bool restart) const {
  const std::int64_t run = restart && !item_.empty() ? formula_.geometry.item_extents.back() : items_per_cell_;
  if (run == 0) return 0;
  return items_per_cell_ / run * ((run + blocks - 1) / blocks);
}

/// The item at a place of order(feature, spatial).
std::int64_t ExactEvaluator::item_by_feature(std::int64_t place) const {
  const std::int64_t features = formula_.geometry.features();
  const std::int64_t taps = items_per_cell_ / features;
  return place % taps * features + place / taps;
}

/// The items at the places `first` to before `last` of the aggregate's order, without holes.
std::vector<std::int64_t> ExactEvaluator::items_between(AggregateOrder order, std::int64_t first, std::int64_t last) {
  const auto& items = bag();  // ascending
  if (order != AggregateOrder::feature_slowest) return {std::ranges::lower_bound(items, first), std::ranges::lower_bound(items, last)};
  std::vector<std::int64_t> chosen;
  for (std::int64_t place = first; place < last; ++place)
    if (const std::int64_t item = item_by_feature(place); std::ranges::binary_search(items, item)) chosen.push_back(item);
  return chosen;
}

std::vector<std::int64_t> ExactEvaluator::block_items(const Aggregate& aggregate, std::int64_t block) {
  const std::int64_t run = aggregate.blocks_restart && !item_.empty() ? formula_.geometry.item_extents.back() : items_per_cell_;
  const std::int64_t per_run = (run + aggregate.blocks - 1) / aggregate.blocks;
  const std::int64_t first = block / per_run * run + block % per_run * aggregate.blocks;
  return items_between(aggregate.order, first, std::min(first + aggregate.blocks, (block / per_run + 1) * run));
}

Result<Value> ExactEvaluator::carry(NodeId graph, const Value& first, const Value& second) {
  const std::vector<Value> outer = carried_;
  carried_ = {first, second};
  Result<Value> value = at(graph);
  carried_ = outer;
  return value;
}

Result<Value> ExactEvaluator::combine(const Node& node, const Value& a, const Value& b) {
  if (node.aggregate.kind == AggregateKind::fold) return carry(node.aggregate.combine, a, b);
  TIEBREAK_TRY(sum, apply_node(arithmetic_node(combining_op(node.aggregate.kind), node), {a, b}));
  return node.aggregate.step < 0 ? Result<Value>(sum) : carry(node.aggregate.step, sum, Value());
}

Result<Value> ExactEvaluator::start_of(const Node& node, bool& has_start) {
  has_start = true;
  if (node.args.size() > 1) return at(node.args[1]);
  if (node.aggregate.kind == AggregateKind::fold) has_start = false;
  return neutral(node.aggregate.kind);
}

/// Each value taken into a start of its own, then halves combined, the first the larger.
Result<Value> ExactEvaluator::pairwise(const Node& node, std::span<const Value> values) {
  if (values.size() == 1) {
    bool has_start = false;
    TIEBREAK_TRY(start, start_of(node, has_start));
    return has_start ? combine(node, start, values[0]) : Result<Value>(values[0]);
  }
  const std::size_t half = (values.size() + 1) / 2;
  TIEBREAK_TRY(left, pairwise(node, values.first(half)));
  TIEBREAK_TRY(right, pairwise(node, values.subspan(half)));
  return combine(node, left, right);
}

Result<ExactEvaluator::Running> ExactEvaluator::begin(const Node& node) {
  Running running;
  TIEBREAK_TRY(start, start_of(node, running.has_total));
  running.total = start;
  return running;
}

/// One more value, in the aggregate's order: combined at once, or kept until all are there.
Status ExactEvaluator::take(const Node& node, const Value& value, Running& running) {
  if (node.aggregate.order == AggregateOrder::pairwise) {
    running.kept.push_back(value);
  } else if (!running.has_total) {
    running.total = value;
    running.has_total = true;
  } else {
    TIEBREAK_TRY(next, combine(node, running.total, value));
    running.total = next;
  }
  return {};
}

Result<Value> ExactEvaluator::finish(const Node& node, const Running& running) {
  if (running.kept.empty()) return running.total;
  return pairwise(node, running.kept);
}

Result<Value> ExactEvaluator::over_items(const Node& node, const std::vector<std::int64_t>& items) {
  const std::int64_t outer = item_number_;
  TIEBREAK_TRY(running, begin(node));
  for (std::int64_t item : items) {
    set_item(item);
    TIEBREAK_TRY(value, at(node.args[0]));
    TIEBREAK_CHECK(take(node, value, running));
  }
  set_item(outer);
  return finish(node, running);
}

Result<Value> ExactEvaluator::aggregate(const Node& node) {
  if (node.aggregate.blocks > 0) return over_items(node, block_items(node.aggregate, block_number_));
  return over_items(node, items_between(node.aggregate.order, 0, items_per_cell_));
}

Result<Value> ExactEvaluator::over_blocks(const Node& node) {
  const std::int64_t outer = block_number_;
  TIEBREAK_TRY(running, begin(node));
  const std::int64_t blocks = block_count(node.aggregate.over_blocks, node.aggregate.over_restart);
  for (block_number_ = 0; block_number_ < blocks; ++block_number_) {
    TIEBREAK_TRY(value, at(node.args[0]));
    TIEBREAK_CHECK(take(node, value, running));
  }
  block_number_ = outer;
  return finish(node, running);
}

Result<std::string> ExactEvaluator::holds_everywhere(NodeId id) {
  const std::uint64_t rate = formula_[id].rate;
  Shape extents;
  std::vector<std::int64_t*> coordinates;
  for (std::size_t c = 0; c < cell_.size(); ++c)
    if ((rate >> c & 1) != 0) {
      extents.push_back(formula_.geometry.cell_extents[c]);
      coordinates.push_back(&cell_[c]);
    }
  if ((rate & rate_item) != 0)
    for (std::size_t i = 0; i < item_.size(); ++i) {
      extents.push_back(formula_.geometry.item_extents[i]);
      coordinates.push_back(&item_[i]);
    }
  std::int64_t total = 1;
  for (std::int64_t extent : extents) total *= extent;
  std::vector<std::int64_t> place(extents.size());
  for (std::int64_t i = 0; i < total; ++i) {
    unravel(i, extents, place);
    for (std::size_t c = 0; c < place.size(); ++c) *coordinates[c] = place[c];
    item_number_ = i;  // a key of its own for the memo
    TIEBREAK_TRY(value, at(id));
    if (!value.is_truth() || !value.truth())
      return place.empty() ? std::string("does not hold") : fmt::format("does not hold at position {}", fmt::join(place, ", "));
  }
  return std::string();
}

}  // namespace tiebreak
