// SPDX-License-Identifier: Apache-2.0
// Expressions to nodes. What is known before any element is looked at (formats, texts, facts, static conditions) is decided here.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak {

using notation::Expr;
using notation::ExprKind;

namespace {

bool is_undefined(const Formula& formula, const Term& term) { return term.kind == Term::Kind::node && is_undefined(formula, term.node); }
Term undefined(Formula& formula) { return Term::of(formula.constant(Value())); }
/// A value, a tensor's element, or that of the member of a variadic operand which the cell sees.
bool is_number(const Term& term) { return term.kind == Term::Kind::node || term.kind == Term::Kind::tensor || term.kind == Term::Kind::members; }

}  // namespace

Result<Term> Binder::bind(const Expr& expression, const Context& context) {
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } guard(depth_);
  if (depth_ > 2000) return error("N03 formulas are nested too deeply", expression);
  const FloatFormat* each = context.each;
  switch (expression.kind) {
    case ExprKind::number: return Term::of(rounded(formula_.constant(expression.value, notation::is_integer_literal(expression)), each, expression));
    case ExprKind::string: return Term::of(expression.text);
    case ExprKind::constant: return bind_constant(expression, context);
    case ExprKind::name: {
      TIEBREAK_TRY(term, bind_name(expression, context));
      if (each == nullptr || !is_number(term)) return term;
      TIEBREAK_TRY(leaf, as_node(term, expression));
      return Term::of(rounded(leaf, each, expression));
    }
    case ExprKind::call: return bind_call_expression(expression, context);
    case ExprKind::unary: {
      if (expression.text == "not") {
        TIEBREAK_TRY(operand, truth(*expression.args[0], context));
        return Term::of(node(NodeOp::negation, {operand}, expression));
      }
      TIEBREAK_TRY(operand, number(*expression.args[0], context));
      return Term::of(node(NodeOp::negate, {operand}, expression));
    }
    case ExprKind::binary: return bind_binary(expression, context);
    case ExprKind::is: return bind_is(expression, context);
    case ExprKind::conditional: return bind_conditional(expression, context);
    case ExprKind::item: return bind_item(expression, context);
    case ExprKind::tuple:
    case ExprKind::list: {
      Term list{.kind = Term::Kind::list};
      for (const notation::ExprPtr& arg : expression.args) {
        TIEBREAK_TRY(item, bind(*arg, context));
        list.items.push_back(item);
      }
      return list;
    }
    case ExprKind::aggregate: {
      TIEBREAK_TRY(term, bind_aggregate(expression, {context.scope}));
      return Term::of(rounded(term.node, each, expression));
    }
    case ExprKind::data: return bind_data(expression);
  }
  return error("N02 an expression of no kind", expression);
}

Result<Term> Binder::bind_constant(const Expr& expression, const Context& context) {
  const std::string& word = expression.text;
  if (word == "true" || word == "false") return Term::of(formula_.constant(Value(word == "true")));
  if (word == "inf") return Term::of(formula_.constant(Real::infinity()));
  if (word == "nan") return Term::of(formula_.constant(Real::nan()));
  if (word == "undefined") return Term::of(formula_.constant(Value()));
  if (word == "none") return Term{};
  Node position;
  position.integer = true;
  position.op = word == "index" ? NodeOp::index : NodeOp::count;
  const Geometry& geometry = formula_.geometry;
  const std::uint64_t all_cells = (std::uint64_t{1} << geometry.cell_extents.size()) - 1;
  if (word == "index") {
    position.rate = geometry.has_bag ? rate_item : all_cells;
  } else {
    const bool holes = std::ranges::any_of(geometry.operands, [](const auto& entry) { return entry.second.may_miss; });
    if (!geometry.has_bag) return Term::of(formula_.constant(Real(geometry.cells()), true));
    if (!holes || op_scope_->names.contains("padded")) return Term::of(formula_.constant(Real(geometry.items()), true));
    position.rate = all_cells;
  }
  return Term::of(rounded(add(std::move(position), expression), context.each, expression));
}

Result<Term> Binder::bind_binary(const Expr& expression, const Context& context) {
  const std::string& word = expression.text;
  if (word == "and" || word == "or") {
    // By need: a static left side decides alone.
    TIEBREAK_TRY(left, truth(*expression.args[0], context));
    if (formula_.is_constant(left) && formula_[left].constant.is_truth() && formula_[left].constant.truth() == (word == "or")) return Term::of(left);
    TIEBREAK_TRY(right, truth(*expression.args[1], context));
    if (formula_.is_constant(left) && formula_[left].constant.is_truth()) return Term::of(right);
    return Term::of(node(word == "and" ? NodeOp::conjunction : NodeOp::disjunction, {left, right}, expression));
  }
  static const std::map<std::string, NodeOp> arithmetic{{"+", NodeOp::add}, {"-", NodeOp::subtract}, {"*", NodeOp::multiply}, {"/", NodeOp::divide}};
  if (auto found = arithmetic.find(word); found != arithmetic.end()) {
    TIEBREAK_TRY(left, number(*expression.args[0], context));
    TIEBREAK_TRY(right, number(*expression.args[1], context));
    return Term::of(rounded(node(found->second, {left, right}, expression), context.each, expression));
  }
  if (word == "^") {
    TIEBREAK_TRY(left, number(*expression.args[0], {context.scope}));
    TIEBREAK_TRY(right, number(*expression.args[1], {context.scope}));
    return Term::of(rounded(node(NodeOp::power, {left, right}, expression), context.each, expression));
  }
  return bind_relation(expression, {context.scope});
}

Result<Term> Binder::bind_relation(const Expr& expression, const Context& context) {
  const std::string& word = expression.text;
  TIEBREAK_TRY(left, bind(*expression.args[0], context));
  TIEBREAK_TRY(right, bind(*expression.args[1], context));
  if (is_undefined(formula_, left) || is_undefined(formula_, right)) return undefined(formula_);
  auto same = [&](const Term& a, const Term& b, auto& self) -> bool {
    if (a.kind != b.kind) return false;
    if (a.kind == Term::Kind::format) return a.format == b.format;
    if (a.kind == Term::Kind::text) return a.text == b.text;
    if (a.kind == Term::Kind::list) return std::ranges::equal(a.items, b.items, [&](const Term& x, const Term& y) { return self(x, y, self); });
    return a.kind == Term::Kind::none || (a.kind == Term::Kind::node && a.node == b.node);
  };
  auto compare = [&](const Term& a, const Term& b, NodeOp op) -> Result<NodeId> {
    TIEBREAK_TRY(x, as_node(a, *expression.args[0]));
    TIEBREAK_TRY(y, as_node(b, *expression.args[1]));
    return node(op, {x, y}, expression);
  };
  if (word == "in") {
    if (right.kind != Term::Kind::list) return error("N12 'in' needs a list", expression);
    NodeId any = formula_.constant(Value(false));
    for (const Term& item : right.items) {
      if (is_number(left) && is_number(item)) {
        TIEBREAK_TRY(equal, compare(left, item, NodeOp::equal));
        any = node(NodeOp::disjunction, {any, equal}, expression);
      } else if (same(left, item, same)) {
        return Term::of(formula_.constant(Value(true)));
      }
    }
    return Term::of(any);
  }
  if ((word == "==" || word == "!=") && !(is_number(left) && is_number(right)))
    return Term::of(formula_.constant(Value(same(left, right, same) == (word == "=="))));
  NodeOp op = word == "==" ? NodeOp::equal : word == "!=" ? NodeOp::not_equal : word == "<" || word == ">" ? NodeOp::less : NodeOp::less_equal;
  const bool swapped = word == ">" || word == ">=";
  TIEBREAK_TRY(id, swapped ? compare(right, left, op) : compare(left, right, op));
  return Term::of(id);
}

Result<Term> Binder::bind_is(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(term, bind(*expression.args[0], context));
  if (is_undefined(formula_, term)) return undefined(formula_);
  const std::string& word = expression.text;
  if (term.kind == Term::Kind::members && !term.items.empty()) term = Term(term.items.front());  // what is asked of members is asked of the first
  bool holds = false;
  if (term.kind == Term::Kind::tensor) {
    const TensorName& tensor = term.result ? results_[static_cast<std::size_t>(term.tensor)] : operands_[static_cast<std::size_t>(term.tensor)];
    if (!tensor.type) return Term::of(formula_.constant(Value(false)));
    holds = word == "quant"   ? tensor.type->quantized.has_value()
            : word == "int"   ? !tensor.type->quantized && tensor.type->element.is_integer()
            : word == "uint"  ? !tensor.type->quantized && tensor.type->element.is_integer() && !tensor.type->element.integer().is_signed
            : word == "float" ? !tensor.type->quantized && tensor.type->element.is_float()
                              : tensor.type->element.name() == word;
  } else if (term.kind == Term::Kind::format) {
    holds = word == "int"     ? term.format.is_integer()
            : word == "uint"  ? term.format.is_integer() && !term.format.integer().is_signed
            : word == "float" ? term.format.is_float()
                              : term.format.name() == word;
  } else {
    return error(fmt::format("N12 'is {}' needs a format or a tensor", word), expression);
  }
  return Term::of(formula_.constant(Value(holds)));
}

Result<Term> Binder::bind_conditional(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(condition, truth(*expression.args[0], {context.scope}));
  if (formula_.is_constant(condition)) {
    const Value& known = formula_[condition].constant;
    if (known.is_undefined()) return undefined(formula_);  // not the condition itself, which counts as a truth value
    return bind(*expression.args[known.truth() ? 1 : 2], context);
  }
  TIEBREAK_TRY(then, bind(*expression.args[1], context));
  TIEBREAK_TRY(otherwise, bind(*expression.args[2], context));
  if (then.kind == Term::Kind::list && is_undefined(formula_, otherwise))
    otherwise = {.kind = Term::Kind::list, .items = std::vector<Term>(then.items.size(), undefined(formula_))};
  if (otherwise.kind == Term::Kind::list && is_undefined(formula_, then))
    then = {.kind = Term::Kind::list, .items = std::vector<Term>(otherwise.items.size(), undefined(formula_))};
  if (then.kind == Term::Kind::list && otherwise.kind == Term::Kind::list && then.items.size() == otherwise.items.size()) {
    Term list{.kind = Term::Kind::list};
    for (std::size_t i = 0; i < then.items.size(); ++i) {
      TIEBREAK_TRY(a, as_node(then.items[i], expression));
      TIEBREAK_TRY(b, as_node(otherwise.items[i], expression));
      list.items.push_back(Term::of(node(NodeOp::conditional, {condition, a, b}, expression)));
    }
    return list;
  }
  TIEBREAK_TRY(a, as_node(then, *expression.args[1]));
  TIEBREAK_TRY(b, as_node(otherwise, *expression.args[2]));
  return Term::of(node(NodeOp::conditional, {condition, a, b}, expression));
}

/// The list that stands beside the page of this formula.
Result<Term> Binder::bind_data(const Expr& expression) {
  for (const auto& [name, page] : library_.pages())
    if (page.file == file_)
      if (const auto found = page.tables.find(expression.text); found != page.tables.end())
        return Term{.kind = Term::Kind::table, .table = found->second.values};
  return error(fmt::format("N01 there is no data file '{}'", expression.text), expression);
}

/// t[i] where i varies: a table in which each cell looks up an entry of its own.
Result<Term> Binder::bind_look_up(std::shared_ptr<const std::vector<Real>> table, const std::optional<ElementType>& type, NodeId position, const Expr& at) {
  Node look_up;
  look_up.op = NodeOp::look_up;
  look_up.args = {position};
  look_up.integer = type ? type->is_integer() : std::ranges::all_of(*table, [](const Real& entry) { return entry.is_whole(); });
  look_up.low = type ? type->min() : table->empty() ? Real(0) : std::ranges::min(*table);
  look_up.high = type ? type->max() : table->empty() ? Real(0) : std::ranges::max(*table);
  look_up.table = std::move(table);
  return Term::of(add(std::move(look_up), at));
}

/// The entries of an operand that is declared t: T[*].
Result<Term> Binder::bind_table_operand(const Term& owner, NodeId position, const Expr& at) {
  const TensorName& operand = operands_[static_cast<std::size_t>(owner.tensor)];
  const auto& indices = operand.declaration->indices;
  if (indices.size() != 1 || indices[0].name != "*")
    return error(fmt::format("N06 {} is no table, its elements belong to the structure's cells", operand.name), at, "declare it as a table: t: T[*]");
  if (!operand.present || operand.tensor == nullptr) return error(fmt::format("operand {} is absent and has no default", operand.name), at);
  const Tensor& tensor = *operand.tensor;
  if (tensor.element().is_boolean()) return error(fmt::format("N12 a table has numbers, {} has truth values", operand.name), at);
  if (operand.undefined != nullptr && std::ranges::any_of(*operand.undefined, [](std::uint8_t one) { return one != 0; }))
    return error(fmt::format("the table {} has elements that an earlier op left undefined", operand.name), at);
  auto entries = std::make_shared<std::vector<Real>>();
  for (std::int64_t i = 0; i < tensor.size(); ++i) entries->push_back(tensor.value(i));
  return bind_look_up(std::move(entries), tensor.element(), position, at);
}

/// s[0] of an operand or a fact: that element, wherever the cell stands.
Result<Term> Binder::bind_element_at(const Term& owner, NodeId position, const Expr& at) {
  TIEBREAK_TRY(element, as_node(owner, at));
  const Node& node = formula_[element];
  const bool known = formula_.is_constant(position) && formula_[position].constant.is_number();
  const std::int64_t i = known ? formula_[position].constant.number().to_int64().value_or(-1) : -1;
  if (formula_.is_constant(element) && i == 0) return Term::of(element);  // an operand that is absent, a fact with one value
  if (!known && owner.kind == Term::Kind::tensor && !owner.result) return bind_table_operand(owner, position, at);
  if (node.op != NodeOp::element || !known) return error("N06 the index of a fact must be known before any element is looked at", at);
  const Source& source = formula_.sources[static_cast<std::size_t>(node.source)];
  if (i < 0 || i >= source.size()) return Term::of(formula_.constant(Value()));
  return Term::of(formula_.constant(source.value(i), source.integer));
}

Result<Term> Binder::bind_item(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(list, bind(*expression.args[0], context));
  TIEBREAK_TRY(position, number(*expression.args[1], {context.scope}));
  if (is_undefined(formula_, list) || is_undefined(formula_, position)) return undefined(formula_);
  if (list.kind == Term::Kind::table) return bind_look_up(list.table, std::nullopt, position, expression);
  if (list.kind != Term::Kind::list) return bind_element_at(list, position, expression);
  if (formula_.is_constant(position)) {
    auto i = formula_[position].constant.is_number() ? formula_[position].constant.number().to_int64() : std::nullopt;
    if (!i || *i < 0 || *i >= static_cast<std::int64_t>(list.items.size())) return Term::of(formula_.constant(Value()));
    return list.items[static_cast<std::size_t>(*i)];
  }
  NodeId result = formula_.constant(Value());
  for (std::size_t i = list.items.size(); i-- > 0;) {
    TIEBREAK_TRY(item, as_node(list.items[i], expression));
    NodeId here = node(NodeOp::equal, {position, formula_.constant(Real(static_cast<std::int64_t>(i)), true)}, expression);
    result = node(NodeOp::conditional, {here, item, result}, expression);
  }
  return Term::of(result);
}

}  // namespace tiebreak
