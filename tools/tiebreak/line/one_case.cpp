// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/one_case.hpp"

#include <filesystem>

namespace tiebreak::command {

Result<Case> find_case(const Library& library, const SelectionText& text, const std::string& id, const std::string& profile) {
  TIEBREAK_TRY(selection, to_selection(text));
  // Without a source the id is one itself: of a case of this installation, or of an example of a page.
  std::error_code error;
  const bool is_source = selection.sources.empty() && id.find('/') != std::string::npos && !std::filesystem::exists(id, error);
  (is_source ? selection.sources : selection.globs).push_back(id);
  if (!profile.empty()) selection.preferred_profile = profile;
  TIEBREAK_TRY(cases, select_cases(library, selection));
  if (cases.empty()) return fail(Errc::unknown_name, "there is no case '" + id + "'", "", "tiebreak case list, or name its file with --source");
  if (cases.size() > 1)
    return fail(Errc::usage, "'" + id + "' names " + std::to_string(cases.size()) + " cases, one is needed", "", "for example " + cases[0].id);
  if (cases[0].unusable) return tl::unexpected<Error>(*cases[0].unusable);
  return std::move(cases[0]);
}

Result<std::size_t> find_output(const Case& test, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < test.program.outputs.size(); ++i) {
    std::string candidate = test.program.values[static_cast<std::size_t>(test.program.outputs[i])].name;
    if (candidate.starts_with("%")) candidate = candidate.substr(1);
    if (candidate == name || name.empty()) return i;
    names.push_back(candidate);
  }
  std::string near = nearest(name, names);
  return fail(Errc::unknown_name, "the case has no output '" + name + "'", test.id, near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace tiebreak::command
