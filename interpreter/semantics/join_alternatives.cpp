// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/join_alternatives.hpp"

#include <algorithm>

#include "interpreter/notation/foreign_alternative.hpp"
#include "interpreter/notation/lexer.hpp"
#include "interpreter/semantics/profile_lookup.hpp"

namespace tiebreak {
namespace {

bool has_choice(const notation::Op& op, const notation::Choice* choice) {
  return std::ranges::any_of(op.statements, [&](const notation::Statement& statement) { return std::get_if<notation::Choice>(&statement) == choice; });
}

void join(const notation::Addition& addition, const Page& page, const ChoicePlace& place, std::vector<Error>& findings) {
  auto& choice = const_cast<notation::Choice&>(*place.choice);  // of the library that is being loaded
  const notation::Op* op = place.op != nullptr && has_choice(*place.op, place.choice) ? place.op : nullptr;
  const notation::ChoiceHome home{*place.module, op, choice};
  for (const notation::Alternative& alternative : addition.alternatives) {
    const auto first = std::ranges::find(choice.alternatives, alternative.name, &notation::Alternative::name);
    if (first == choice.alternatives.end()) {
      choice.alternatives.push_back(notation::attach(alternative, page.module, home, findings));
      continue;
    }
    const std::string& file = first->file.empty() ? place.module->file : first->file;
    findings.push_back({Errc::syntax,
                        "N03 a second alternative '" + alternative.name + "' of '" + addition.key + "', the first is at " + notation::place(file, first->at),
                        notation::place(page.file, alternative.at), "give it the name of what it computes"});
  }
}

}  // namespace

void join_alternatives(Library& library, std::vector<Error>& findings) {
  for (const auto& [name, page] : library.pages())
    for (const notation::Addition& addition : page.module.additions) {
      const std::string where = notation::place(page.file, addition.at);
      if (!name.starts_with("systems.")) {
        findings.push_back({Errc::syntax, "N02 an alternative of another page's choice outside spec/systems", where,
                            "move it to spec/systems/SYSTEM/PAGE.md, or write it where the choice stands"});
        continue;
      }
      const Result<ChoicePlace> place = find_choice(library, addition.key);
      if (place) join(addition, page, *place, findings);
      else findings.push_back({place.error().code, place.error().what, where, place.error().hint});
    }
}

}  // namespace tiebreak
