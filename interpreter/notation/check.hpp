// SPDX-License-Identifier: Apache-2.0
// The checker with all it can use. check_module() of notation.hpp is this with a lookup of modules alone.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/notation/notation.hpp"

namespace tiebreak::notation {

using OpLookup = std::function<const Op*(const std::string&)>;

struct CheckContext {
  ModuleLookup module{};
  OpLookup op{};                            ///< of stages; without it ops of other pages are not looked up
  std::vector<std::string> module_names{};  ///< for hints
  bool allow_unused = false;                ///< of mutants: what a change leaves behind is no fault
};

/// A module that another one names, by `use` or by its full path, and where.
struct ModuleReference {
  std::string module;
  Position at;
  std::string file;
};

struct CheckResult {
  std::vector<Error> findings;              ///< in the order of their places
  std::vector<ModuleReference> references;  ///< each module once, first place
};

CheckResult check(const Module& module, const CheckContext& context);

/// N03 for modules that name each other in a circle: one finding a circle, at a reference of its first module by name.
struct ModuleReferences {
  const Module* module;
  std::vector<ModuleReference> references;
};
std::vector<Error> check_circles(const std::vector<ModuleReferences>& modules);

/// `file:line:column` in the order of file, line and column as numbers.
bool place_before(const Error& a, const Error& b);

}  // namespace tiebreak::notation
