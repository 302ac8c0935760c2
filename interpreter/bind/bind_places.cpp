// SPDX-License-Identifier: Apache-2.0
// Numbers of places: what the formulas of a structure line give for a place of the result, and what formulas see of the taps of a resized tensor.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/structure/tap_weight.hpp"

namespace tiebreak {
namespace {

/// A number that belongs to a place along one resized dimension, or to one of its taps.
NodeId number_along(Formula& formula, const structure::AlongDimension& one, const char* what) {
  const bool whole = std::ranges::all_of(one.values, [](const Real& value) { return value.is_whole(); });
  Source source{.name = fmt::format("{} along {}", what, one.cell), .integer = whole};
  std::vector<Affine> places{Affine{.cell = {{one.cell, 1}}}, Affine{}};
  if (one.item >= 0) places.back().item = {{one.item, 1}};
  source.access = make_access({one.places, one.taps}, std::move(places));
  source.values = one.values;
  Node node;
  node.op = NodeOp::element;
  node.source = static_cast<int>(formula.sources.size());
  node.integer = whole;
  node.rate = source.access.cell_rate() | (one.item >= 0 ? rate_item : 0);
  node.text = source.name;
  formula.sources.push_back(std::move(source));
  return formula.add(std::move(node));
}

/// The product or the sum of such numbers; `none` where there are none.
NodeId combined(Formula& formula, NodeOp op, const std::vector<NodeId>& numbers, std::int64_t none, const char* what) {
  NodeId all = formula.constant(Real(none), true);
  for (const NodeId number : numbers) {
    Node both;
    both.op = op;
    both.integer = formula[number].integer && formula[all].integer;
    both.args = {all, number};
    both.text = what;
    all = formula.add(std::move(both));
  }
  return all;
}

bool has_node_from(const Term& term, NodeId first) {
  return (term.kind == Term::Kind::node && term.node >= first) || std::ranges::any_of(term.items, [&](const Term& item) { return has_node_from(item, first); });
}

}  // namespace

/// What is bound for one number is forgotten after it: a formula of a thousand places has the nodes of none of them. Names that were bound on the way are bound
/// again where they are needed.
void Binder::forget_from(NodeId first_node, std::size_t first_scope) {
  formula_.nodes.resize(static_cast<std::size_t>(first_node));
  scopes_.resize(first_scope);
  for (Scope& scope : scopes_)
    for (auto& entry : scope.names)
      if (const auto* lazy = std::get_if<std::shared_ptr<Lazy>>(&entry.second); lazy != nullptr && (*lazy)->term && has_node_from(*(*lazy)->term, first_node))
        (*lazy)->term.reset();
  for (auto* tensors : {&operands_, &results_})
    for (TensorName& tensor : *tensors) std::erase_if(tensor.facts, [&](const auto& fact) { return fact.second >= first_node; });
}

/// at = e, extent = e, weight = e: a number known before any element is looked at, for these values of the names that the structure provides.
Result<Real> Binder::structure_number(const notation::Structure& line, const std::string& key, const std::map<std::string, Real>& names) {
  const auto argument = std::ranges::find_if(line.arguments, [&](const notation::Argument& one) { return one.value && one.name == key; });
  if (argument == line.arguments.end()) return error_at(fmt::format("the structure needs '{} = ...'", key), line.at);
  const auto first_node = static_cast<NodeId>(formula_.nodes.size());
  const std::size_t first_scope = scopes_.size(), modules = modules_.size();
  Scope& scope = new_scope(op_scope_);
  for (const auto& [name, value] : names) scope.names[name] = Term::of(formula_.constant(value, value.is_whole()));
  TIEBREAK_TRY(id, number(*argument->value, {&scope}));
  const Node& found = formula_[id];
  if (!formula_.is_constant(id) || !found.constant.is_number())
    return error(fmt::format("'{}' must be a number known before any element is looked at", key), *argument->value);
  Real value = found.constant.number();
  if (modules_.size() == modules) forget_from(first_node, first_scope);  // else scopes of modules are among the new ones, and stay
  return value;
}

/// weight, its parts along the last three dimensions that have several taps, doubt and inside.
void Binder::name_tap_facts(const structure::TapFacts& facts) {
  const auto all_along = [&](const std::vector<structure::AlongDimension>& dimensions, const char* what) {
    std::vector<NodeId> numbers;
    for (const structure::AlongDimension& one : dimensions) numbers.push_back(number_along(formula_, one, what));
    return numbers;
  };
  const std::vector<NodeId> weights = all_along(facts.weights, "weight");
  auto& names = op_scope_->names;
  if (!weights.empty()) names["weight"] = Term::of(combined(formula_, NodeOp::multiply, weights, 1, "weight"));
  std::size_t from_back = 0;
  for (const char* name : {"column_weight", "row_weight", "depth_weight"}) {
    if (!weights.empty()) names[name] = Term::of(from_back < weights.size() ? weights[weights.size() - 1 - from_back] : formula_.constant(Real(1), true));
    ++from_back;
  }
  names["doubt"] = Term::of(combined(formula_, NodeOp::add, all_along(facts.doubts, "doubt"), 0, "doubt"));
  if (facts.inside.empty()) {
    names["inside"] = Term::of(formula_.constant(Value(true)));
    return;
  }
  Node inside;
  inside.op = NodeOp::equal;
  inside.truth = true;
  inside.args = {combined(formula_, NodeOp::multiply, all_along(facts.inside, "inside"), 1, "inside"), formula_.constant(Real(1), true)};
  inside.text = "inside";
  names["inside"] = Term::of(formula_.add(std::move(inside)));
}

}  // namespace tiebreak
