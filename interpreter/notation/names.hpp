// SPDX-License-Identifier: Apache-2.0
// What the names of a module or an op stand for, and how a path is looked up. Inside notation/ only.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/syntax.hpp"

namespace tiebreak::notation {

enum class Role : std::uint8_t { operand, attribute, result, stage, type_variable, type_alias, let, definition, choice, region };
std::string_view to_text(Role role);  ///< "an operand" ...

/// One name of a module or op.
struct Named {
  Role role = Role::let;
  Position at{};
  const Operand* operand = nullptr;                 ///< operand, attribute, result
  const std::vector<std::string>* types = nullptr;  ///< of a type variable
  const TypeAlias* alias = nullptr;
  const Let* let = nullptr;  ///< also of a result that has a formula
  const Definition* definition = nullptr;
  const Choice* choice = nullptr;
  /// Identity of the formula behind the name, nullptr where there is none.
  const void* formula() const;
};

/// The names of a module (op == nullptr), or of an op with the module's behind them.
struct Names {
  const Module* module = nullptr;
  const Op* op = nullptr;
  const Names* outer = nullptr;
  std::unordered_map<std::string_view, Named> table{};

  struct Found {
    const Named* named = nullptr;
    const Names* home = nullptr;
  };
  Found find(std::string_view name) const;
  const Names& of_module() const { return outer != nullptr ? *outer : *this; }
};

Names names_of(const Module& module, std::vector<Error>& findings);
Names names_of(const Op& op, const Names& module, std::vector<Error>& findings);

/// A parameter or a `where` name; `value` is what the pass at hand knows of it.
struct Local {
  std::string_view name;
  bool parameter = false;
  std::uint64_t value = 0;
};

/// Where an expression stands: locals in front of the names of an op or a module.
struct Frame {
  const Names* names = nullptr;
  std::vector<Local> locals{};
  const Local* local(std::string_view name) const;
};

/// What a path stands for.
struct Meaning {
  const Local* local = nullptr;
  const Named* named = nullptr;
  const Names* home = nullptr;     ///< of `named`
  std::string_view fact{};         ///< x.scale: after a local or named tensor or type
  std::string_view format{};       ///< f32.max: before the fact
  const Module* module = nullptr;  ///< the path begins with this module, whether or not the name is there
  bool found() const { return local != nullptr || named != nullptr || !format.empty(); }
};

/// Looks paths up across modules; keeps the tables of the modules it has met.
class Resolver {
 public:
  Resolver(const Module& own, const Names& own_names, const ModuleLookup& lookup) : own_(own), own_names_(own_names), lookup_(lookup) {}
  Meaning resolve(std::string_view path, const Frame& frame);
  /// By `use` alias of the module the frame belongs to, or by its full path.
  const Module* find_module(const std::string& prefix, const Names& names) const;
  const Names& names_of_module(const Module& module);
  bool is_own(const Names& names) const { return names.module == &own_; }

 private:
  const Module& own_;
  const Names& own_names_;
  const ModuleLookup& lookup_;
  std::map<const Module*, std::unique_ptr<Names>> others_{};
};

}  // namespace tiebreak::notation
