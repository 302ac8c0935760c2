// SPDX-License-Identifier: Apache-2.0
// Mutants: modules that differ from a page's module in one place, as a wrong implementation would. A mutant that no
// case tells from the original shows what the cases do not test.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/notation/syntax.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak::notation {

inline constexpr const char* rule_first_channel = "first channel for all";
inline constexpr const char* rule_misreading = "misreading";

/// One change: an expression replaced, or an alternative's formula by its neighbour's, or another reading of the op's calls.
struct Mutant {
  std::string rule;  ///< rounding word, term dropped ...
  Position at{};
  std::string file{};             ///< of an alternative that stands elsewhere than its choice; empty: the module's page
  std::string before{}, after{};  ///< as text
  const Expr* target = nullptr;
  ExprPtr replacement{};
  const Alternative* alternative = nullptr;
  const Alternative* other = nullptr;
  std::optional<Misreading> misreading{};  ///< of the op's calls; the module stays as it is
};

/// Which formulas of a module are changed: those that an op reaches. Points into the module.
struct MutableFormulas {
  std::vector<const Body*> bodies{};
  std::vector<ExprPtr> pads{};      ///< of structures
  std::vector<ExprPtr> defaults{};  ///< of absent operands
  struct Taken {
    const Choice* choice = nullptr;
    const Alternative* alternative = nullptr;
    std::set<std::string> allowed{};  ///< alternatives that are right as well
  };
  std::vector<Taken> taken{};
  const Op* op = nullptr;  ///< whose operands the formulas may name; nullptr for a used module
};

/// Every mutant of these formulas, in the order of places. `each` must be expanded (rewrite.hpp). Neither checked nor free of duplicates.
std::vector<Mutant> mutants(const Module& module, const MutableFormulas& formulas);

/// The module with that change. Of a misreading the module itself.
Module changed(const Module& module, const Mutant& mutant);

}  // namespace tiebreak::notation
