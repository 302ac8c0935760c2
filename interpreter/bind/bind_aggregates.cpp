// SPDX-License-Identifier: Apache-2.0
// Aggregates over the bag: what is combined, what is applied after each step, and in which order.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak {

using notation::Expr;

namespace {

const std::map<std::string, AggregateKind>& aggregate_kinds() {
  static const std::map<std::string, AggregateKind> table{{"sum", AggregateKind::sum},
                                                          {"product", AggregateKind::product},
                                                          {"min", AggregateKind::minimum},
                                                          {"max", AggregateKind::maximum},
                                                          {"fold", AggregateKind::fold}};
  return table;
}

/// order(feature, spatial): a bag has no other indices that its items could be put in order by.
Result<AggregateOrder> order_of(const notation::Modifier& modifier, const std::string& position) {
  std::vector<std::string> indices;
  for (const notation::ExprPtr& index : modifier.args) indices.push_back(index->text);
  if (indices == std::vector<std::string>{"feature", "spatial"}) return AggregateOrder::feature_slowest;
  if (indices == std::vector<std::string>{"spatial", "feature"}) return AggregateOrder::sequential;
  return fail(Errc::unsupported, fmt::format("order({}) is not executed here", fmt::join(indices, ", ")), position,
              "order(feature, spatial) and order(spatial, feature) are");
}

}  // namespace

/// The graph of a step: a conversion word, or a definition of `carried` arguments, applied to what is carried.
Result<NodeId> Binder::step_graph(const std::string& word, int carried, const Expr& at, const Context& context) {
  Scope& scope = new_scope(context.scope);
  Expr call = at;
  call.kind = notation::ExprKind::call;
  call.text = word;
  call.args.clear();
  call.modifiers.clear();
  for (int i = 0; i < carried; ++i) {
    Node node;
    node.op = NodeOp::carried;
    node.source = i;
    node.rate = rate_carried;
    const std::string name = fmt::format("carried {}", i);
    scope.names[name] = Term::of(formula_.add(std::move(node)));
    Expr argument;
    argument.kind = notation::ExprKind::name;
    argument.at = at.at;
    argument.text = name;
    call.args.push_back(std::make_shared<const Expr>(argument));
  }
  TIEBREAK_TRY(term, bind_call_expression(call, {&scope}));
  return as_node(term, at);
}

Status Binder::bind_modifier(const notation::Modifier& modifier, Aggregate& aggregate, const Expr& at, const Context& context) {
  const std::string& word = modifier.name;
  auto position = fmt::format("{}:{}:{}", file_, modifier.at.line, modifier.at.column);
  if (word == "pairwise") {
    aggregate.order = AggregateOrder::pairwise;
  } else if (word == "any" || word == "unordered") {
    // A set of groupings; its canonical member is the sequential order.
  } else if (word == "order") {
    TIEBREAK_TRY(order, order_of(modifier, position));
    aggregate.order = order;
  } else if (word == "blocks" && !modifier.args.empty()) {
    TIEBREAK_TRY(count, number(*modifier.args[0], context));
    auto n = formula_.is_constant(count) && formula_[count].constant.is_number() ? formula_[count].constant.number().to_int64() : std::nullopt;
    if (!n || *n < 1) return fail(Errc::type, "N07 blocks needs a positive whole number", position);
    aggregate.blocks = *n;
    aggregate.blocks_restart = modifier.args.size() > 1;
  } else if (notation::contains(notation::modifier_words(), word)) {
    return fail(Errc::unsupported, fmt::format("the modifier '{}' is not executed here", word), position, "orders of a fold with a region are");
  } else {
    TIEBREAK_TRY(step, step_graph(word, aggregate.kind == AggregateKind::fold ? 2 : 1, at, context));
    (aggregate.kind == AggregateKind::fold ? aggregate.combine : aggregate.step) = step;
  }
  return {};
}

/// The aggregate over blocks that `body` contains outside any other aggregate.
const Aggregate* Binder::inner_blocks(NodeId body) const {
  const Node& node = formula_[body];
  if (node.op == NodeOp::aggregate) return node.aggregate.blocks > 0 ? &node.aggregate : nullptr;
  for (NodeId arg : node.args)
    if (const Aggregate* found = inner_blocks(arg)) return found;
  return nullptr;
}

Result<Term> Binder::bind_aggregate(const Expr& expression, const Context& context) {
  if (!formula_.geometry.has_bag) return error(fmt::format("N07 '{}' needs a structure with a bag", expression.text), expression);
  Node node;
  node.op = NodeOp::aggregate;
  node.aggregate.kind = aggregate_kinds().at(expression.text);
  for (const notation::Modifier& modifier : expression.modifiers) TIEBREAK_CHECK(bind_modifier(modifier, node.aggregate, expression, context));
  if (node.aggregate.order == AggregateOrder::feature_slowest && node.aggregate.blocks_restart)
    return error("N07 runs that start anew and another order are not executed together", expression);
  if (node.aggregate.kind == AggregateKind::fold && node.aggregate.combine < 0) return error("N07 fold needs a definition: fold[f](e)", expression);
  TIEBREAK_TRY(body, number(*expression.args[0], context));
  node.args = {body};
  if (expression.args.size() > 1) {
    TIEBREAK_TRY(start, number(*expression.args[1], context));
    node.args.push_back(start);
  }
  if (const Aggregate* inner = inner_blocks(body)) {
    node.aggregate.over_blocks = inner->blocks;
    node.aggregate.over_restart = inner->blocks_restart;
  }
  node.integer = formula_[body].integer && node.aggregate.step < 0 && node.aggregate.combine < 0;
  if (node.aggregate.step >= 0) node.integer = formula_[node.aggregate.step].integer;
  for (NodeId arg : node.args) node.rate |= formula_[arg].rate;
  node.rate &= ~(rate_item | rate_block);
  if (node.aggregate.blocks > 0) node.rate |= rate_block;
  // Where taps may be missing, each cell has a bag of its own.
  if (!op_scope_->names.contains("padded"))
    for (const auto& [name, access] : formula_.geometry.operands)
      if (access.may_miss) node.rate |= access.cell_rate();
  return Term::of(add(std::move(node), expression));
}

}  // namespace tiebreak
