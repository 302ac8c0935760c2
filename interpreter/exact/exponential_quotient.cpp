// SPDX-License-Identifier: Apache-2.0
// Rational expressions in exponentials of rationals, as quotients of sums c * exp(r) with rational c and r.
//
// Exponentials of distinct rationals are linearly independent over the rationals (Lindemann, Weierstrass). So a sum is zero
// only if all its coefficients are, and P / Q is a rational number q only if P and q * Q have the same coefficients: whether
// softmax, logistic or tanh meet a tie exactly is a comparison of coefficients, not a matter of precision.
#include <map>
#include <unordered_map>
#include <vector>

#include "interpreter/exact/computable_evaluate.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t term_limit = 20000;

struct Less {
  bool operator()(const Real& a, const Real& b) const { return a < b; }
};
using Sum = std::map<Real, Real, Less>;  // exponent -> coefficient, never zero

struct Quotient {
  Sum upper;
  Sum lower;
};

// False where a number became too large to be kept.
[[nodiscard]] bool add_term(Sum& sum, const Real& exponent, const Real& coefficient) {
  if (exponent.is_nan() || coefficient.is_nan()) return false;
  const auto [place, inserted] = sum.try_emplace(exponent, coefficient);
  if (inserted) return true;
  place->second = place->second + coefficient;
  if (place->second.is_nan()) return false;
  if (place->second.is_zero()) sum.erase(place);
  return true;
}

std::optional<Sum> product(const Sum& a, const Sum& b) {
  if (a.size() * b.size() > term_limit) return std::nullopt;
  Sum result;
  for (const auto& [r, c] : a)
    for (const auto& [s, d] : b)
      if (!add_term(result, r + s, c * d)) return std::nullopt;
  return result;
}

bool same(const Sum& a, const Sum& b) { return a == b; }

std::optional<Quotient> sum_of(Quotient a, const Quotient& b, bool subtract) {
  const Real factor = subtract ? -1 : 1;
  if (!same(a.lower, b.lower)) {
    const auto left = product(a.upper, b.lower);
    const auto right = product(b.upper, a.lower);
    const auto lower = product(a.lower, b.lower);
    if (!left || !right || !lower) return std::nullopt;
    Quotient result{*left, *lower};
    for (const auto& [r, c] : *right)
      if (!add_term(result.upper, r, factor * c)) return std::nullopt;
    return result;
  }
  if (a.upper.size() + b.upper.size() > term_limit) return std::nullopt;
  for (const auto& [r, c] : b.upper)
    if (!add_term(a.upper, r, factor * c)) return std::nullopt;
  return a;
}

std::optional<Quotient> product_of(const Sum& a, const Sum& b, const Sum& c, const Sum& d) {  // a * b / (c * d)
  auto upper = product(a, b);
  auto lower = product(c, d);
  if (!upper || !lower) return std::nullopt;
  return Quotient{std::move(*upper), std::move(*lower)};
}

// The rational number that a quotient is, if it is one.
std::optional<Real> constant(const Quotient& v) {
  if (v.lower.empty()) return std::nullopt;
  if (v.upper.empty()) return Real();
  if (v.upper.size() != v.lower.size()) return std::nullopt;
  const Real ratio = v.upper.begin()->second / v.lower.begin()->second;
  for (auto a = v.upper.begin(), b = v.lower.begin(); a != v.upper.end(); ++a, ++b)
    if (!(a->first == b->first) || !(a->second == ratio * b->second)) return std::nullopt;
  return ratio;
}

std::optional<Quotient> function_of(RealFunction function, const Quotient& argument) {
  const auto r = constant(argument);
  if (!r) return std::nullopt;
  const Sum one{{Real(), Real(1)}};
  if (!r->is_zero()) {  // at zero all four are rational
    switch (function) {
      case RealFunction::exp: return Quotient{{{*r, Real(1)}}, one};
      case RealFunction::expm1: return Quotient{{{*r, Real(1)}, {Real(), Real(-1)}}, one};
      case RealFunction::tanh: return Quotient{{{*r + *r, Real(1)}, {Real(), Real(-1)}}, {{*r + *r, Real(1)}, {Real(), Real(1)}}};
      case RealFunction::logistic: return Quotient{{{*r, Real(1)}}, {{*r, Real(1)}, {Real(), Real(1)}}};
      default: break;
    }
  }
  const auto exact = arity(function) == 1 ? exact_result(function, *r, Real()) : std::nullopt;
  if (!exact || !exact->is_finite()) return std::nullopt;
  Quotient rational{{}, one};
  if (!exact->is_zero()) rational.upper.emplace(Real(), *exact);
  return rational;
}

std::optional<Quotient> quotient_of(const Real& v) {
  if (!v.is_finite()) return std::nullopt;
  Quotient result{{}, {{Real(), Real(1)}}};
  if (!v.is_zero()) result.upper.emplace(Real(), v);
  return result;
}

std::optional<Quotient> combine(const Computable::Node& node, std::optional<Quotient> a, const std::optional<Quotient>& b) {
  if (!a || (node.kind != NodeKind::function && !b) || (node.kind == NodeKind::function && arity(node.function) != 1)) return std::nullopt;
  switch (node.kind) {
    case NodeKind::exact: break;
    case NodeKind::function: return function_of(node.function, *a);
    case NodeKind::add: return sum_of(std::move(*a), *b, false);
    case NodeKind::subtract: return sum_of(std::move(*a), *b, true);
    case NodeKind::multiply: return product_of(a->upper, b->upper, a->lower, b->lower);
    case NodeKind::divide: return b->upper.empty() ? std::nullopt : product_of(a->upper, b->lower, a->lower, b->upper);
  }
  return std::nullopt;
}

// A quotient whose divisor turned out to be zero, which is +0 as x - x is.
Resolution by_zero(const Computable::Node& root, const Quotient& dividend) {
  if (dividend.upper.empty()) return {false, Real::nan()};
  const int sign = sign_of(*root.children[0]);
  return sign == 0 ? Resolution{} : Resolution{false, Real::infinity(sign < 0)};
}

}  // namespace

Resolution resolve(const Computable::Node& root) {
  const std::vector<const Computable::Node*> nodes = in_order(root);
  // A value used once is moved on: a sum of n terms grows in place.
  std::unordered_map<const Computable::Node*, int> uses;
  for (const auto* node : nodes)
    for (const auto& child : node->children) ++uses[child.get()];
  std::unordered_map<const Computable::Node*, std::optional<Quotient>> values;
  const auto fetch = [&](const NodePointer& child) -> std::optional<Quotient> {
    if (!child) return std::nullopt;
    auto& stored = values[child.get()];
    return --uses[child.get()] == 0 ? std::move(stored) : stored;
  };
  for (const auto* node : nodes) {
    if (node->kind == NodeKind::exact) {
      values[node] = quotient_of(node->value);
      continue;
    }
    auto a = fetch(node->children[0]);
    const auto b = fetch(node->children[1]);
    if (node == &root && node->kind == NodeKind::divide && a && b && b->upper.empty()) return by_zero(root, *a);
    values[node] = combine(*node, std::move(a), b);
  }
  const auto& result = values[&root];
  if (!result) return {};
  Resolution resolution;
  resolution.value = constant(*result);
  resolution.irrational = !resolution.value;
  return resolution;
}

}  // namespace tiebreak
