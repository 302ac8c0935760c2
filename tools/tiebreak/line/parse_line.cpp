// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/parse_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/usage.hpp"

namespace tiebreak::command {
namespace {

std::string comma_separated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

void add_option(CLI::App& app, const Option& option) {
  const std::string names = comma_separated(option.names);
  CLI::Option* added = nullptr;
  if (bool* const* flag = std::get_if<bool*>(&option.target)) added = app.add_flag(names, **flag, option.help);
  if (std::string* const* word = std::get_if<std::string*>(&option.target)) added = app.add_option(names, **word, option.help);
  if (std::vector<std::string>* const* words = std::get_if<std::vector<std::string>*>(&option.target)) {
    added = app.add_option(names, **words, option.help);
    if (!option.is_positional()) added->allow_extra_args(false);  // a second word is a source, not a second value
  }
  if (added == nullptr) return;  // the library has it
  if (!std::holds_alternative<bool*>(option.target)) added->type_name((option.by_equals_only ? "=" : "") + option.value);
  added->required(option.is_required);
}

/// Footers first: what is added to a verb inherits its footer.
void fill(CLI::App& app, const Verb& verb) {
  if (verb.footer) app.footer(*verb.footer);
  for (const Option& option : verb.options) add_option(app, option);
  for (const Option& option : verb.positionals) add_option(app, option);
  for (const Verb& child : verb.verbs) fill(*app.add_subcommand(child.name, child.help), child);
}

/// The verb that was parsed, innermost.
const Verb& parsed(const CLI::App& app, const Verb& root) {
  const CLI::App* current = &app;
  const Verb* verb = &root;
  for (;;) {
    const std::vector<CLI::App*> found = current->get_subcommands();
    if (found.empty()) return *verb;
    current = found.front();
    verb = find_verb(*verb, current->get_name());
  }
}

Error usage_error(const CLI::App& app, const Verb& verb, const CLI::ParseError& thrown) {
  const std::vector<std::string> left = app.remaining(true);
  if (static_cast<CLI::ExitCodes>(thrown.get_exit_code()) == CLI::ExitCodes::ExtrasError && !left.empty()) return unknown_word(verb, left.front());
  return Error{Errc::usage, thrown.what(), "", verb.path + " --help"};
}

Action printing(const std::string& text) {
  return [text]() -> Result<int> {
    TIEBREAK_CHECK(print(text));
    return 0;
  };
}

}  // namespace

Result<Action> parse_line(const Verb& root, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back("--help");
  std::ranges::replace(words, "--json", "--json=-");  // bare it means standard output, and does not take the next word
  TIEBREAK_CHECK(known_verbs(root, words));
  CLI::App app(root.help, root.name);
  app.set_version_flag("--version", root.name + " " TIEBREAK_VERSION);
  app.require_subcommand(0, 1);
  fill(app, root);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // the library takes them last first
  } catch (const CLI::CallForHelp&) {
    return printing(app.help());  // of the innermost verb
  } catch (const CLI::CallForVersion&) {
    return printing(root.name + " " TIEBREAK_VERSION "\n");
  } catch (const CLI::ParseError& thrown) {
    return tl::unexpected<Error>(usage_error(app, parsed(app, root), thrown));
  }
  const Verb& verb = parsed(app, root);
  if (!verb.action) return fail(Errc::usage, "nothing to do", "", root.name + " --help");
  return verb.action;
}

}  // namespace tiebreak::command
