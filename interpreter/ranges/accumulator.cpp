// SPDX-License-Identifier: Apache-2.0
#include "interpreter/ranges/accumulator.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool is_aggregate(const Node& node) { return node.op == NodeOp::aggregate; }
/// The number of items is one of the bag, too: what reads it behind the accumulator is no function of that alone.
bool reads_bag(const Node& node) { return is_aggregate(node) || node.op == NodeOp::count; }

/// Whether a node of a kind is reached from `node` on a way that avoids `without`. `seen` has the nodes that were looked at.
bool reaches(bool (*kind)(const Node&), const Formula& formula, NodeId node, NodeId without, std::vector<bool>& seen) {
  if (node == without || seen[static_cast<std::size_t>(node)]) return false;
  seen[static_cast<std::size_t>(node)] = true;
  if (kind(formula[node])) return true;
  return std::ranges::any_of(formula[node].args, [&](NodeId arg) { return reaches(kind, formula, arg, without, seen); });
}

std::optional<ElementType> integer_type(const Real& low, const Real& high) {
  for (const char* word : {"i8", "u8", "i16", "u16", "i32", "u32", "i64"})
    if (const auto type = ElementType::parse(word); type && low >= type->min() && high <= type->max()) return *type;
  return std::nullopt;
}

/// The format that holds all values of a node, as its operation says.
std::optional<ElementType> format_of(const Formula& formula, const Node& node) {
  switch (node.op) {
    case NodeOp::wrap: return integer_type(node.integer_format.min(), node.integer_format.max());
    case NodeOp::saturate:
    case NodeOp::trap: return integer_type(node.low, node.high);
    case NodeOp::round_float: return ElementType::parse(std::string(node.format->name));
    case NodeOp::aggregate: {
      if (node.aggregate.step < 0 || node.aggregate.kind != AggregateKind::sum || node.aggregate.blocks > 0) return std::nullopt;
      const Node& step = formula[node.aggregate.step];
      return step.op == NodeOp::aggregate ? std::nullopt : format_of(formula, step);
    }
    default: return std::nullopt;
  }
}

bool reaches_bag(const Formula& formula, NodeId node, NodeId without = -1) {
  std::vector<bool> seen(formula.nodes.size(), false);
  return reaches(reads_bag, formula, node, without, seen);
}

bool is_sum(const Formula& formula, NodeId id) {
  const Node& node = formula[id];
  const auto is_term = [&](NodeId arg) { return is_sum(formula, arg) || !reaches_bag(formula, arg); };
  switch (node.op) {
    case NodeOp::aggregate: return node.aggregate.blocks == 0 && node.aggregate.over_blocks == 0;
    case NodeOp::add:
    case NodeOp::subtract: return std::ranges::all_of(node.args, is_term);
    case NodeOp::wrap:
    case NodeOp::trap: return is_sum(formula, node.args[0]);
    default: return false;
  }
}

}  // namespace

std::optional<NodeId> last_sum(const Formula& formula, NodeId root) {
  if (!reaches_bag(formula, root)) return std::nullopt;
  for (auto node = static_cast<NodeId>(formula.nodes.size()); node-- > 0;)
    if (is_sum(formula, node) && reaches_bag(formula, node) && !reaches_bag(formula, root, node)) return node;
  return std::nullopt;
}

std::optional<Accumulator> accumulator_of(const Formula& formula, NodeId root) {
  for (NodeId node = 0; node < static_cast<NodeId>(formula.nodes.size()); ++node) {
    const std::optional<ElementType> type = format_of(formula, formula[node]);
    if (!type) continue;
    std::vector<bool> below(formula.nodes.size(), false), above(formula.nodes.size(), false);
    if (!reaches(is_aggregate, formula, node, -1, below)) continue;
    if (!reaches(reads_bag, formula, root, node, above)) return Accumulator{node, *type};
  }
  return std::nullopt;
}

std::set<std::string> sources_below(const Formula& formula, NodeId node) {
  std::set<std::string> names;
  std::vector<bool> seen(formula.nodes.size(), false);
  std::vector<NodeId> open{node};
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    if (formula[next].op == NodeOp::element) names.insert(formula.sources[static_cast<std::size_t>(formula[next].source)].name);
    open.insert(open.end(), formula[next].args.begin(), formula[next].args.end());
  }
  return names;
}

void replace_accumulator(Formula& formula, NodeId node, const Tensor& tensor, const std::string& name) {
  Source source{.name = name};
  source.tensor = &tensor;
  source.integer = tensor.element().is_integer();
  formula.sources.push_back(std::move(source));
  Node element;
  element.op = NodeOp::element;
  element.source = static_cast<int>(formula.sources.size()) - 1;
  element.integer = formula[node].integer;
  element.text = name;
  formula.nodes[static_cast<std::size_t>(node)] = std::move(element);
  formula.geometry = {};
}

}  // namespace tiebreak
