// SPDX-License-Identifier: Apache-2.0
#include "testsuite/engines/seed_calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_seed_elements = 20000;

/// Every n-th id of an op, so that as many as are wanted are left.
std::set<std::string> spread(const std::vector<std::string>& ids, std::size_t most) {
  std::map<std::string, std::vector<const std::string*>> by_op;
  for (const std::string& id : ids) by_op[op_of_id(id)].push_back(&id);
  std::set<std::string> chosen;
  for (const auto& [op, own] : by_op)
    for (std::size_t i = 0; i < std::min(most, own.size()); ++i) chosen.insert(*own[i * own.size() / std::min(most, own.size())]);
  return chosen;
}

}  // namespace

bool sees_more_than_its_place(const notation::Op& op) {
  return std::ranges::any_of(op.statements, [](const notation::Statement& statement) {
    const notation::Structure* structure = std::get_if<notation::Structure>(&statement);
    return std::holds_alternative<notation::Stage>(statement) || (structure != nullptr && structure->path != "elementwise");
  });
}

Result<std::unique_ptr<SeedCalls>> seed_calls(const Library& library, const std::vector<std::string>& globs, std::size_t most) {
  Selection selection;
  selection.ops = [&](const std::string& op) {
    const auto place = library.op_place(op);
    return place && sees_more_than_its_place(*place->op) && (globs.empty() || matches_any(globs, op));
  };
  TIEBREAK_TRY(ids, list_cases(library, selection));
  const auto chosen = std::make_shared<const std::set<std::string>>(spread(ids, most));
  selection.only = [chosen](const std::string& id) { return chosen->contains(id); };
  auto seeds = std::make_unique<SeedCalls>();
  TIEBREAK_TRY(cases, select_cases(library, selection));
  seeds->cases = std::move(cases);
  std::vector<const Page*> origins(seeds->cases.size());  // of each case the page that has it as an example
  std::set<const Page*> pages;                            // an op stands for its page, which may have several
  for (const auto& [op, place] : library.ops()) {
    if (!selection.ops(op) || !pages.insert(place.page).second) continue;
    Result<std::vector<Case>> examples = load_cases(library, op);
    if (examples) std::ranges::move(*examples, std::back_inserter(seeds->cases));
    origins.resize(seeds->cases.size(), place.page);
  }
  TIEBREAK_TRY(profile, library.find_profile("reference"));
  // A draw is the same call whichever ops are wanted: an op's calls are made of its own cases and of its page's examples, not of other programs that have it.
  const auto add = [&](OpCall call, const Page* page) {
    const auto place = library.op_place(call.op);
    if (place && selection.ops(call.op) && (page == nullptr || page == place->page)) seeds->by_op[call.op].add(std::move(call));
  };
  for (std::size_t i = 0; i < seeds->cases.size(); ++i) {
    const Case& test = seeds->cases[i];
    if (test.unusable || test.program.operations.empty() || input_elements(test) > most_seed_elements) continue;
    if (test.program.operations.size() == 1) {
      if (Result<OpCall> call = reach_call({library, *profile}, test.program, 0, test.inputs)) add(*std::move(call), origins[i]);
    } else if (origins[i] != nullptr) {
      if (auto calls = reach_calls({library, *profile}, test.program, test.inputs))
        for (ReachedCall& one : *calls) add(std::move(one.call), origins[i]);
    }
  }
  if (seeds->by_op.empty())
    return fail(Errc::unknown_name, "no op whose elements see more than their own place matches", fmt::format("{}", fmt::join(globs, " ")));
  return seeds;
}

}  // namespace tiebreak
