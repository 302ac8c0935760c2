// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/selection.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "interpreter/sha256.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {
namespace {

struct Plan {
  std::vector<std::string> sources;
  std::vector<std::string> globs;                             ///< of -k
  std::vector<std::string> ids;                               ///< of positionals that are ops, ids or globs; they select among the default cases
  std::vector<std::pair<std::string, std::string>> examples;  ///< of positionals that are ids of examples: the page's file, the id
  std::vector<std::string> default_folders;
};

/// Whether a word that is no file may be an id: it starts with the name of an op, or has a wildcard.
Result<bool> is_id(const Library& library, const std::string& word) {
  if (word.find_first_of("*?") != std::string::npos) return true;
  std::size_t slash = word.find('/');
  if (slash == std::string::npos || word.starts_with(".") || word.starts_with("/")) return false;
  std::string op = word.substr(0, slash);
  if (library.op_place(op)) return true;
  std::vector<std::string> known = library.op_paths();
  std::string near = nearest(op, known);
  if (near.empty()) return false;
  return fail(Errc::unknown_name, "'" + word + "' is no file, and there is no op '" + op + "'", "", "did you mean '" + near + "'?");
}

/// The file of the page that has an example of this id; "" if none has.
std::string page_of_example(const Library& library, const std::string& id) {
  const auto place = library.op_place(op_of_id(id));
  if (!place) return "";
  const auto found = read_page_cases(*place->page, [&id](const std::string& one) { return one == id; });
  return found && !found->empty() ? place->page->file : "";
}

Result<Plan> plan_for(const Library& library, const Selection& selection) {
  Plan plan{{}, selection.globs, {}, {}, {}};
  const bool full = selection.level == Level::full && !selection.golden;
  for (const std::string& folder : {default_case_folder(), selection.golden ? std::string() : default_mutant_folder(),
                                    full ? further_case_folder("stairs") : std::string(), full ? further_case_folder("deep") : std::string()})
    if (!folder.empty()) plan.default_folders.push_back(folder);
  for (const std::string& source : selection.sources) {
    std::error_code error;
    if (std::filesystem::exists(source, error)) {
      plan.sources.push_back(source);
    } else if (library.op_place(source)) {  // an op's page has its name: the page's examples go by its file
      plan.ids.push_back(source + "/*");
    } else if (find_page(library, source) != nullptr) {
      plan.sources.push_back(source);
    } else {
      TIEBREAK_TRY(id, is_id(library, source));
      if (const std::string page = id ? page_of_example(library, source) : ""; !page.empty()) plan.examples.emplace_back(page, source);
      else (id ? plan.ids : plan.sources).push_back(source);
    }
  }
  if ((selection.sources.empty() || !plan.ids.empty()) && plan.default_folders.empty()) {
    return fail(Errc::usage, "no sources are given, and this installation has no cases", "", "name a case file or folder, or set TIEBREAK_CASES");
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
  return fail(Errc::usage, "case " + test.id + " comes from " + present.source + " and from " + test.source, "", "select one of the two sources");
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

/// Globs that no case has matched so far.
class Unmatched {
 public:
  explicit Unmatched(const Plan& plan) : globs_(plan.globs) { globs_.insert(globs_.end(), plan.ids.begin(), plan.ids.end()); }
  void see(const std::string& id) {
    std::erase_if(globs_, [&id](const std::string& glob) { return matches_glob(glob, id); });
  }
  const std::vector<std::string>& globs() const { return globs_; }

 private:
  std::vector<std::string> globs_;
};

std::vector<std::string> parts_of(const std::string& id) {
  std::vector<std::string> parts{""};
  for (char c : id) c == '/' ? parts.emplace_back() : parts.back() += c;
  return parts;
}

/// The id in the form of the glob: a part that the glob leaves open is open, one that it ends with a star has that star.
std::string in_form_of(const std::string& glob, const std::string& id) {
  const std::vector<std::string> wanted = parts_of(glob), given = parts_of(id);
  std::string text;
  for (std::size_t i = 0; i < wanted.size() && i < given.size(); ++i) {
    const bool is_open = wanted[i] == "*", has_star = wanted[i].ends_with("*") && !given[i].ends_with("*");
    text += (i == 0 ? "" : "/") + (is_open ? "*" : given[i] + (has_star ? "*" : ""));
  }
  return text;
}

/// What was most likely meant: the name of an op first, then the rest.
std::string near_glob(const Library& library, const std::string& glob, const std::vector<std::string>& ids) {
  std::set<std::string> forms;
  for (const std::string& id : ids) forms.insert(in_form_of(glob, id));
  if (!library.op_place(op_of_id(glob)) && glob.find('/') == std::string::npos)
    for (const std::string& op : library.op_paths()) forms.insert(in_form_of(glob, op));
  // Of several that are as near the one that begins alike: letters are swapped at the end more often than at the start.
  const auto alike = [&glob](const std::string& form) { return std::ranges::mismatch(glob, form).in1 - glob.begin(); };
  std::vector<std::string> ordered(forms.begin(), forms.end());
  std::ranges::stable_sort(ordered, std::greater<>(), alike);
  return nearest(glob, ordered);
}

/// `unmatched` were not matched where only the files were read that some glob may match, so what they stand for is looked at as a whole.
Status check_globs(const Library& library, const Selection& selection, const Plan& plan, const std::vector<std::string>& unmatched) {
  if (unmatched.empty() || selection.ops) return {};  // of some ops alone others are not seen
  std::vector<std::string> ids;
  std::set<std::string> open(unmatched.begin(), unmatched.end());
  auto see = [&](const std::string& id) {
    ids.push_back(id);
    std::erase_if(open, [&id](const std::string& glob) { return matches_glob(glob, id); });
    return false;
  };
  std::vector<std::string> places = plan.sources;
  if (selection.sources.empty() || !plan.ids.empty()) places.insert(places.end(), plan.default_folders.begin(), plan.default_folders.end());
  for (const std::string& place : places)
    if (!load_cases(library, place, see, 0, {})) continue;  // the files that a glob asks for have been read; another that is damaged has nothing to suggest
  for (const std::string& op : library.op_paths()) std::erase_if(open, [&op](const std::string& glob) { return matches_glob(glob, op + "/"); });
  for (const auto& [page, id] : plan.examples) see(id);
  if (open.empty()) return {};
  const std::string near = near_glob(library, *open.begin(), ids);
  return fail(Errc::unknown_name, "no case matches '" + *open.begin() + "'", "", near.empty() ? "tiebreak case list" : "did you mean '" + near + "'?");
}

/// The ids of everything selected, before a level, a limit or a shard takes some of them.
Result<std::vector<std::string>> ids_of_all(const Library& library, const Selection& selection) {
  TIEBREAK_TRY(plan, plan_for(library, selection));
  std::vector<std::string> ids;
  std::set<std::string> seen;
  Unmatched unmatched(plan);
  auto load = [&](const std::string& source, const std::vector<std::string>& also) -> Status {
    auto collect = [&](const std::string& id) {
      unmatched.see(id);
      if (is_selected(selection, plan.globs, also, id) && seen.insert(id).second) ids.push_back(id);
      return false;
    };
    TIEBREAK_CHECK(load_cases(library, source, collect, 0, ops_for(selection, plan.globs, also)));
    return {};
  };
  for (const std::string& source : plan.sources) TIEBREAK_CHECK(load(source, {}));
  for (const auto& [page, id] : plan.examples) TIEBREAK_CHECK(load(page, {id}));
  if (selection.sources.empty() || !plan.ids.empty())
    for (const std::string& folder : plan.default_folders) TIEBREAK_CHECK(load(folder, plan.ids));
  TIEBREAK_CHECK(check_globs(library, selection, plan, unmatched.globs()));
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

CaseFilter filter_of(std::vector<std::string> globs) {
  if (globs.empty()) return {};
  return [globs = std::move(globs)](const std::string& id) { return matches_any(globs, id); };
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
  return {has_others, hash_number(id)};
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
  Unmatched unmatched(plan);
  /// `also` are globs beside those of -k.
  auto load = [&](const std::string& source, const std::vector<std::string>& also) -> Status {
    // The limit counts what is selected; which part of it runs comes after, so that the parts together are the whole.
    auto limited = [&](const std::string& id) {
      unmatched.see(id);
      if (!is_selected(selection, plan.globs, also, id)) return false;
      if (selection.most != 0) {
        if (counted.size() >= selection.most && !counted.contains(id)) return false;
        counted.insert(id);
      }
      return is_wanted(selection.part, id);
    };
    TIEBREAK_TRY(loaded, load_cases(library, source, limited, selection.seed, ops_for(selection, plan.globs, also), selection.input_shapes));
    for (Case& test : loaded) TIEBREAK_CHECK(merge(cases, places, std::move(test), selection.preferred_profile));
    return {};
  };
  for (const std::string& source : plan.sources) TIEBREAK_CHECK(load(source, {}));
  for (const auto& [page, id] : plan.examples) TIEBREAK_CHECK(load(page, {id}));
  for (const std::string& folder : plan.default_folders) {
    if (!plan.ids.empty()) TIEBREAK_CHECK(load(folder, plan.ids));
    if (selection.sources.empty()) TIEBREAK_CHECK(load(folder, {}));
  }
  TIEBREAK_CHECK(check_globs(library, selection, plan, unmatched.globs()));
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
