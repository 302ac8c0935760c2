// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/verb.hpp"

#include <algorithm>

namespace tiebreak::command {

Option* Option::type_name(const std::string& word) {
  by_equals_only = word.starts_with("=");
  value = word.substr(by_equals_only ? 1 : 0);
  return this;
}

Option* Option::required() {
  is_required = true;
  return this;
}

Verb Verb::root(const std::string& name, const std::string& help) {
  Verb verb{.name = name, .path = name, .help = help};
  verb.add_help();
  verb.add("--version", {.help = "Display program version information and exit"});
  return verb;
}

void Verb::add_help() { add("-h,--help", {.help = "Print this help message and exit"}); }

Verb* Verb::add_subcommand(const std::string& child, const std::string& text) {
  Verb& verb = verbs.emplace_back(Verb{.name = child, .path = path + " " + child, .help = text});
  verb.add_help();
  return &verb;
}

Option* Verb::add_option(const std::string& names, std::string& target, const std::string& text) {
  return add(names, {.value = "TEXT", .help = text, .target = &target});
}

Option* Verb::add_option(const std::string& names, std::vector<std::string>& target, const std::string& text) {
  return add(names, {.value = "TEXT", .help = text, .target = &target});
}

Option* Verb::add_flag(const std::string& names, bool& target, const std::string& text) { return add(names, {.help = text, .target = &target}); }

/// Long names first.
Option* Verb::add(const std::string& names, Option option) {
  for (std::size_t start = 0; start <= names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    option.names.push_back(names.substr(start, end - start));
    start = end + 1;
  }
  std::stable_partition(option.names.begin(), option.names.end(), [](const std::string& word) { return word.starts_with("--"); });
  return &(option.is_positional() ? positionals : options).emplace_back(std::move(option));
}

}  // namespace tiebreak::command
