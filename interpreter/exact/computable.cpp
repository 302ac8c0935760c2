// SPDX-License-Identifier: Apache-2.0
// Expressions in real functions: building them, with everything that is exact kept exact.
#include "interpreter/exact/computable.hpp"

#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/exact/computable_evaluate.hpp"
#include "interpreter/exact/computable_node.hpp"

namespace tiebreak {
namespace {

constexpr std::array<std::pair<std::string_view, RealFunction>, 15> function_words{{
    {"sqrt", RealFunction::sqrt},
    {"cbrt", RealFunction::cbrt},
    {"rsqrt", RealFunction::rsqrt},
    {"exp", RealFunction::exp},
    {"expm1", RealFunction::expm1},
    {"log", RealFunction::log},
    {"log1p", RealFunction::log1p},
    {"pow", RealFunction::pow},
    {"sin", RealFunction::sin},
    {"cos", RealFunction::cos},
    {"tan", RealFunction::tan},
    {"tanh", RealFunction::tanh},
    {"atan2", RealFunction::atan2},
    {"erf", RealFunction::erf},
    {"logistic", RealFunction::logistic},
}};

using Node = Computable::Node;

NodePointer leaf(const Real& v) {
  auto node = std::make_shared<Node>();
  node->value = v;
  return node;
}

NodePointer combined(NodeKind kind, NodePointer a, NodePointer b, bool irrational) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->irrational = irrational;
  node->children = {std::move(a), std::move(b)};
  return node;
}

}  // namespace

Node::~Node() {
  // A sum over a long row is a chain of that length: unlink it step by step, as recursion would exhaust the stack.
  std::vector<NodePointer> pending;
  const auto release = [&pending](std::array<NodePointer, 2>& links) {
    for (NodePointer& link : links)
      if (link && link.use_count() == 1) pending.push_back(std::move(link));
  };
  release(children);
  while (!pending.empty()) {
    const NodePointer node = std::move(pending.back());
    pending.pop_back();
    release(const_cast<Node&>(*node).children);  // ours alone, and about to go
  }
}

std::vector<const Node*> in_order(const Node& root) {
  std::vector<const Node*> result;
  std::unordered_set<const Node*> done;
  std::vector<std::pair<const Node*, bool>> pending{{&root, false}};
  while (!pending.empty()) {
    const auto [node, children_done] = pending.back();
    pending.pop_back();
    if (children_done) {
      result.push_back(node);
      continue;
    }
    if (!done.insert(node).second) continue;
    pending.emplace_back(node, true);
    for (const NodePointer& child : node->children)
      if (child) pending.emplace_back(child.get(), false);
  }
  return result;
}

const RealFunction* find_real_function(std::string_view word) {
  for (const auto& entry : function_words)
    if (entry.first == word) return &entry.second;
  return nullptr;
}

std::string_view to_word(RealFunction function) {
  for (const auto& [word, value] : function_words)
    if (value == function) return word;
  return {};
}

int arity(RealFunction function) { return function == RealFunction::pow || function == RealFunction::atan2 ? 2 : 1; }

// Computable grants its node to these two; everything else goes through them.
struct ComputableAccess {
  static NodePointer node(const Computable& v) { return v.node_ ? v.node_ : leaf(v.exact_); }
  static Computable wrap(NodePointer node) {
    Computable result;
    result.node_ = std::move(node);
    return result;
  }
  static bool irrational(const Computable& v) { return v.node_ && v.node_->irrational; }
  static Computable arithmetic(NodeKind kind, const Computable& a, const Computable& b) {
    // An irrational number combined with a finite rational one stays irrational, but for the product with zero.
    const bool product = kind == NodeKind::multiply || kind == NodeKind::divide;
    const auto plain = [product](const Computable& v) { return v.is_exact() && v.exact().is_finite() && !(product && v.exact().is_zero()); };
    const bool proven = (plain(a) && irrational(b)) || (irrational(a) && plain(b));
    return wrap(combined(kind, node(a), node(b), proven));
  }
};

Computable::Computable(Real value) : exact_(std::move(value)) {}
bool Computable::is_exact() const { return !node_; }
const Real& Computable::exact() const { return exact_; }

Computable Computable::apply(RealFunction function, std::span<const Computable> arguments) {
  if (static_cast<int>(arguments.size()) != arity(function)) return Real::nan();
  const Computable& a = arguments[0];
  const Computable b = arguments.size() > 1 ? arguments[1] : Computable();
  bool irrational = false;
  if (a.is_exact() && b.is_exact()) {
    if (auto exact = exact_result(function, a.exact(), b.exact())) return *exact;
    irrational = is_irrational_result(function, a.exact(), b.exact());
  } else if ((a.is_exact() && a.exact().is_nan()) || (b.is_exact() && b.exact().is_nan())) {
    return Real::nan();
  } else if (function == RealFunction::pow && b.is_exact() && b.exact().is_zero()) {
    return Real(1);
  }
  auto result = std::make_shared<Node>();
  result->kind = NodeKind::function;
  result->function = function;
  result->irrational = irrational;
  result->children[0] = ComputableAccess::node(a);
  if (arguments.size() > 1) result->children[1] = ComputableAccess::node(b);
  return ComputableAccess::wrap(std::move(result));
}

Computable operator+(const Computable& a, const Computable& b) {
  if (a.is_exact() && b.is_exact()) return a.exact() + b.exact();
  const Computable& exact = a.is_exact() ? a : b;
  if (exact.is_exact() && !exact.exact().is_finite()) return exact;
  if (exact.is_exact() && exact.exact().is_zero()) return a.is_exact() ? b : a;
  return ComputableAccess::arithmetic(NodeKind::add, a, b);
}

Computable operator-(const Computable& a, const Computable& b) {
  if (b.is_exact()) return a + Computable(-b.exact());
  if (a.is_exact() && !a.exact().is_finite()) return a;
  return ComputableAccess::arithmetic(NodeKind::subtract, a, b);
}

Computable operator*(const Computable& a, const Computable& b) {
  if (a.is_exact() && b.is_exact()) return a.exact() * b.exact();
  if (a.is_exact() || b.is_exact()) {
    const Real& exact = a.is_exact() ? a.exact() : b.exact();
    const Computable& other = a.is_exact() ? b : a;
    if (exact.is_nan()) return exact;
    if (exact == Real(1)) return other;
    if (exact.is_zero() || exact.is_infinite())
      if (const int sign = sign_of(*ComputableAccess::node(other)); sign != 0) return exact * Real(sign);
  }
  return ComputableAccess::arithmetic(NodeKind::multiply, a, b);
}

Computable operator/(const Computable& a, const Computable& b) {
  if (a.is_exact() && b.is_exact()) return a.exact() / b.exact();
  if (b.is_exact()) {
    const Real& divisor = b.exact();
    if (divisor.is_nan()) return divisor;
    if (divisor == Real(1)) return a;
    if (divisor.is_zero() || divisor.is_infinite())
      if (const int sign = sign_of(*ComputableAccess::node(a)); sign != 0) return Real(sign) / divisor;
  } else if (a.is_exact()) {
    if (a.exact().is_nan()) return a;
    if (a.exact().is_zero() || a.exact().is_infinite())
      if (const int sign = sign_of(*ComputableAccess::node(b)); sign != 0) return a.exact() / Real(sign);
  }
  return ComputableAccess::arithmetic(NodeKind::divide, a, b);
}

Computable Computable::operator-() const {
  if (is_exact()) return -exact_;
  return ComputableAccess::arithmetic(NodeKind::subtract, Computable(Real()), *this);
}

int Computable::sign() const { return is_exact() ? exact_.sign() : sign_of(*node_); }

Result<Real> Computable::round_whole(Rounding rounding) const {
  if (is_exact()) return tiebreak::round_whole(exact_, rounding);
  return round_node_whole(*node_, rounding);
}

Result<std::optional<Real>> Computable::round_to(const FloatFormat& format, Rounding rounding, Overflow overflow) const {
  if (is_exact()) return tiebreak::round_to(exact_, format, rounding, overflow);
  return round_node_to(*node_, format, rounding, overflow);
}

Result<Real> Computable::approximate(int bits) const {
  if (is_exact()) return exact_;
  return approximate_node(*node_, bits);
}

}  // namespace tiebreak
