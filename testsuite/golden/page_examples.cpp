// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testsuite/golden/golden_files.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

/// Ops of the page that the case shows. In a program of several operations those of other pages are but tools.
std::set<std::string> shown_ops(const Page& page, const Case& test) {
  std::set<std::string> shown;
  for (const auto& operation : test.program.operations) shown.insert(operation.op);
  std::erase_if(shown, [&](const std::string& op) { return std::ranges::none_of(page.module.ops, [&](const auto& own) { return own.path == op; }); });
  return shown;
}

}  // namespace

Result<std::vector<Case>> examples_of_other_ops(const Library& library, const std::vector<Case>& cases) {
  std::set<std::string> had;
  for (const Case& test : cases)
    if (!test.unusable && test.expected_error.empty() && test.program.operations.size() == 1) had.insert(test.program.operations[0].op);
  std::vector<Case> examples;
  for (const auto& [name, page] : library.pages()) {
    if (page.module.ops.empty()) continue;
    TIEBREAK_TRY(found, read_page_cases(page, {}));
    for (Case& test : found) {
      if (!test.expected_error.empty()) continue;
      std::set<std::string> shown = shown_ops(page, test);
      if (std::ranges::includes(had, shown)) continue;
      had.merge(std::move(shown));
      examples.push_back(std::move(test));
    }
  }
  return examples;
}

}  // namespace tiebreak
