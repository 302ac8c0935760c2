// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/selection.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "testsuite/harness/case_readers.hpp"
#include "testsuite/harness/shard.hpp"

namespace tiebreak {
namespace {

struct Plan {
  std::vector<std::string> sources;
  std::vector<std::string> globs;  ///< of -k
  std::vector<std::string> ids;    ///< of positionals that are ids or globs; they select among the default cases
  std::vector<std::string> default_folders;
};

/// Whether a word that is no file may be an id: it starts with the name of an op, or has a wildcard.
Result<bool> is_id(const Library& library, const std::string& word) {
  if (word.find_first_of("*?") != std::string::npos) return true;
  std::size_t slash = word.find('/');
  if (slash == std::string::npos || word.starts_with(".") || word.starts_with("/")) return false;
  std::string op = word.substr(0, slash);
  if (library.find_op(op)) return true;
  std::vector<std::string> known = library.op_paths();
  std::string near = nearest(op, known);
  if (near.empty()) return false;
  return fail(Errc::unknown_name, "'" + word + "' is no file, and there is no op '" + op + "'", "", "did you mean '" + near + "'?");
}

Result<Plan> plan_for(const Library& library, const Selection& selection) {
  Plan plan{{}, selection.globs, {}, {}};
  const bool full = selection.level == Level::full && !selection.golden;
  for (const std::string& folder : {default_case_folder(), selection.golden ? std::string() : default_mutant_folder(),
                                    full ? further_case_folder("stairs") : std::string(), full ? further_case_folder("deep") : std::string()})
    if (!folder.empty()) plan.default_folders.push_back(folder);
  for (const std::string& source : selection.sources) {
    std::error_code error;
    bool named = std::filesystem::exists(source, error) || find_page(library, source) != nullptr;
    bool id = false;
    if (!named) {
      TIEBREAK_TRY(answer, is_id(library, source));
      id = answer;
    }
    (id ? plan.ids : plan.sources).push_back(source);
  }
  if ((selection.sources.empty() || !plan.ids.empty()) && plan.default_folders.empty()) {
    return fail(Errc::usage, "no sources are given, and this installation has no cases", "",
                "name a case file or folder, or set TIEBREAK_CASES");
  }
  return plan;
}

/// A case that reached the selection twice: the same file named twice, or two profiles' golden files.
Status merge(std::vector<Case>& cases, std::map<std::string, std::size_t>& places, Case test, const std::string& preferred_profile) {
  auto [place, added] = places.emplace(test.id, cases.size());
  if (added) {
    cases.push_back(std::move(test));
    return {};
  }
  Case& present = cases[place->second];
  if (present.source == test.source && present.golden_profile == test.golden_profile) return {};
  if (present.golden && test.golden) {
    if (test.golden_profile == preferred_profile) present = std::move(test);
    return {};
  }
  return fail(Errc::usage, "case " + test.id + " comes from " + present.source + " and from " + test.source, "",
              "select one of the two sources");
}

constexpr std::size_t smoke_cases_an_op = 2;

/// Of each op the first two. In the order of `ids`.
std::vector<std::string> smoke_of(const std::vector<std::string>& ids) {
  std::map<std::string, std::vector<std::pair<std::pair<bool, std::uint64_t>, std::string>>> by_op;
  for (const std::string& id : ids) by_op[op_of_id(id)].emplace_back(smoke_place(id), id);
  std::set<std::string> chosen;
  for (auto& [op, ranked] : by_op) {
    std::ranges::sort(ranked);
    for (std::size_t i = 0; i < std::min(ranked.size(), smoke_cases_an_op); ++i) chosen.insert(ranked[i].second);
  }
  std::vector<std::string> kept;
  std::ranges::copy_if(ids, std::back_inserter(kept), [&](const std::string& id) { return chosen.contains(id); });
  return kept;
}

/// No glob at all is no condition.
bool admits(const std::vector<std::string>& globs, const std::string& id) { return globs.empty() || matches_any(globs, id); }

/// Files that no glob can match need not be read. What is given outlives the filter.
OpFilter ops_for(const Selection& selection, const std::vector<std::string>& globs, const std::vector<std::string>& also) {
  return [&](const std::string& op) {
    auto may_admit = [&op](const std::vector<std::string>& some) {
      return some.empty() || std::ranges::any_of(some, [&op](const std::string& glob) { return may_match(glob, op); });
    };
    return may_admit(globs) && may_admit(also) && is_wanted(selection.ops, op);
  };
}

/// The same for one id; a limit and a shard come after.
bool is_selected(const Selection& selection, const std::vector<std::string>& globs, const std::vector<std::string>& also, const std::string& id) {
  return admits(globs, id) && admits(also, id) && is_wanted(selection.ops, op_of_id(id)) && is_wanted(selection.only, id);
}

/// The ids of everything selected, before a level, a limit or a shard takes some of them.
Result<std::vector<std::string>> ids_of_all(const Library& library, const Selection& selection) {
  TIEBREAK_TRY(plan, plan_for(library, selection));
  std::vector<std::string> ids;
  std::set<std::string> seen;
  auto load = [&](const std::string& source, const std::vector<std::string>& also) -> Status {
    auto collect = [&](const std::string& id) {
      if (is_selected(selection, plan.globs, also, id) && seen.insert(id).second) ids.push_back(id);
      return false;
    };
    TIEBREAK_CHECK(load_cases(library, source, collect, 0, ops_for(selection, plan.globs, also)));
    return {};
  };
  for (const std::string& source : plan.sources) TIEBREAK_CHECK(load(source, {}));
  if (selection.sources.empty() || !plan.ids.empty())
    for (const std::string& folder : plan.default_folders) TIEBREAK_CHECK(load(folder, plan.ids));
  return ids;
}

}  // namespace

bool matches_glob(const std::string& glob, const std::string& text) {
  std::size_t g = 0, t = 0, star = std::string::npos, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool may_match(const std::string& glob, const std::string& op) {
  const std::string start = glob.substr(0, glob.find_first_of("*?")), of_all = op + "/";
  return start.starts_with(of_all) || of_all.starts_with(start);
}

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return matches_glob(glob, text); });
}

std::string op_of_id(const std::string& id) { return id.substr(0, id.find('/')); }

std::pair<bool, std::uint64_t> smoke_place(const std::string& id) {
  bool has_others = false;
  for (std::size_t start = std::min(id.find('/'), id.size()); start < id.size();) {
    const std::size_t end = std::min(id.find_first_of("/-", start), id.size());
    const std::string word = id.substr(start, end - start);
    has_others |= ElementType::parse(word) && word != "f32" && word != "i8" && word != "u8" && word != "i32";
    start = end + 1;
  }
  return {has_others, hash_of_id(id)};
}

Result<std::vector<Case>> select_cases(const Library& library, const Selection& selection) {
  if (selection.level == Level::smoke) {
    TIEBREAK_TRY(ids, ids_of_all(library, selection));
    const std::vector<std::string> few = smoke_of(ids);
    Selection narrowed = selection;
    narrowed.level = Level::standard;
    narrowed.only = [chosen = std::set<std::string>(few.begin(), few.end())](const std::string& id) { return chosen.contains(id); };
    return select_cases(library, narrowed);
  }
  TIEBREAK_TRY(plan, plan_for(library, selection));
  std::vector<Case> cases;
  std::map<std::string, std::size_t> places;
  std::set<std::string> counted;
  /// `also` are globs beside those of -k.
  auto load = [&](const std::string& source, const std::vector<std::string>& also) -> Status {
    // The limit counts what is selected; which part of it runs comes after, so that the parts together are the whole.
    auto limited = [&](const std::string& id) {
      if (!is_selected(selection, plan.globs, also, id)) return false;
      if (selection.most != 0) {
        if (counted.size() >= selection.most && !counted.contains(id)) return false;
        counted.insert(id);
      }
      return is_wanted(selection.part, id);
    };
    TIEBREAK_TRY(loaded, load_cases(library, source, limited, selection.seed, ops_for(selection, plan.globs, also)));
    for (Case& test : loaded) TIEBREAK_CHECK(merge(cases, places, std::move(test), selection.preferred_profile));
    return {};
  };
  for (const std::string& source : plan.sources) TIEBREAK_CHECK(load(source, {}));
  for (const std::string& folder : plan.default_folders) {
    if (!plan.ids.empty()) TIEBREAK_CHECK(load(folder, plan.ids));
    if (selection.sources.empty()) TIEBREAK_CHECK(load(folder, {}));
  }
  return cases;
}

Result<std::vector<std::string>> list_cases(const Library& library, const Selection& selection) {
  TIEBREAK_TRY(ids, ids_of_all(library, selection));
  if (selection.level == Level::smoke) ids = smoke_of(ids);
  if (selection.most != 0 && ids.size() > selection.most) ids.resize(selection.most);
  if (selection.part) std::erase_if(ids, [&](const std::string& id) { return !selection.part(id); });
  return ids;
}

}  // namespace tiebreak
