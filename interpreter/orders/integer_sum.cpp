// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/integer_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace tiebreak {
namespace {

constexpr int most_free_slots = 6;  // 64 corners a term

bool contains_aggregate(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  return node.op == NodeOp::aggregate || std::ranges::any_of(node.args, [&](NodeId arg) { return contains_aggregate(formula, arg); });
}

/// What `id` needs, itself included, each once, users before what they use; what stands inside an aggregate is left out.
void collect(const Formula& formula, NodeId id, std::vector<NodeId>& order, std::set<NodeId>& seen) {
  if (!seen.insert(id).second) return;
  order.push_back(id);
  if (formula[id].op == NodeOp::aggregate) return;
  for (NodeId arg : formula[id].args) collect(formula, arg, order, seen);
}

std::vector<NodeId> reachable(const Formula& formula, NodeId id) {
  std::vector<NodeId> order;
  std::set<NodeId> seen;
  collect(formula, id, order, seen);
  return order;
}

/// How many operands' elements differ from item to item.
void count_item_sources(const Formula& formula, NodeId id, std::set<int>& sources) {
  const Node& node = formula[id];
  if (node.op == NodeOp::element && (node.rate & rate_item) != 0) sources.insert(node.source);
  for (NodeId arg : node.args) count_item_sources(formula, arg, sources);
}

}  // namespace

void IntegerInterval::include(std::int64_t v) {
  low = std::min(low, v);
  high = std::max(high, v);
}

void IntegerInterval::include(const IntegerInterval& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

int IntegerInterval::signed_bits() const {
  if (is_empty()) return 0;
  // -2^(n-1) and 2^(n-1) - 1 both fold to n - 1 significant bits.
  auto bits = [](std::int64_t v) { return std::bit_width(static_cast<std::uint64_t>(v < 0 ? ~v : v)) + 1; };
  return static_cast<int>(std::max(bits(low), bits(high)));
}

tl::unexpected<Error> IntegerSum::refuse(const std::string& what, const Node& node) const {
  return fail(Errc::unsupported, fmt::format("{}: {}", formula_->op, what), fmt::format("{}:{}", node.file, node.place.line),
              "bits needs a sum of products of whole numbers; --profile reference has one in most pages");
}

/// A real factor that is the same for all items: a scale.
bool IntegerSum::is_unit(NodeId id) const {
  const Node& node = (*formula_)[id];
  if (node.integer || (node.rate & rate_item) != 0) return false;
  switch (node.op) {
    case NodeOp::constant: return node.constant.is_number();
    case NodeOp::element: return !formula_->sources[static_cast<std::size_t>(node.source)].integer;
    case NodeOp::round_float: return is_unit(node.args[0]);
    case NodeOp::multiply:
    case NodeOp::divide: return is_unit(node.args[0]) && is_unit(node.args[1]);
    default: return false;
  }
}

Result<int> IntegerSum::add_step(Tape& tape, Step step, const Node& node) {
  std::uint64_t free = 0;
  if (step.slot >= 0 && slots_[static_cast<std::size_t>(step.slot)].range >= 0) free = std::uint64_t{1} << step.slot;
  const std::uint64_t first = step.first < 0 ? 0 : tape.free[static_cast<std::size_t>(step.first)];
  const std::uint64_t second = step.second < 0 ? 0 : tape.free[static_cast<std::size_t>(step.second)];
  if (step.op == NodeOp::multiply && (first & second) != 0) return refuse(fmt::format("'{}' is not linear in a ranged operand", node.text), node);
  tape.steps.push_back(step);
  tape.free.push_back(free | first | second);
  if (std::popcount(tape.free.back()) > most_free_slots) return refuse("a term has too many ranged elements", node);
  return static_cast<int>(tape.steps.size()) - 1;
}

Result<int> IntegerSum::lower_element(const Node& node, Tape& tape) {
  const Source& source = formula_->sources[static_cast<std::size_t>(node.source)];
  if (!source.integer) return refuse(fmt::format("'{}' is a float, its sum has no whole numbers", source.name), node);
  TIEBREAK_CHECK(read_source(node.source));
  Slot slot{.source = node.source};
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    if (ranges_[i].operand == source.name && source.tensor != nullptr) slot.range = static_cast<int>(i);
  const bool own_element = (node.rate & rate_item) != 0 || &tape == &addend_;
  if (slot.range >= 0 && !own_element) return refuse(fmt::format("'{}' is shared by all terms, a range of it says nothing about their sum", source.name), node);
  if (!node.args.empty()) {
    TIEBREAK_TRY(pad, lower(node.args[0], tape));
    slot.pad = pad;
  }
  slots_.push_back(slot);
  if (slots_.size() > 63) return refuse("a term reads too many elements", node);
  Step step{.op = NodeOp::element};
  step.slot = static_cast<int>(slots_.size()) - 1;
  return add_step(tape, step, node);
}

/// A node that a term names twice is one step, so that an element times itself is seen to be no line.
Result<int> IntegerSum::lower(NodeId id, Tape& tape) {
  if (auto found = tape.done.find(id); found != tape.done.end()) return found->second;
  TIEBREAK_TRY(step, lower_new(id, tape));
  tape.done[id] = step;
  return step;
}

Result<int> IntegerSum::lower_new(NodeId id, Tape& tape) {
  const Node& node = (*formula_)[id];
  Step step{.op = node.op};
  switch (node.op) {
    case NodeOp::constant: {
      const auto whole = node.constant.is_number() ? node.constant.number().to_int64() : std::nullopt;
      if (!whole) return refuse(fmt::format("'{}' is no whole number", node.text), node);
      step.constant = *whole;
      return add_step(tape, step, node);
    }
    case NodeOp::element: return lower_element(node, tape);
    case NodeOp::round_float: rounds_ = true; return lower(node.args[0], tape);
    case NodeOp::multiply:
      for (const std::size_t unit : {std::size_t{0}, std::size_t{1}})
        if (is_unit(node.args[unit])) {
          units_.push_back(node.args[unit]);
          return lower(node.args[1 - unit], tape);
        }
      break;
    case NodeOp::add:
    case NodeOp::subtract:
    case NodeOp::negate: break;
    default: return refuse(fmt::format("'{}' is no product or sum of whole numbers", node.text), node);
  }
  TIEBREAK_TRY(first, lower(node.args[0], tape));
  step.first = first;
  if (node.args.size() > 1) {
    TIEBREAK_TRY(second, lower(node.args[1], tape));
    step.second = second;
  }
  return add_step(tape, step, node);
}

/// The first sum, seen from the result, whose terms multiply elements of two operands.
Status IntegerSum::find_sum(NodeId result) {
  std::optional<Error> refused;
  for (NodeId id : reachable(*formula_, result)) {
    const Node& node = (*formula_)[id];
    if (node.op != NodeOp::aggregate || node.aggregate.kind != AggregateKind::sum || contains_aggregate(*formula_, node.args[0])) continue;
    std::set<int> sources;
    count_item_sources(*formula_, node.args[0], sources);
    if (node.aggregate.blocks > 0 || sources.size() < 2) continue;
    slots_.clear();
    units_.clear();
    term_ = {};
    rounds_ = node.aggregate.step >= 0 && (*formula_)[node.aggregate.step].op == NodeOp::round_float;
    if (Result<int> lowered = lower(node.args[0], term_); !lowered) {
      if (!refused) refused = lowered.error();
      continue;
    }
    node_ = id;
    return {};
  }
  if (refused) return tl::unexpected<Error>(*refused);
  return refuse("the result comes from no sum of products", (*formula_)[result]);
}

/// What is added to the whole sum belongs to the accumulator, as long as it is a whole number of the cell.
void IntegerSum::climb(NodeId result) {
  for (NodeId id : reachable(*formula_, result)) {
    const Node& node = (*formula_)[id];
    const bool sums = node.op == NodeOp::add || node.op == NodeOp::subtract;
    if (!sums || !node.integer || (node.args[0] != node_ && (node.op == NodeOp::subtract || node.args[1] != node_))) continue;
    const NodeId other = node.args[0] == node_ ? node.args[1] : node.args[0];
    if (contains_aggregate(*formula_, other)) continue;
    const std::size_t slots = slots_.size(), units = units_.size();
    addend_ = {};
    if (!lower(other, addend_) || units_.size() > units) {
      slots_.resize(slots);
      units_.resize(units);
      continue;
    }
    has_addend_ = true;
    subtracts_ = node.op == NodeOp::subtract;
    node_ = id;
    return;
  }
}

Status IntegerSum::read_source(int index) {
  std::vector<std::int64_t>& values = values_[static_cast<std::size_t>(index)];
  const Source& source = formula_->sources[static_cast<std::size_t>(index)];
  if (!values.empty()) return {};
  values.reserve(static_cast<std::size_t>(source.size()));
  for (std::int64_t i = 0; i < source.size(); ++i) {
    const auto whole = source.value(i).to_int64();
    if (!whole) return fail(Errc::limit, fmt::format("{}: {}[{}] is beyond 63 bits", formula_->op, source.name, i));
    values.push_back(*whole);
  }
  return {};
}

Result<IntegerSum> IntegerSum::find(const Formula& formula, std::size_t result, const std::vector<OperandRange>& ranges) {
  if (result >= formula.results.size()) return fail(Errc::usage, fmt::format("{} has {} results", formula.op, formula.results.size()));
  if (!formula.geometry.has_bag) return fail(Errc::unsupported, formula.op + " has no sum: each result element sees one element of each operand");
  IntegerSum sum(formula, ranges);
  sum.values_.resize(formula.sources.size());
  TIEBREAK_CHECK(sum.find_sum(formula.results[result].node));
  sum.climb(formula.results[result].node);
  sum.cell_.resize(formula.geometry.cell_extents.size());
  sum.item_.resize(formula.geometry.item_extents.size());
  sum.slot_values_.resize(sum.slots_.size());
  sum.slot_holes_.resize(sum.slots_.size());
  return sum;
}

std::string IntegerSum::text() const { return (*formula_)[node_].text; }
std::string IntegerSum::place() const { return fmt::format("{}:{}", (*formula_)[node_].file, (*formula_)[node_].place.line); }

/// Where the slots' elements lie; false where the item is not in the bag.
bool IntegerSum::place_slots(const Tape& tape) {
  for (const Step& step : tape.steps) {
    if (step.slot < 0) continue;
    const auto at = static_cast<std::size_t>(step.slot);
    const Slot& slot = slots_[at];
    const std::int64_t offset = formula_->sources[static_cast<std::size_t>(slot.source)].access.offset(cell_, item_);
    slot_holes_[at] = offset < 0;
    if (offset < 0 && slot.pad < 0) return false;
    slot_values_[at] = offset < 0 ? 0 : values_[static_cast<std::size_t>(slot.source)][static_cast<std::size_t>(offset)];
  }
  return true;
}

/// The value of every step; the last one's is the term's.
Status IntegerSum::run(const Tape& tape) {
  step_values_.resize(tape.steps.size());
  auto value = [&](int step) { return step_values_[static_cast<std::size_t>(step)]; };
  for (std::size_t i = 0; i < tape.steps.size(); ++i) {
    const Step& step = tape.steps[i];
    std::int64_t& out = step_values_[i];
    bool beyond = false;
    switch (step.op) {
      case NodeOp::constant: out = step.constant; break;
      case NodeOp::element: {
        const auto slot = static_cast<std::size_t>(step.slot);
        out = slot_holes_[slot] ? value(slots_[slot].pad) : slot_values_[slot];
        break;
      }
      case NodeOp::add: beyond = __builtin_add_overflow(value(step.first), value(step.second), &out); break;
      case NodeOp::subtract: beyond = __builtin_sub_overflow(value(step.first), value(step.second), &out); break;
      case NodeOp::multiply: beyond = __builtin_mul_overflow(value(step.first), value(step.second), &out); break;
      default: beyond = __builtin_sub_overflow(std::int64_t{0}, value(step.first), &out); break;
    }
    if (beyond) return fail(Errc::limit, formula_->op + ": a term of the sum is beyond 63 bits");
  }
  return {};
}

/// A polynomial that is linear in each ranged element has its ends at corners of the box.
Status IntegerSum::span_of(const Tape& tape, IntegerInterval& span) {
  std::vector<std::size_t> free;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if ((tape.free.back() >> slot & 1) != 0 && !slot_holes_[slot]) free.push_back(slot);
  for (std::size_t corner = 0; corner < std::size_t{1} << free.size(); ++corner) {
    for (std::size_t i = 0; i < free.size(); ++i) {
      const IntegerInterval& codes = ranges_[static_cast<std::size_t>(slots_[free[i]].range)].codes;
      slot_values_[free[i]] = (corner >> i & 1) != 0 ? codes.high : codes.low;
    }
    TIEBREAK_CHECK(run(tape));
    span.include(step_values_.back());
  }
  return {};
}

Status IntegerSum::extremes(std::int64_t cell, std::vector<IntegerInterval>& out) {
  out.clear();
  unravel(cell, formula_->geometry.cell_extents, cell_);
  for (std::int64_t item = 0; item < formula_->geometry.items(); ++item) {
    unravel(item, formula_->geometry.item_extents, item_);
    if (!place_slots(term_)) continue;
    IntegerInterval span;
    TIEBREAK_CHECK(span_of(term_, span));
    out.push_back(span);
  }
  if (!has_addend_) return {};
  std::ranges::fill(item_, 0);
  if (!place_slots(addend_)) return fail(Errc::internal, formula_->op + ": what is added to the sum lies outside its operand");
  IntegerInterval span;
  TIEBREAK_CHECK(span_of(addend_, span));
  out.push_back(subtracts_ ? IntegerInterval{-span.high, -span.low} : span);
  return {};
}

Status IntegerSum::terms(std::int64_t cell, std::vector<std::int64_t>& out) {
  out.clear();
  unravel(cell, formula_->geometry.cell_extents, cell_);
  for (std::int64_t item = 0; item < formula_->geometry.items(); ++item) {
    unravel(item, formula_->geometry.item_extents, item_);
    if (!place_slots(term_)) continue;
    TIEBREAK_CHECK(run(term_));
    out.push_back(step_values_.back());
  }
  if (!has_addend_) return {};
  std::ranges::fill(item_, 0);
  if (!place_slots(addend_)) return fail(Errc::internal, formula_->op + ": what is added to the sum lies outside its operand");
  TIEBREAK_CHECK(run(addend_));
  out.push_back(subtracts_ ? -step_values_.back() : step_values_.back());
  return {};
}

}  // namespace tiebreak
