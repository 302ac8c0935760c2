// SPDX-License-Identifier: Apache-2.0
// The meaning of each operation on values. Every engine that is not provably equal comes back to this file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/formula/formula.hpp"

namespace tiebreak {
namespace {

std::string place_of(const Node& node) { return fmt::format("{}:{}", node.file, node.place.line); }

/// An integer has one zero.
Value as_kind(const Node& node, Real number) {
  if (node.integer && number.is_zero()) return Real(0);
  return number;
}

Result<Real> exact(const Node& node, const Value& value) {
  if (value.is_number()) return value.number();
  return fail(Errc::type, fmt::format("N10 an irrational value meets no rounding before '{}'", node.text), place_of(node),
              "round it first: f32(...), rne(...)");
}

/// A number beyond what exact arithmetic is willing to hold is an error, not a nan.
Result<Value> within_limits(const Node& node, Real number) {
  if (number.is_exceeded()) return fail(Errc::limit, fmt::format("'{}' has more digits than exact arithmetic holds", node.text), place_of(node));
  return as_kind(node, std::move(number));
}

Result<Value> arithmetic(const Node& node, const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    switch (node.op) {
      case NodeOp::add: return within_limits(node, a.number() + b.number());
      case NodeOp::subtract: return within_limits(node, a.number() - b.number());
      case NodeOp::multiply: return within_limits(node, a.number() * b.number());
      default: return within_limits(node, a.number() / b.number());
    }
  }
  const Computable left = a.computable();
  const Computable right = b.computable();
  switch (node.op) {
    case NodeOp::add: return Value(left + right);
    case NodeOp::subtract: return Value(left - right);
    case NodeOp::multiply: return Value(left * right);
    default: return Value(left / right);
  }
}

Result<Value> raise(const Node& node, const Value& a, const Value& b) {
  TIEBREAK_TRY(base, exact(node, a));
  TIEBREAK_TRY(exponent, exact(node, b));
  if (exponent.is_nan() || exponent.is_infinite()) return Value();
  if (!exponent.is_whole()) return fail(Errc::type, fmt::format("N08 the exponent {} is not a whole number", exponent.to_string()), place_of(node));
  auto n = exponent.to_int64();
  if (!n) return fail(Errc::limit, fmt::format("N08 the exponent {} is too large", exponent.to_string()), place_of(node));
  TIEBREAK_TRY(result, power(base, *n));
  return as_kind(node, result);
}

Result<Value> compare(const Node& node, const Value& a, const Value& b) {
  if (a.is_truth() && b.is_truth()) return Value(node.op == NodeOp::equal ? a.truth() == b.truth() : a.truth() != b.truth());
  TIEBREAK_TRY(left, exact(node, a));
  TIEBREAK_TRY(right, exact(node, b));
  switch (node.op) {
    case NodeOp::equal: return Value(left == right);
    case NodeOp::not_equal: return Value(!(left == right));
    case NodeOp::less: return Value((left <=> right) < 0);
    default: return Value((left <=> right) <= 0);
  }
}

Result<Value> whole_function(const Node& node, const std::vector<Value>& args) {
  std::vector<Real> v;
  for (const Value& arg : args) {
    TIEBREAK_TRY(number, exact(node, arg));
    v.push_back(number);
  }
  switch (node.op) {
    case NodeOp::minimum: return as_kind(node, min(v[0], v[1]));
    case NodeOp::maximum: return as_kind(node, max(v[0], v[1]));
    case NodeOp::absolute: return Value(abs(v[0]));
    case NodeOp::sign: return v[0].is_nan() ? Value(Real::nan()) : Value(Real(v[0].sign()));
    case NodeOp::exponent:
      if (v[0].is_nan()) return Value(Real::nan());
      if (v[0].is_infinite()) return Value(Real::infinity());
      return v[0].is_zero() ? Value(Real::infinity(true)) : Value(Real(v[0].exponent()));
    case NodeOp::is_nan: return Value(v[0].is_nan());
    default: break;
  }
  if (!v[0].is_whole() || !v[1].is_whole()) return Value();
  if (node.op == NodeOp::bit_and) return Value(bit_and(v[0], v[1]));
  return Value(node.op == NodeOp::bit_or ? bit_or(v[0], v[1]) : bit_xor(v[0], v[1]));
}

Result<Value> to_integer(const Node& node, const Value& arg) {
  TIEBREAK_TRY(v, exact(node, arg));
  if (v.is_nan()) return Value();
  if (v.is_infinite()) return node.op == NodeOp::saturate ? Value(saturate(v, node.low, node.high)) : Value();
  if (!v.is_whole())
    return fail(Errc::type, fmt::format("N05 {} enters an integer format without having been rounded to a whole number in '{}'", v.to_decimal(9), node.text),
                place_of(node), "round it first: rne(...), rtz(...)");
  if (node.op == NodeOp::saturate) return as_kind(node, saturate(v, node.low, node.high));
  if (node.op == NodeOp::wrap) return as_kind(node, wrap(v, node.integer_format));
  if ((v <=> node.low) < 0 || (v <=> node.high) > 0) return Value();
  return as_kind(node, v);
}

Result<Value> to_format(const Node& node, const Value& arg) {
  if (arg.is_number()) {
    auto rounded = round_to(arg.number(), *node.format, node.rounding, node.overflow);
    return rounded ? Value(*rounded) : Value();
  }
  TIEBREAK_TRY(rounded, arg.computable().round_to(*node.format, node.rounding, node.overflow));
  return rounded ? Value(*rounded) : Value();
}

Result<Value> real_function(const Node& node, const std::vector<Value>& args) {
  std::vector<Computable> numbers;
  for (const Value& arg : args) numbers.push_back(arg.computable());
  return Value(Computable::apply(node.function, numbers));
}

}  // namespace

Result<Value> apply_node(const Node& node, const std::vector<Value>& args) {
  if (std::ranges::any_of(args, [](const Value& arg) { return arg.is_undefined(); })) return Value();
  switch (node.op) {
    using enum NodeOp;
    case constant: return node.constant;
    case add:
    case subtract:
    case multiply:
    case divide: return arithmetic(node, args[0], args[1]);
    case negate:
      if (args[0].is_number()) return as_kind(node, -args[0].number());
      return Value(-args[0].computable());
    case power: return raise(node, args[0], args[1]);
    case equal:
    case not_equal:
    case less:
    case less_equal: return compare(node, args[0], args[1]);
    case negation: return Value(!args[0].truth());
    case conjunction: return Value(args[0].truth() && args[1].truth());
    case disjunction: return Value(args[0].truth() || args[1].truth());
    case minimum:
    case maximum:
    case absolute:
    case sign:
    case exponent:
    case is_nan:
    case bit_and:
    case bit_or:
    case bit_xor: return whole_function(node, args);
    case round_whole: {
      if (args[0].is_number()) return Value(tiebreak::round_whole(args[0].number(), node.rounding));
      TIEBREAK_TRY(rounded, args[0].computable().round_whole(node.rounding));
      return Value(rounded);
    }
    case round_float: return to_format(node, args[0]);
    case saturate:
    case wrap:
    case trap: return to_integer(node, args[0]);
    case NodeOp::real_function: return tiebreak::real_function(node, args);
    case conditional: return args[args[0].truth() ? 1 : 2];
    case element:
    case index:
    case count:
    case carried:
    case aggregate: break;
  }
  return fail(Errc::internal, "apply_node: node has no value of its own", place_of(node));
}

}  // namespace tiebreak
