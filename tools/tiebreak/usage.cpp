// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/usage.hpp"

#include <CLI/CLI.hpp>

namespace tiebreak::command {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(sub->get_name());
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The subcommand that was being parsed, innermost.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* current = &app;
  for (;;) {
    std::vector<CLI::App*> parsed = current->get_subcommands();
    if (parsed.empty()) return *current;
    current = parsed.front();
  }
}

std::string path_of(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent()) name = parent->get_name() + " " + name;
  return name;
}

std::string help_hint(const CLI::App& app) { return path_of(app) + " --help"; }

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

Error unknown_word(const CLI::App& app, const std::string& word) {
  if (word.starts_with("-") && word != "-") {
    std::string name = word.substr(0, word.find('='));
    std::string near = nearest(name, options_of(app));
    return Error{Errc::usage, "unknown option '" + name + "' for '" + path_of(app) + "'", "",
                 near.empty() ? help_hint(app) : "did you mean '" + near + "'?"};
  }
  return Error{Errc::usage, "unexpected argument '" + word + "' for '" + path_of(app) + "'", "", help_hint(app)};
}

}  // namespace

std::vector<std::string> prepare_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) arguments.emplace_back(std::string(argv[i]) == "--json" ? "--json=-" : argv[i]);
  return arguments;
}

std::optional<Error> unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* current = &app;
  for (const std::string& word : arguments) {
    std::vector<std::string> verbs = verbs_of(*current);
    if (verbs.empty() || word.starts_with("-")) return std::nullopt;
    auto subcommands = current->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (subcommands.empty()) {
      std::string near = nearest(word, verbs);
      std::string written = current == &app ? word : current->get_name() + " " + word;
      return Error{Errc::usage, "unknown subcommand '" + written + "'", "",
                   near.empty() ? "one of " + joined(verbs) : "did you mean '" + near + "'?"};
    }
    current = subcommands.front();
  }
  std::vector<std::string> verbs = verbs_of(*current);
  if (verbs.empty()) return std::nullopt;
  return Error{Errc::usage, "'" + path_of(*current) + "' needs a subcommand", "", "one of " + joined(verbs)};
}

Error usage_error(const CLI::App& app, const CLI::ParseError& thrown) {
  const CLI::App& current = innermost(app);
  std::vector<std::string> left = current.remaining();
  auto code = static_cast<CLI::ExitCodes>(thrown.get_exit_code());
  if (code == CLI::ExitCodes::ExtrasError && !left.empty()) return unknown_word(current, left.front());
  return Error{Errc::usage, thrown.what(), "", help_hint(current)};
}

}  // namespace tiebreak::command
