// SPDX-License-Identifier: Apache-2.0
// A formula as a text that names everything its value depends on.
#include <fmt/format.h>

#include "testsuite/equal/element_formula.hpp"

namespace tiebreak {
namespace {

std::string value_key(const Value& value) {
  if (value.is_undefined()) return "?";
  if (value.is_truth()) return value.truth() ? "t" : "f";
  if (!value.is_number()) return "computable";
  return value.number().to_string();
}

/// Leaves by the order in which they come, but those that all elements of an input share.
class LeafNames {
 public:
  explicit LeafNames(const std::vector<InputRole>& roles) : roles_(roles) {}
  std::string of(const Leaf& leaf, const TensorType& type) {
    if (roles_[leaf.input] == InputRole::shared) return fmt::format("i{}", leaf.input);
    const auto [found, fresh] = names_.try_emplace(leaf, names_.size());
    if (roles_[leaf.input] == InputRole::cut) return fmt::format("{}:c{}", found->second, leaf.input);  // of a range of its own
    return fmt::format("{}:{}", found->second, to_text(type));
  }

 private:
  const std::vector<InputRole>& roles_;
  std::map<Leaf, std::size_t> names_{};
};

std::string node_key(const ElementFormula& whole, const Node& node, LeafNames& leaves) {
  std::string key = fmt::format("{}{}{}(", static_cast<int>(node.op), node.integer ? "i" : "", node.truth ? "t" : "");
  for (const NodeId arg : node.args) key += fmt::format("{},", arg);
  key += ")";
  switch (node.op) {
    case NodeOp::constant: return key + value_key(node.constant);
    case NodeOp::element: {
      const auto source = static_cast<std::size_t>(node.source);
      return key + leaves.of(whole.leaves[source], whole.elements[source]->type());
    }
    case NodeOp::round_whole: return key + fmt::format("{}", static_cast<int>(node.rounding));
    case NodeOp::round_float: return key + fmt::format("{}.{}.{}", static_cast<int>(node.rounding), static_cast<int>(node.overflow), node.format->name);
    case NodeOp::saturate:
    case NodeOp::trap: return key + value_key(node.low) + ".." + value_key(node.high);
    case NodeOp::wrap: return key + fmt::format("{}{}", node.integer_format.is_signed ? "i" : "u", node.integer_format.bits);
    case NodeOp::real_function: return key + fmt::format("{}", static_cast<int>(node.function));
    case NodeOp::look_up: return key + fmt::format("{}", static_cast<const void*>(node.table.get()));
    default: return key;
  }
}

std::string formula_key(const ElementFormula& whole, LeafNames& leaves) {
  std::string key;
  for (const Node& node : whole.formula.nodes) key += node_key(whole, node, leaves) + ";";
  const FormulaResult& result = whole.formula.results.front();
  return key + fmt::format("={}:{}", result.node, to_text(result.type));
}

}  // namespace

std::string key_of(const ElementFormula& first, const ElementFormula& second, const std::vector<InputRole>& roles) {
  LeafNames leaves(roles);
  const std::string key = formula_key(first, leaves);
  return key + "|" + formula_key(second, leaves);
}

}  // namespace tiebreak
