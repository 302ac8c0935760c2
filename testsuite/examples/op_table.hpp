// SPDX-License-Identifier: Apache-2.0
// docs/stablehlo.md: for every op of a family what its page's examples show, by running them. What no example shows is not claimed.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// What the examples of one page show that hold.
struct OpShown {
  std::string op;
  std::map<std::string, std::size_t> forms{};  ///< float, integer, per tensor, per axis, sub-channel, hybrid: how many examples
  std::vector<std::string> labels{};           ///< constraints the page declares, in its order
  std::set<std::string> refused{};             ///< constraints of which an example shows the refusal
  std::size_t failing = 0;                     ///< examples that do not hold
};

/// Pages whose ops start with `family.`, sorted by op.
std::vector<OpShown> shown_by_examples(const Library& library, const std::string& family);
/// The table as Markdown; the same pages give the same bytes.
std::string op_table(const Library& library, const std::string& family);

}  // namespace tiebreak
