// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/cast_pairs.hpp"

#include <map>

namespace tiebreak {
namespace {

bool departs(const FunctionDifference& found) { return found.differing > 0 || found.one_sided > 0; }

bool counts_alike(const FunctionDifference& a, const FunctionDifference& b) { return a.by_class == b.by_class && a.one_sided_by_class == b.one_sided_by_class; }

struct Distinct {
  ScalarFunction function;
  CastClass found;
};

}  // namespace

Result<ScalarFunction> cast_function(const Semantics& semantics, const CastPair& pair) {
  TIEBREAK_TRY(x, Tensor::zeros({pair.from, {}, {}}));
  OpCall call{.op = "quant.convert", .operands = {std::move(x)}, .where = pair.from.name() + " to " + pair.to.name()};
  call.attributes["to"] = Attribute{pair.to};
  call.attributes["saturate"] = Attribute{pair.saturate};
  return ScalarFunction::compile(semantics, call, "x");
}

Result<std::vector<CastClass>> cast_classes(const Library& library, const std::vector<const Profile*>& systems, const CastPair& pair) {
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  TIEBREAK_TRY(text, cast_function({library, *reference}, pair));
  std::map<std::vector<std::string>, std::size_t> by_choices;  // the same choices taken are the same formula
  std::vector<Distinct> distinct;
  constexpr std::size_t as_the_text = SIZE_MAX;
  by_choices[text.clauses()] = as_the_text;
  for (const Profile* profile : systems) {
    TIEBREAK_TRY(function, cast_function({library, *profile}, pair));
    auto [known, is_new] = by_choices.try_emplace(function.clauses(), as_the_text);
    if (is_new) {
      auto compared = compare_functions(text, function);
      if (!compared) {  // no proof of where its formula rises: it is named, not counted
        known->second = distinct.size();
        distinct.push_back({std::move(function), {{}, {}, compared.error().what}});
      } else if (const FunctionDifference& difference = *compared; departs(difference)) {
        for (std::size_t i = 0; i < distinct.size() && known->second == as_the_text; ++i) {
          if (!distinct[i].found.unknown.empty() || !counts_alike(distinct[i].found.difference, difference)) continue;
          TIEBREAK_TRY(between, compare_functions(distinct[i].function, function));
          if (!departs(between)) known->second = i;
        }
        if (known->second == as_the_text) {
          known->second = distinct.size();
          distinct.push_back({std::move(function), {{}, difference}});
        }
      }
    }
    if (known->second != as_the_text) distinct[known->second].found.systems.push_back(profile->name);
  }
  std::vector<CastClass> classes;
  for (Distinct& one : distinct) classes.push_back(std::move(one.found));
  return classes;
}

}  // namespace tiebreak
