// SPDX-License-Identifier: Apache-2.0
#include "testsuite/prove/zero_cases.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

bool never_finite(const Formula& formula, ValueRanges& ranges, NodeId id) {
  const Node& node = formula[id];
  const ValueRange range = ranges.of(id);
  if (!range.undefined && (range.empty() ? range.nan : range.low == range.high && range.low.is_infinite())) return true;
  switch (node.op) {
    using enum NodeOp;
    case divide: {
      const ValueRange divisor = ranges.of(node.args[1]);
      return divisor.is_point() && divisor.low.is_zero();
    }
    case round_whole:
    case negate: return never_finite(formula, ranges, node.args[0]);
    case add:
    case subtract:
    case multiply: return std::ranges::any_of(node.args, [&](NodeId arg) { return never_finite(formula, ranges, arg); });
    default: return false;
  }
}

}  // namespace

std::optional<Value> value_where(const Formula& formula, NodeId id, const Assignment& values) {
  if (const auto found = values.find(id); found != values.end()) return Value(found->second);
  const Node& node = formula[id];
  if (node.op == NodeOp::constant) return node.constant;
  if (node.args.empty() || node.op == NodeOp::element || node.op == NodeOp::aggregate || node.op == NodeOp::carried) return std::nullopt;
  if (node.op == NodeOp::conditional || node.op == NodeOp::conjunction || node.op == NodeOp::disjunction) {
    const std::optional<Value> condition = value_where(formula, node.args[0], values);
    if (!condition || !condition->is_truth()) return std::nullopt;
    if (node.op == NodeOp::conditional) return value_where(formula, node.args[condition->truth() ? 1 : 2], values);
    if (condition->truth() == (node.op == NodeOp::disjunction)) return condition;
    return value_where(formula, node.args[1], values);
  }
  std::vector<Value> args;
  for (const NodeId arg : node.args) {
    std::optional<Value> found = value_where(formula, arg, values);
    if (!found || found->is_undefined()) return std::nullopt;
    args.push_back(std::move(*found));
  }
  Result<Value> result = apply_node(node, args);
  return result ? std::optional(std::move(*result)) : std::nullopt;
}

NodeId compared_with_zero(const Formula& formula, NodeId condition) {
  const Node& node = formula[condition];
  if (node.op != NodeOp::equal) return -1;
  for (const std::size_t i : {0u, 1u}) {
    const Node& other = formula[node.args[1 - i]];
    if (other.op == NodeOp::constant && other.constant.is_number() && other.constant.number().is_zero()) return node.args[i];
  }
  return -1;
}

NodeId compared_with_infinity(const Formula& formula, const Node& comparison) {
  if (comparison.op != NodeOp::equal) return -1;
  for (const std::size_t i : {0u, 1u}) {
    const Node &other = formula[comparison.args[1 - i]], &node = formula[comparison.args[i]];
    if (other.op == NodeOp::constant && other.constant.is_number() && other.constant.number().is_infinite())
      return node.op == NodeOp::absolute ? node.args[0] : comparison.args[i];
  }
  return -1;
}

std::vector<NodeId> said_to_be_zero(const Formula& formula, NodeId condition) {
  const Node& node = formula[condition];
  if (const NodeId zero = compared_with_zero(formula, condition); zero >= 0) return {zero};
  if (node.op != NodeOp::conjunction) return {};
  std::vector<NodeId> all = said_to_be_zero(formula, node.args[0]);
  for (const NodeId more : said_to_be_zero(formula, node.args[1])) all.push_back(more);
  return all;
}

bool equal_values(const Value& a, const Value& b) {
  if (a.is_undefined() || b.is_undefined()) return a.is_undefined() && b.is_undefined();
  if (a.is_truth() || b.is_truth()) return a.is_truth() && b.is_truth() && a.truth() == b.truth();
  return a.is_number() && b.is_number() && a.number().identical(b.number());
}

bool equal_at_zeros(const NodeAtZeros& a, const NodeAtZeros& b) {
  const std::size_t count = a.zeros.size();
  if (count == 0 || count > 4 || b.zeros.size() != count) return false;
  for (std::size_t signs = 0; signs < std::size_t{1} << count; ++signs) {
    Assignment of_a, of_b;
    for (std::size_t i = 0; i < count; ++i) {
      const Real zero = (signs >> i & 1) != 0 ? -Real(0) : Real(0);
      of_a.insert_or_assign(a.zeros[i], zero);
      of_b.insert_or_assign(b.zeros[i], zero);
    }
    const std::optional<Value> one = value_where(a.formula, a.node, of_a), other = value_where(b.formula, b.node, of_b);
    if (!one || !other || !equal_values(*one, *other)) return false;
  }
  return true;
}

NodeId branch_at_zeros(const Formula& formula, NodeId conditional) {
  const Node& node = formula[conditional];
  std::vector<NodeId> zeros = said_to_be_zero(formula, node.args[0]);
  if (equal_at_zeros({formula, node.args[1], zeros}, {formula, node.args[2], zeros})) return node.args[2];
  std::erase_if(zeros, [&](NodeId id) { return formula[id].op != NodeOp::element; });
  return equal_at_zeros({formula, node.args[1], zeros}, {formula, node.args[2], zeros}) ? node.args[2] : -1;
}

bool always_undefined(const Formula& formula, ValueRanges& ranges, NodeId id) {
  const Node& node = formula[id];
  if (node.op == NodeOp::constant) return node.constant.is_undefined();
  if (node.op == NodeOp::trap) {
    const ValueRange range = ranges.of(node.args[0]);
    if (range.low > node.high || range.high < node.low) return true;  // no number that fits; what is none is undefined as well
  }
  if (node.op == NodeOp::saturate && ranges.of(node.args[0]).empty()) return true;  // no number at all
  return (node.op == NodeOp::wrap || node.op == NodeOp::trap) && never_finite(formula, ranges, node.args[0]);
}

std::set<std::string> zero_by_constraint(const Library& library, const std::string& op) {
  std::set<std::string> names;
  const Result<Library::OpPlace> place = library.find_op(op);
  if (!place) return names;
  for (const notation::Statement& statement : place->op->statements) {
    const auto* constraint = std::get_if<notation::Constraint>(&statement);
    if (constraint == nullptr) continue;
    const notation::Expr* claim = constraint->condition.get();
    std::string guard;
    if (claim->kind == notation::ExprKind::conditional && claim->args[0]->kind == notation::ExprKind::is && claim->args[0]->text == "quant" &&
        claim->args[2]->text == "true") {
      guard = claim->args[0]->args[0]->text;
      claim = claim->args[1].get();
    }
    if (claim->kind != notation::ExprKind::binary || claim->text != "==" || claim->args[1]->kind != notation::ExprKind::number ||
        !claim->args[1]->value.is_zero())
      continue;
    const std::string& name = claim->args[0]->text;
    if (claim->args[0]->kind == notation::ExprKind::name && name.ends_with(".zero_point") && (guard.empty() || name == guard + ".zero_point"))
      names.insert(name);
  }
  return names;
}

}  // namespace tiebreak
