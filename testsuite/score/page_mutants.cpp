// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/page_mutants.hpp"

#include <unordered_set>

#include "interpreter/notation/check.hpp"
#include "testsuite/score/reached_formulas.hpp"

namespace tiebreak {
namespace {

notation::CheckContext context_of(const Library& library) {
  notation::CheckContext context;
  context.module = [&](const std::string& name) { return library.find_module(name); };
  context.op = [&](const std::string& path) -> const notation::Op* {
    const auto place = library.find_op(path);
    return place ? place->op : nullptr;
  };
  context.allow_unused = true;
  return context;
}

}  // namespace

Result<std::vector<PageMutant>> mutants_of(const Semantics& semantics, const std::string& op) {
  TIEBREAK_TRY(reached, reach(semantics, op));
  const notation::CheckContext context = context_of(semantics.library);
  std::vector<PageMutant> all;
  for (const auto& [name, one] : reached) {
    std::unordered_set<std::string> known{notation::print(*one.module)};
    for (notation::Mutant& mutant : notation::mutants(*one.module, one.formulas)) {
      if (mutant.misreading) {
        if (!known.insert(mutant.after).second) continue;
      } else {
        const notation::Module changed = notation::changed(*one.module, mutant);
        if (!known.insert(notation::print(changed)).second || !notation::check(changed, context).findings.empty()) continue;
      }
      std::string place = (mutant.file.empty() ? one.module->file : mutant.file) + ":" + std::to_string(mutant.at.line);
      all.push_back({name, std::move(place), std::move(mutant), one.module});
    }
  }
  return all;
}

}  // namespace tiebreak
