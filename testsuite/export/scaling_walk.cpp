// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/scaling_walk.hpp"

#include <algorithm>
#include <utility>

namespace tiebreak {
namespace {

/// The operand is declared with brackets: a scale, a zero point, a bias. Facts of types have no tensor.
bool is_parameter_source(const Source& source, const notation::Op& op) {
  if (source.tensor == nullptr) return true;
  const auto declared = std::ranges::find(op.operands, source.name, &notation::Operand::name);
  return declared != op.operands.end() && declared->indexed;
}

}  // namespace

std::optional<std::int64_t> log2_of(const Real& value) {
  if (!value.is_finite() || value.sign() <= 0 || !value.is_dyadic() || !value.identical(Real::power_of_two(value.exponent()))) return std::nullopt;
  return value.exponent();
}

ScalingWalk::ScalingWalk(const Formula& formula, const notation::Op& op, NodeId root)
    : formula_(formula), root_(root), evaluator_(formula), data_(formula.nodes.size(), false) {
  for (std::size_t id = 0; id < formula.nodes.size(); ++id) {  // what a node needs stands before it
    const Node& node = formula.nodes[id];
    const bool reads_data = node.op == NodeOp::element && !is_parameter_source(formula.sources[static_cast<std::size_t>(node.source)], op);
    const bool has_place = node.op == NodeOp::aggregate || node.op == NodeOp::index || node.op == NodeOp::count || node.op == NodeOp::carried;
    data_[id] = reads_data || has_place || (node.op != NodeOp::element && std::ranges::any_of(node.args, [this](NodeId arg) { return is_data(arg); }));
  }
  std::vector<bool> seen(formula.nodes.size(), false);
  if (is_data(root)) add_rate(root, seen);
}

void ScalingWalk::add_rate(NodeId id, std::vector<bool>& seen) {
  if (seen[static_cast<std::size_t>(id)]) return;
  seen[static_cast<std::size_t>(id)] = true;
  const Node& node = formula_[id];
  if (is_start(node)) return;
  const bool decides = node.op == NodeOp::multiply || node.op == NodeOp::divide || node.op == NodeOp::conditional;
  for (NodeId arg : node.args) {
    if (is_data(arg)) add_rate(arg, seen);
    else if (decides) rate_ |= formula_[arg].rate;  // what is added, or bounds, is none of the numbers
  }
}

std::optional<std::vector<ScalingChain>> ScalingWalk::at(std::int64_t cell) {
  found_.clear();
  evaluator_.set_cell(cell);
  if (!is_data(root_) || !walk(root_, false, {})) return std::nullopt;
  return std::move(found_);
}

bool ScalingWalk::walk(NodeId id, bool under_division, ScalingChain chain) {
  const Node& node = formula_[id];
  if (is_start(node)) {
    chain.start = node.op == NodeOp::aggregate ? "accumulator" : formula_.sources[static_cast<std::size_t>(node.source)].name;
    found_.push_back(std::move(chain));
    return true;
  }
  switch (node.op) {
    case NodeOp::multiply:
    case NodeOp::divide: return walk_scaling(node, under_division, std::move(chain));
    case NodeOp::add:
    case NodeOp::subtract: return walk_sum(node, under_division, std::move(chain));
    case NodeOp::conditional: return walk_conditional(node, under_division, std::move(chain));
    case NodeOp::negate:
    case NodeOp::round_whole:
    case NodeOp::round_float:
    case NodeOp::saturate:
    case NodeOp::wrap:
    case NodeOp::trap:
    case NodeOp::minimum:
    case NodeOp::maximum: {
      if (std::ranges::count_if(node.args, [this](NodeId arg) { return is_data(arg); }) != 1) return false;
      return walk(*std::ranges::find_if(node.args, [this](NodeId arg) { return is_data(arg); }), false, std::move(chain));
    }
    default: return false;
  }
}

bool ScalingWalk::walk_scaling(const Node& node, bool under_division, ScalingChain chain) {
  const bool divides = node.op == NodeOp::divide;
  const std::size_t data = is_data(node.args[0]) ? 0 : 1;
  const NodeId by = node.args[1 - data];
  if (is_data(by) && !divides && !formula_.geometry.has_bag) {
    chain.start = "product";
    found_.push_back(std::move(chain));
    return true;
  }
  if (is_data(by) || (divides && data != 0)) return false;
  const Result<Value> value = evaluator_.at(by);
  if (!value || !value->is_number() || !value->number().is_finite()) return false;
  chain.steps.push_back({divides, under_division && !divides, formula_[by].op == NodeOp::element, value->number()});
  return walk(node.args[data], divides && log2_of(value->number()).has_value(), std::move(chain));
}

/// What is added leaves the number that scales as it is. A sum of two scaled operands begins anew with each of them.
bool ScalingWalk::walk_sum(const Node& node, bool under_division, ScalingChain chain) {
  const bool first = is_data(node.args[0]), second = is_data(node.args[1]);
  if (first != second) return walk(node.args[first ? 0 : 1], under_division, std::move(chain));
  if (formula_.geometry.has_bag) return false;
  chain.start = "sum";
  found_.push_back(std::move(chain));
  return walk(node.args[0], false, {}) && walk(node.args[1], false, {});
}

bool ScalingWalk::walk_conditional(const Node& node, bool under_division, ScalingChain chain) {
  if (!is_data(node.args[0])) {
    const Result<Value> condition = evaluator_.at(node.args[0]);
    if (!condition || !condition->is_truth()) return false;
    const NodeId taken = node.args[condition->truth() ? 1 : 2];
    return is_data(taken) && walk(taken, under_division, std::move(chain));
  }
  // Where data decide, one branch must be what does not follow the data: what is not a number, a bound.
  if (is_data(node.args[1]) == is_data(node.args[2])) return false;
  return walk(node.args[is_data(node.args[1]) ? 1 : 2], under_division, std::move(chain));
}

}  // namespace tiebreak
