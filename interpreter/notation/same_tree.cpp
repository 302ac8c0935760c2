// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/same_tree.hpp"

#include <algorithm>

namespace tiebreak::notation {
namespace {

// Declared first: the templates below find these by ordinary lookup.
bool same(const std::string& a, const std::string& b) { return a == b; }
bool same(const ExprPtr& a, const ExprPtr& b) { return (a == nullptr) == (b == nullptr) && (a == nullptr || same_tree(*a, *b)); }
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b);
template <class A, class B>
bool same(const std::pair<A, B>& a, const std::pair<A, B>& b) {
  return same(a.first, b.first) && same(a.second, b.second);
}

bool same(const Modifier& a, const Modifier& b) { return a.name == b.name && same(a.args, b.args); }
bool same(const Binding& a, const Binding& b) { return a.targets == b.targets && same(a.value, b.value); }
bool same(const Body& a, const Body& b) { return same(a.value, b.value) && same(a.where, b.where); }
bool same(const Definition& a, const Definition& b) { return a.name == b.name && a.parameters == b.parameters && same(a.body, b.body); }
bool same(const Alternative& a, const Alternative& b) { return a.name == b.name && same(a.body, b.body); }
bool same(const Choice& a, const Choice& b) { return a.name == b.name && a.parameters == b.parameters && same(a.alternatives, b.alternatives); }
bool same(const Addition& a, const Addition& b) { return a.key == b.key && same(a.alternatives, b.alternatives); }
bool same(const Claim& a, const Claim& b) { return a.name == b.name && a.parameters == b.parameters && same(a.condition, b.condition); }
bool same(const Use& a, const Use& b) { return a.module == b.module && a.alias == b.alias && a.readings == b.readings; }
bool same(const Index& a, const Index& b) { return a.name == b.name && same(a.by, b.by); }
bool same(const Operand& a, const Operand& b) {
  return a.name == b.name && a.types == b.types && a.quantized == b.quantized && a.optional == b.optional && a.variadic == b.variadic &&
         a.indexed == b.indexed && same(a.indices, b.indices) && same(a.default_value, b.default_value);
}
bool same(const Argument& a, const Argument& b) { return a.name == b.name && same(a.by, b.by) && same(a.value, b.value); }
bool same(const Structure& a, const Structure& b) { return a.path == b.path && same(a.arguments, b.arguments); }
bool same(const TypeVariables& a, const TypeVariables& b) { return a.variables == b.variables; }
bool same(const TypeAlias& a, const TypeAlias& b) { return a.name == b.name && same(a.value, b.value); }
bool same(const Constraint& a, const Constraint& b) { return a.label == b.label && a.require == b.require && same(a.condition, b.condition); }
bool same(const Stage& a, const Stage& b) { return a.targets == b.targets && a.op == b.op && same(a.args, b.args) && same(a.attributes, b.attributes); }
bool same(const Let& a, const Let& b) { return a.targets == b.targets && same(a.body, b.body); }
bool same(const Statement& a, const Statement& b) {
  return a.index() == b.index() && std::visit([&](const auto& one) { return same(one, std::get<std::decay_t<decltype(one)>>(b)); }, a);
}
bool same(const Op& a, const Op& b) {
  return a.path == b.path && same(a.operands, b.operands) && same(a.attributes, b.attributes) && a.regions == b.regions && same(a.results, b.results) &&
         same(a.statements, b.statements);
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

}  // namespace

bool same_tree(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.text == b.text && a.value.identical(b.value) && same(a.args, b.args) && same(a.modifiers, b.modifiers);
}
bool same_tree(const Op& a, const Op& b) { return same(a, b); }
bool same_tree(const Module& a, const Module& b) {
  return a.name == b.name && same(a.uses, b.uses) && same(a.definitions, b.definitions) && same(a.choices, b.choices) && same(a.additions, b.additions) &&
         same(a.claims, b.claims) && same(a.ops, b.ops);
}

}  // namespace tiebreak::notation
