// SPDX-License-Identifier: Apache-2.0
// Calls: conversions (f32, rtz.bf16, sat.i8, sat.y, wrap.i32, each.f32 ...), rounding words, functions, definitions and choices.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/exact_evaluator.hpp"

namespace tiebreak {

using notation::Expr;

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path)
    if (c == '.') parts.emplace_back();
    else parts.back() += c;
  return parts;
}

/// Whether anything that has a dimension goes into the values, be it of one element: an operand of rank 1 and more, a parameter of an axis,
/// the bag.
bool has_dimension(const Formula& formula, std::vector<NodeId> open) {
  std::set<NodeId> seen(open.begin(), open.end());
  while (!open.empty()) {
    const Node& node = formula[open.back()];
    open.pop_back();
    if (node.op == NodeOp::aggregate || node.op == NodeOp::index || node.op == NodeOp::carried) return true;
    if (node.op == NodeOp::element) {
      const Source& source = formula.sources[static_cast<std::size_t>(node.source)];
      if (source.tensor == nullptr || !source.tensor->shape().empty()) return true;
    }
    for (NodeId arg : node.args)
      if (seen.insert(arg).second) open.push_back(arg);
  }
  return false;
}

}  // namespace

/// A format word, a type variable, or a tensor's name: what F stands for in F(v), sat.F(v) ...
Result<std::optional<Binder::Target>> Binder::conversion_target(const std::string& word, const Scope& scope) {
  TIEBREAK_TRY(found, look_up(word, scope));
  if (found.entry == nullptr || !found.rest.empty()) {
    if (auto type = ElementType::parse(word)) return Target{*type, type->min(), type->max()};
    return std::optional<Target>{};
  }
  if (std::holds_alternative<const notation::Definition*>(*found.entry) || std::holds_alternative<const notation::Choice*>(*found.entry))
    return std::optional<Target>{};
  Expr at;
  TIEBREAK_TRY(term, bind_entry(*found.entry, *found.owner, word, at));
  if (term.kind == Term::Kind::format) return Target{term.format, term.format.min(), term.format.max()};
  if (term.kind != Term::Kind::tensor) return std::optional<Target>{};
  const TensorName& tensor = term.result ? results_[static_cast<std::size_t>(term.tensor)] : operands_[static_cast<std::size_t>(term.tensor)];
  if (!tensor.type) return std::optional<Target>{};
  const TensorType& type = *tensor.type;
  if (type.quantized) return Target{type.element, type.quantized->storage_min, type.quantized->storage_max};
  return Target{type.element, type.element.min(), type.element.max()};
}

/// `word` applied to an argument; *known is false where it is no conversion.
Result<NodeId> Binder::convert(const std::string& word, NodeId argument, const Scope& scope, const Expr& at, bool* known) {
  std::vector<std::string> parts = split(word);
  Node node;
  node.args = {argument};
  std::string verb;
  *known = true;
  if (parts.size() > 1 && (parts[0] == "sat" || parts[0] == "wrap" || parts[0] == "trap")) {
    verb = parts[0];
    parts.erase(parts.begin());
  }
  const Rounding* rounding = find_rounding(parts[0]);
  if (rounding != nullptr && parts.size() > 1) parts.erase(parts.begin());
  if (rounding != nullptr && parts.size() == 1 && find_rounding(parts[0]) == rounding && verb.empty()) {
    node.op = NodeOp::round_whole;
    node.rounding = *rounding;
    return add(std::move(node), at);
  }
  std::string name = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) name += "." + parts[i];
  TIEBREAK_TRY(target, conversion_target(name, scope));
  if (!target) {
    *known = false;
    return argument;
  }
  if (target->type.is_float()) {
    if (verb == "wrap" || verb == "trap") return error(fmt::format("N04 {} needs an integer format, {} is {}", verb, name, target->type.name()), at);
    node.op = NodeOp::round_float;
    node.format = &target->type.floating();
    node.rounding = rounding != nullptr ? *rounding : Rounding::nearest_even;
    node.overflow = verb == "sat" ? Overflow::saturate : Overflow::format;
    return add(std::move(node), at);
  }
  if (verb.empty() || rounding != nullptr)
    return error(fmt::format("N04 the integer format {} needs sat, wrap or trap", name), at,
                 fmt::format("sat.{}(...), wrap.{}(...) or trap.{}(...)", name, name, name));
  node.integer = true;
  node.op = verb == "sat" ? NodeOp::saturate : verb == "wrap" ? NodeOp::wrap : NodeOp::trap;
  node.low = target->low;
  node.high = target->high;
  if (target->type.is_integer()) node.integer_format = target->type.integer();
  if (target->type.is_boolean()) node.integer_format = IntegerFormat{false, 1};
  return add(std::move(node), at);
}

/// any.F(a, b): the canonical member is the first end. The least of it and itself, which is no other value, knows the other end. Ends that are no values of a
/// float format are brought to the next ones inside.
Result<NodeId> Binder::bind_set(const Expr& expression, const Context& context) {
  const std::string name = expression.text.substr(4);
  TIEBREAK_TRY(target, conversion_target(name, *context.scope));
  if (!target) return error(fmt::format("N01 unknown format in '{}'", expression.text), expression);
  const bool is_float = target->type.is_float();
  std::vector<NodeId> ends;
  for (const char* verb : {is_float ? "ceil." : "trap.", is_float ? "floor." : "trap."}) {
    TIEBREAK_TRY(end, number(*expression.args[ends.size()], {context.scope}));
    bool known = false;
    TIEBREAK_TRY(id, convert(verb + name, end, *context.scope, expression, &known));
    ends.push_back(id);
  }
  if (ends[0] == ends[1]) return ends[0];
  Node node;
  node.op = NodeOp::minimum;
  node.args = {ends[0], ends[0]};
  node.integer = formula_[ends[0]].integer;
  node.set_end = ends[1];
  return add(std::move(node), expression);
}

Result<std::optional<Term>> Binder::bind_conversion(const Expr& expression, const Context& context) {
  const std::string& word = expression.text;
  if (expression.args.size() != 1) {
    if (word.starts_with("any.") && expression.args.size() == 2) {
      TIEBREAK_TRY(id, bind_set(expression, context));
      return std::optional<Term>(Term::of(id));
    }
    return std::optional<Term>{};
  }
  if (word.starts_with("each.")) {
    TIEBREAK_TRY(target, conversion_target(word.substr(5), *context.scope));
    if (!target || !target->type.is_float()) return error(fmt::format("N01 '{}' is no float format", word.substr(5)), expression);
    TIEBREAK_TRY(id, number(*expression.args[0], {context.scope, &target->type.floating()}));
    return std::optional<Term>(Term::of(id));
  }
  // A word that cannot be a conversion must not bind its argument here.
  const std::string head = split(word)[0];
  const bool verb = head == "sat" || head == "wrap" || head == "trap";
  const bool rounding = find_rounding(head) != nullptr;
  if (!verb && !rounding) {
    TIEBREAK_TRY(target, conversion_target(word, *context.scope));
    if (!target) return std::optional<Term>{};
  }
  const bool whole = rounding && word == head;
  TIEBREAK_TRY(argument, number(*expression.args[0], {context.scope, whole ? context.each : nullptr}));
  bool known = false;
  TIEBREAK_TRY(id, convert(word, argument, *context.scope, expression, &known));
  if (!known) return error(fmt::format("N01 unknown format in '{}'", word), expression);
  return std::optional<Term>(Term::of(whole ? id : rounded(id, context.each, expression)));
}

/// all(c): whether c holds for every scale, zero point or other fact that it varies over; known before any element is read.
Result<std::optional<Term>> Binder::bind_all(const Expr& expression, const Context& context) {
  if (expression.args.size() != 1) return error(fmt::format("N12 'all' takes 1 argument(s), got {}", expression.args.size()), expression);
  TIEBREAK_TRY(condition, truth(*expression.args[0], {context.scope}));
  std::vector<NodeId> open{condition};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Node& node = formula_[open[i]];
    const bool read = node.op == NodeOp::element && formula_.sources[static_cast<std::size_t>(node.source)].tensor != nullptr;
    if (read || node.op == NodeOp::aggregate || node.op == NodeOp::index || node.op == NodeOp::carried)
      return error(fmt::format("N11 'all' is about facts, '{}' is no fact", node.text), expression, "scales, zero points, shapes, types, attributes");
    open.insert(open.end(), node.args.begin(), node.args.end());
  }
  ExactEvaluator evaluator(formula_);
  TIEBREAK_TRY(held, evaluator.holds_everywhere(condition));
  return std::optional<Term>(Term::of(formula_.constant(Value(held.empty()))));
}

Result<std::optional<Term>> Binder::bind_function(const Expr& expression, const Context& context) {
  const std::string& word = expression.text;
  std::vector<NodeId> args;
  const OperationTraits* operation = find_traits(word);
  const bool reaches = (operation != nullptr && operation->each) || word == "clamp" || find_real_function(word) != nullptr;
  auto bind_args = [&]() -> Status {
    for (const notation::ExprPtr& arg : expression.args) {
      TIEBREAK_TRY(id, number(*arg, {context.scope, reaches ? context.each : nullptr}));
      args.push_back(id);
    }
    return {};
  };
  auto wrong_count = [&](std::size_t expected) {
    return error(fmt::format("N12 '{}' takes {} argument(s), got {}", word, expected, expression.args.size()), expression);
  };
  if (word == "scalar") {
    TIEBREAK_CHECK(bind_args());
    return std::optional<Term>(Term::of(formula_.constant(Value(!has_dimension(formula_, args)))));
  }
  if (word == "all") return bind_all(expression, context);
  if (operation != nullptr) {
    TIEBREAK_CHECK(bind_args());
    const auto least = static_cast<std::size_t>(operation->arguments);
    if (args.size() < least || (least == 1 && args.size() > 1)) return wrong_count(least);
    if (least == 1) return std::optional<Term>(Term::of(node(operation->op, args, expression)));
    NodeId result = args[0];
    for (std::size_t i = 1; i < args.size(); ++i) result = node(operation->op, {result, args[i]}, expression);
    return std::optional<Term>(Term::of(result));
  }
  if (word == "clamp") {
    TIEBREAK_CHECK(bind_args());
    if (args.size() != 3) return wrong_count(3);
    return std::optional<Term>(Term::of(node(NodeOp::minimum, {node(NodeOp::maximum, {args[0], args[1]}, expression), args[2]}, expression)));
  }
  if (const RealFunction* function = find_real_function(word)) {
    TIEBREAK_CHECK(bind_args());
    if (args.size() != static_cast<std::size_t>(arity(*function))) return wrong_count(static_cast<std::size_t>(arity(*function)));
    Node call;
    call.op = NodeOp::real_function;
    call.function = *function;
    call.args = args;
    return std::optional<Term>(Term::of(rounded(add(std::move(call), expression), context.each, expression)));
  }
  return std::optional<Term>{};
}

Result<Term> Binder::bind_call_expression(const Expr& expression, const Context& context) {
  TIEBREAK_TRY(found, look_up(expression.text, *context.scope));
  if (found.entry != nullptr && found.rest.empty()) {
    if (const auto* definition = std::get_if<const notation::Definition*>(found.entry)) {
      TIEBREAK_TRY(term, call_definition({(*definition)->parameters, (*definition)->body, *found.owner}, expression, {context.scope}));
      if (context.each == nullptr || term.kind != Term::Kind::node) return term;
      return Term::of(rounded(term.node, context.each, expression));
    }
    if (const auto* choice = std::get_if<const notation::Choice*>(found.entry)) {
      TIEBREAK_TRY(alternative, take(**choice, *found.owner));
      const std::string label = (*choice)->name + "=" + alternative->name;
      TIEBREAK_TRY(term, call_definition({(*choice)->parameters, alternative->body, *found.owner, label, alternative->file}, expression, {context.scope}));
      if (context.each == nullptr || term.kind != Term::Kind::node) return term;
      return Term::of(rounded(term.node, context.each, expression));
    }
  }
  TIEBREAK_TRY(conversion, bind_conversion(expression, context));
  if (conversion) return *conversion;
  TIEBREAK_TRY(function, bind_function(expression, context));
  if (function) return *function;
  return error(fmt::format("N01 unknown word '{}'", expression.text), expression);
}

}  // namespace tiebreak
