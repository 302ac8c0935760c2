// SPDX-License-Identifier: Apache-2.0
// Names during binding: what a name stands for, and where its formula is to be read. A name is bound once, where it is first needed.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak {

/// What an expression is at binding time. Numbers and truth values are nodes; the rest is known before any element is looked at.
struct Term {
  enum class Kind : std::uint8_t { none, node, tensor, format, text, list, table, members, region } kind = Kind::none;
  NodeId node = -1;
  int tensor = -1;  ///< index of the operand, or of the result when result is true; of the first region of a region name
  bool result = false;
  ElementType format{};
  std::string text{};
  std::vector<Term> items{};                         ///< of a list or tuple; the tensors of a variadic operand
  std::shared_ptr<const std::vector<Real>> table{};  ///< the numbers of a data file
  static Term of(NodeId id) { return {.kind = Kind::node, .node = id}; }
  static Term of(ElementType type) { return {.kind = Kind::format, .format = type}; }
  static Term of(std::string text) { return {.kind = Kind::text, .text = std::move(text)}; }
};

struct Scope;

/// A formula that has not been needed yet.
struct Lazy {
  const notation::Expr* expression = nullptr;
  const notation::Body* body = nullptr;  ///< instead of expression: with its where bindings
  Scope* scope = nullptr;
  int tuple_index = -1;           ///< of a tuple to be taken apart
  std::shared_ptr<Lazy> whole{};  ///< the tuple
  bool busy = false;              ///< being bound: a second visit is a cycle
  std::shared_ptr<Term> term{};
};

using Entry = std::variant<Term, std::shared_ptr<Lazy>, const notation::Definition*, const notation::Choice*>;

/// A module as one page sees it: its own scope, and which readings its choices take.
struct Scope {
  const Scope* parent = nullptr;
  const notation::Module* module = nullptr;  ///< for `use`
  std::string file{};                        ///< where the formulas read here stand
  std::string alias{};                       ///< as which the op uses this module, "" for its own page
  std::map<std::string, std::string> readings{};
  std::map<std::string, Entry> names{};
  bool op_scope = false;  ///< choices found here belong to the op

  const Entry* find(const std::string& name, const Scope** owner = nullptr) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->parent)
      if (auto found = scope->names.find(name); found != scope->names.end()) {
        if (owner != nullptr) *owner = scope;
        return &found->second;
      }
    return nullptr;
  }
  /// The innermost scope that is a module's.
  const Scope& module_scope() const {
    const Scope* scope = this;
    while (scope->parent != nullptr && scope->parent->module == scope->module) scope = scope->parent;
    return *scope;
  }
};

}  // namespace tiebreak
