// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/usage.hpp"

#include <algorithm>

#include "testsuite/check/judge.hpp"

namespace tiebreak::command {
namespace {

std::vector<std::string> verbs_of(const Verb& verb) {
  std::vector<std::string> names;
  for (const Verb& child : verb.verbs) names.push_back(child.name);
  return names;
}

std::string one_of(const std::vector<std::string>& words) {
  std::string text = "one of";
  for (const std::string& word : words) text += " " + word;
  return text;
}

std::vector<std::string> options_of(const Verb& verb) {
  std::vector<std::string> names;
  for (const Option& option : verb.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

}  // namespace

const Verb* find_verb(const Verb& parent, const std::string& name) {
  const auto found = std::ranges::find(parent.verbs, name, &Verb::name);
  return found == parent.verbs.end() ? nullptr : &*found;
}

Status known_verbs(const Verb& root, const std::vector<std::string>& words) {
  const Verb* current = &root;
  for (const std::string& word : words) {
    if (current->verbs.empty() || word.starts_with("-")) return {};
    const Verb* next = find_verb(*current, word);
    if (next == nullptr) {
      const std::string near = nearest(word, verbs_of(*current));
      const std::string written = current == &root ? word : current->name + " " + word;
      return fail(Errc::usage, "unknown subcommand '" + written + "'", "", near.empty() ? one_of(verbs_of(*current)) : "did you mean '" + near + "'?");
    }
    current = next;
  }
  if (current->verbs.empty()) return {};
  return fail(Errc::usage, "'" + current->path + "' needs a subcommand", "", one_of(verbs_of(*current)));
}

Error unknown_word(const Verb& verb, const std::string& word) {
  if (!word.starts_with("-") || word == "-") return Error{Errc::usage, "unexpected argument '" + word + "' for '" + verb.path + "'", "", verb.path + " --help"};
  const std::string name = word.substr(0, word.find('='));
  const std::string near = nearest(name, options_of(verb));
  return Error{Errc::usage, "unknown option '" + name + "' for '" + verb.path + "'", "", near.empty() ? verb.path + " --help" : "did you mean '" + near + "'?"};
}

}  // namespace tiebreak::command
