// SPDX-License-Identifier: Apache-2.0
// What the passes of the checker share. Inside notation/ only.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/notation/check.hpp"
#include "interpreter/notation/names.hpp"

namespace tiebreak::notation {

/// The module under check, its names, and the findings so far.
struct Checker {
  Checker(const Module& checked, const CheckContext& known);
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void report(Errc code, const std::string& what, Position at, std::string hint = {});
  void refer(const std::string& module_name, Position at);

  const Module& module;
  const CheckContext& context;
  std::string file;  ///< where findings are: the module's page, or that of an alternative which stands elsewhere
  std::vector<Error> findings{};
  Names names;
  std::deque<Names> ops{};  ///< of module.ops, in order; others point to them
  Resolver resolver;
  std::vector<ModuleReference> references{};

  /// Which formulas a formula names, and where each is defined. Filled by check_references.
  struct Formula {
    std::string name;
    Position at{};
    bool of_op = false;  ///< unused ones are a fault; a module's definitions are for others
    std::vector<const void*> uses{};
  };
  std::unordered_map<const void*, Formula> formulas{};
  std::vector<const void*> formula_order{};
  std::unordered_set<const void*> used{};
};

/// While this lives, findings are reported in `file`; empty changes nothing.
class ReportedIn {
 public:
  ReportedIn(Checker& checker, const std::string& file) : checker_(checker), before_(checker.file) {
    if (!file.empty()) checker.file = file;
  }
  ~ReportedIn() { checker_.file = before_; }
  ReportedIn(const ReportedIn&) = delete;
  ReportedIn& operator=(const ReportedIn&) = delete;

 private:
  Checker& checker_;
  std::string before_;
};

void check_header(Checker& checker, const Op& op, const Names& names);  ///< N01 types, indices, structure, results; N03 labels
void check_uses(Checker& checker);                                      ///< N01 modules and readings, N03 aliases
void check_references(Checker& checker);                                ///< N01 N02 N03 N04 in formulas
void check_cycles(Checker& checker);                                    ///< N03 recursion
void check_unused(Checker& checker);                                    ///< N03 unused names
void check_kinds(Checker& checker);                                     ///< N12
void check_rates(Checker& checker);                                     ///< N07

/// `did you mean 'x'?` for the nearest candidate, "" if none is near.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

/// Integer or float, as far as the page says.
enum class FormatClass : std::uint8_t { unknown, integer, floating };
FormatClass class_of(const std::string& type_word, const Names& names);
FormatClass class_of(const Operand& operand, const Names& names);
FormatClass class_of_target(std::string_view target, const Frame& frame);
/// A word that a conversion may end in: a format, a type, a tensor, a parameter.
bool is_target(std::string_view target, const Frame& frame);

}  // namespace tiebreak::notation
