// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rules/rule_expression.hpp"

#include <fmt/format.h>

#include <vector>

#include "interpreter/hint.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/words.hpp"
#include "interpreter/operations/operation_traits.hpp"
#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {
namespace {

using notation::Expr;
using notation::ExprKind;

class Expression {
 public:
  Expression(const RuleNumbers& numbers, const std::string& where) : numbers_(numbers), where_(where) {}

  Result<Value> value(const Expr& expression) const {
    switch (expression.kind) {
      using enum ExprKind;
      case number: return Value(expression.value);
      case constant: return constant_value(expression.text);
      case name: return parameter(expression.text);
      case unary: return apply(Node{.op = expression.text == "not" ? NodeOp::negation : NodeOp::negate}, expression);
      case binary: return binary_value(expression);
      case conditional: return conditional_value(expression);
      case call: return call_value(expression);
      default: return refused("'" + notation::print(expression) + "' is nothing that a rule computes");
    }
  }

 private:
  tl::unexpected<Error> refused(const std::string& what, Errc code = Errc::syntax,
                                const std::string& hint = "parameters, numbers, operations, roundings") const {
    return fail(code, what, where_, hint);
  }

  Result<Value> constant_value(const std::string& word) const {
    if (word == "true" || word == "false") return Value(word == "true");
    if (word == "inf") return Value(Real::infinity());
    if (word == "nan") return Value(Real::nan());
    return refused("'" + word + "' is nothing that a rule computes");
  }

  Result<Value> parameter(const std::string& name) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return Value(found->second);
    std::vector<std::string> names;
    for (const auto& [known, number] : numbers_) names.push_back(known);
    return refused("the rule has no number '" + name + "'", Errc::unknown_name, did_you_mean(name, names));
  }

  static bool takes_truth(NodeOp op) { return op == NodeOp::conjunction || op == NodeOp::disjunction || op == NodeOp::negation; }

  Result<Value> apply(Node node, const Expr& expression, bool exchanged = false) const {
    std::vector<Value> args;
    for (const notation::ExprPtr& arg : expression.args) {
      TIEBREAK_TRY(one, value(*arg));
      if (one.is_truth() != takes_truth(node.op)) return refused("'" + notation::print(*arg) + "' is " + (one.is_truth() ? "a truth value" : "a number"));
      args.push_back(one);
    }
    if (exchanged) std::swap(args.front(), args.back());
    auto applied = apply_node(node, args);
    if (!applied) return fail(applied.error().code, applied.error().what, where_, applied.error().hint);
    return applied;
  }

  Result<Value> binary_value(const Expr& expression) const {
    static const std::map<std::string, std::pair<NodeOp, bool>> operations{
        {"+", {NodeOp::add, false}},          {"-", {NodeOp::subtract, false}}, {"*", {NodeOp::multiply, false}},   {"/", {NodeOp::divide, false}},
        {"^", {NodeOp::power, false}},        {"==", {NodeOp::equal, false}},   {"!=", {NodeOp::not_equal, false}}, {"<", {NodeOp::less, false}},
        {"<=", {NodeOp::less_equal, false}},  {">", {NodeOp::less, true}},      {">=", {NodeOp::less_equal, true}}, {"and", {NodeOp::conjunction, false}},
        {"or", {NodeOp::disjunction, false}},
    };
    const auto found = operations.find(expression.text);
    if (found == operations.end()) return refused("'" + expression.text + "' is nothing that a rule computes");
    return apply(Node{.op = found->second.first}, expression, found->second.second);
  }

  Result<Value> conditional_value(const Expr& expression) const {
    TIEBREAK_TRY(condition, value(*expression.args[0]));
    if (!condition.is_truth()) return refused("'" + notation::print(*expression.args[0]) + "' is no truth value");
    return value(*expression.args[condition.truth() ? 1 : 2]);
  }

  /// Of a rounding, a format or a function.
  Result<Value> call_value(const Expr& expression) const {
    Node node{.op = NodeOp::constant};
    if (const Rounding* rounding = find_rounding(expression.text)) {
      node.op = NodeOp::round_whole;
      node.rounding = *rounding;
    } else if (const auto conversion = notation::split_conversion(expression.text); conversion && ElementType::parse(std::string(conversion->target))) {
      TIEBREAK_CHECK(set_conversion(*conversion, node));
    } else if (const OperationTraits* traits = find_traits(std::string_view(expression.text))) {
      node.op = traits->op;
    } else if (const RealFunction* function = find_real_function(expression.text)) {
      node.op = NodeOp::real_function;
      node.function = *function;
    } else {
      return refused("'" + expression.text + "' is no operation of the notation", Errc::unknown_name);
    }
    const OperationTraits* traits = find_traits(node.op);
    if (traits != nullptr && traits->arguments != static_cast<int>(expression.args.size()))
      return refused(fmt::format("'{}' takes {} arguments", expression.text, traits->arguments));
    return apply(std::move(node), expression);
  }

  Status set_conversion(const notation::Conversion& conversion, Node& node) const {
    const ElementType type = *ElementType::parse(std::string(conversion.target));
    using enum notation::ConversionVerb;
    if (type.is_float()) {
      if (conversion.verb != none && conversion.verb != sat) return refused("a float format is rounded to, or saturated");
      node.op = NodeOp::round_float;
      node.format = &type.floating();
      node.rounding = conversion.rounding != nullptr ? *conversion.rounding : Rounding::nearest_even;
      node.overflow = conversion.verb == sat ? Overflow::saturate : Overflow::format;
      return {};
    }
    if (!type.is_integer() || conversion.rounding != nullptr || (conversion.verb != sat && conversion.verb != wrap && conversion.verb != trap))
      return refused("an integer format needs sat, wrap or trap", Errc::syntax, "sat.i8(rne(v))");
    node.op = conversion.verb == sat ? NodeOp::saturate : conversion.verb == wrap ? NodeOp::wrap : NodeOp::trap;
    node.integer = true;
    node.low = type.min();
    node.high = type.max();
    node.integer_format = type.integer();
    return {};
  }

  const RuleNumbers& numbers_;
  const std::string& where_;
};

}  // namespace

Result<Value> evaluate_rule_expression(const std::string& text, const RuleNumbers& numbers, const std::string& where) {
  auto parsed = notation::parse_expression(text, where);
  if (!parsed) return fail(parsed.error().code, parsed.error().what, where, parsed.error().hint);
  TIEBREAK_TRY(value, Expression(numbers, where).value(**parsed));
  if (!value.is_number() && !value.is_truth()) return fail(Errc::constraint, "'" + text + "' has no exact value", where, "round it: f32(...)");
  return value;
}

}  // namespace tiebreak
