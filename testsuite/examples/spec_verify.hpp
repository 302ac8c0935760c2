// SPDX-License-Identifier: Apache-2.0
// Executes the examples of spec pages: what the text says must be what the formulas give. Also finds choices whose alternatives no
// example tells apart.
#pragma once
#include "testsuite/examples/example_answer.hpp"

namespace tiebreak {

struct ExampleFinding {
  std::string where;        ///< page:line
  std::string condition;    ///< what stands after @, "" for reference
  std::string what;         ///< `y[2]: stated 3, computed 4`
  bool unreadable = false;  ///< the example cannot be read or names unknown choices: an error, not a difference
};

struct PageVerdict {
  std::string page;
  std::string file;
  std::size_t examples = 0;
  std::size_t held = 0;
  std::size_t statements = 0;  ///< expectations checked: conditions times outputs, and errors
  std::size_t choices = 0;
  std::size_t alternatives = 0;
  std::vector<ExampleFinding> findings{};
  std::vector<std::string> not_told_apart{};  ///< `tie: up | half_up`
  std::vector<ExampleAnswer> answers{};       ///< one an example
};
/// Statements without a condition are compared under `profile`.
PageVerdict verify_page(const Library& library, const Page& page, const std::string& profile = "reference");

/// The profile a condition names: "" is reference, a word a profile, `tie=up, order=before` single choices over reference.
Result<Profile> profile_for_condition(const Library& library, const Program& program, const std::string& condition, const std::string& where);

}  // namespace tiebreak
