// SPDX-License-Identifier: Apache-2.0
// Nodes: how a term becomes one, and what two branches of a condition have in common.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/notation.hpp"

namespace tiebreak {

using notation::Expr;
using notation::ExprKind;

tl::unexpected<Error> Binder::error_at(const std::string& what, notation::Position at, const std::string& hint) const {
  return fail(Errc::type, what, fmt::format("{}:{}:{}", file_, at.line, at.column), hint);
}
tl::unexpected<Error> Binder::error(const std::string& what, const Expr& at, const std::string& hint) const { return error_at(what, at.at, hint); }

NodeId Binder::add(Node node, const Expr& at) {
  node.place = at.at;
  node.file = file_;
  if (node.text.empty()) node.text = notation::print(at);
  if (!choice_stack_.empty()) node.choice = choice_stack_.back();
  return formula_.add(std::move(node));
}

bool Binder::both_integer(const std::vector<NodeId>& args) const {
  return std::ranges::all_of(args, [&](NodeId arg) { return formula_[arg].integer; });
}

NodeId Binder::node(NodeOp op, std::vector<NodeId> args, const Expr& at) {
  Node node;
  node.op = op;
  const OperationTraits* operation = find_traits(op);
  const Gives gives = operation != nullptr ? operation->gives : Gives::number;
  node.integer = gives == Gives::integer || (gives == Gives::integer_of_integers && both_integer(args));
  node.truth = gives == Gives::truth;
  if (op == NodeOp::power)
    node.integer =
        both_integer(args) && formula_.is_constant(args[1]) && formula_[args[1]].constant.is_number() && formula_[args[1]].constant.number().sign() >= 0;
  if (op == NodeOp::conditional) {
    // What is undefined is of no kind: the other branch says what the value is.
    const NodeId then = is_undefined(formula_, args[1]) ? args[2] : args[1], otherwise = is_undefined(formula_, args[2]) ? args[1] : args[2];
    node.integer = formula_[then].integer && formula_[otherwise].integer;
    node.truth = formula_[then].truth;
  }
  node.args = std::move(args);
  return this->add(std::move(node), at);
}

NodeId Binder::rounded(NodeId value, const FloatFormat* each, const Expr& at) {
  if (each == nullptr || formula_[value].truth) return value;
  // What is a value of the format already stays as it is, and is not shown as a step.
  const Node& inner = formula_[value];
  if (inner.op == NodeOp::round_float && inner.format == each) return value;
  if (inner.op == NodeOp::element && inner.args.empty()) {
    const Tensor* tensor = formula_.sources[static_cast<std::size_t>(inner.source)].tensor;
    if (tensor != nullptr && tensor->element().is_float() && &tensor->element().floating() == each) return value;
  }
  Node node;
  node.op = NodeOp::round_float;
  node.format = each;
  node.args = {value};
  node.text = fmt::format("{}({})", each->name, notation::print(at));
  return add(std::move(node), at);
}

Result<NodeId> Binder::as_node(const Term& term, const Expr& at) {
  if (term.kind == Term::Kind::node) return term.node;
  if (term.kind == Term::Kind::tensor) return tensor_node(term, at);
  if (term.kind == Term::Kind::members) return member_node(term, at);
  if (term.kind == Term::Kind::list) return error("N12 a pair must be taken apart: (m, e) = ...", at);
  return error(fmt::format("N12 a number is needed, '{}' is none", notation::print(at)), at);
}

/// What `of` gives for the member that the cell, or the item of its bag, sees: each is read only where it is.
Result<NodeId> Binder::by_member(const Term& term, const Expr& at, const std::function<Result<NodeId>(const Term&)>& of) {
  const Geometry& geometry = formula_.geometry;
  if (geometry.members.empty() || term.items.empty())
    return error(fmt::format("N06 the structure has no place for each member of '{}'", notation::print(at)), at);
  Source members{.name = "member", .access = geometry.member, .integer = true};
  for (std::int64_t member : geometry.members) members.values.emplace_back(member);
  auto known = std::ranges::find(formula_.sources, members.name, &Source::name);
  Node which;
  which.op = NodeOp::element;
  which.source = static_cast<int>(known - formula_.sources.begin());
  which.integer = true;
  which.rate = members.access.cell_rate() | (members.access.varies_over_items() ? rate_item : 0);
  which.text = "member";
  which.file = file_;
  if (known == formula_.sources.end()) formula_.sources.push_back(std::move(members));
  const NodeId member = formula_.add(std::move(which));
  TIEBREAK_TRY(chosen, of(term.items.back()));
  for (std::size_t m = term.items.size() - 1; m-- > 0;) {
    TIEBREAK_TRY(own, of(term.items[m]));
    const NodeId here = node(NodeOp::equal, {member, formula_.constant(Real(static_cast<std::int64_t>(m)), true)}, at);
    chosen = node(NodeOp::conditional, {here, own, chosen}, at);
  }
  return chosen;
}

Result<NodeId> Binder::member_node(const Term& term, const Expr& at) {
  return by_member(term, at, [&](const Term& member) { return tensor_node(member, at); });
}

/// Scale or zero point of the member that the cell sees; where members have one in common it is known before any element is looked at.
Result<Term> Binder::member_parameter(const Term& term, const std::string& fact, const Expr& at) {
  const auto of = [&](const Term& member) -> Result<NodeId> {
    TIEBREAK_TRY(own, bind_fact(member.tensor, member.result, fact, at));
    return as_node(own, at);
  };
  TIEBREAK_TRY(first, of(term.items.front()));
  bool same = formula_.is_constant(first);
  for (const Term& member : term.items) {
    TIEBREAK_TRY(own, of(member));
    same = same && formula_.is_constant(own) && formula_[own].constant.number().identical(formula_[first].constant.number());
  }
  if (same) return Term::of(first);
  TIEBREAK_TRY(chosen, by_member(term, at, of));
  return Term::of(chosen);
}

Result<NodeId> Binder::tensor_node(const Term& term, const Expr& at) {
  const TensorName& tensor = term.result ? results_[static_cast<std::size_t>(term.tensor)] : operands_[static_cast<std::size_t>(term.tensor)];
  const std::string& name = tensor.name;
  if (term.result) {
    if (!tensor.formula) return error(fmt::format("N01 the result {} has no formula", name), at);
    TIEBREAK_TRY(value, force(*tensor.formula, name));
    return as_node(value, at);
  }
  if (!tensor.present) {
    if (tensor.fallback.kind == Term::Kind::node) return tensor.fallback.node;
    return error(fmt::format("operand {} is absent and has no default", name), at);
  }
  if (tensor.source < 0) return error(fmt::format("N06 {} does not vary with structure", name), at);
  const Source& source = formula_.sources[static_cast<std::size_t>(tensor.source)];
  Node node;
  node.op = NodeOp::element;
  node.source = tensor.source;
  node.integer = source.integer;
  node.truth = tensor.type->element.is_boolean();
  node.rate = source.access.cell_rate() | (source.access.varies_over_items() ? rate_item : 0);
  if (source.access.may_miss)
    if (const Entry* pad = op_scope_->find("pad of " + name)) {
      TIEBREAK_TRY(padding, bind_entry(*pad, *op_scope_, "pad", at));
      TIEBREAK_TRY(padding_node, as_node(padding, at));
      if (formula_[padding_node].truth != node.truth)
        return error(fmt::format("N12 what stands in the holes of {} must be a {}", name, node.truth ? "truth value" : "number"), at);
      node.args = {padding_node};
    }
  Node named = node;
  named.place = at.at;
  named.file = file_;
  named.text = name;
  return formula_.add(std::move(named));
}

Result<NodeId> Binder::number(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(term, bind(expression, context));
  TIEBREAK_TRY(id, as_node(term, expression));
  if (formula_[id].truth) return error(fmt::format("N12 a number is needed, '{}' is a truth value", notation::print(expression)), expression);
  return id;
}

Result<NodeId> Binder::truth(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(term, bind(expression, context));
  TIEBREAK_TRY(id, as_node(term, expression));
  if (!formula_[id].truth && !is_undefined(formula_, id))
    return error(fmt::format("N12 a truth value is needed, '{}' is a number", notation::print(expression)), expression);
  return id;
}

}  // namespace tiebreak
