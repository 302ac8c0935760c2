// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/completion.hpp"

#include <algorithm>

#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/completion_values.hpp"
#include "tools/tiebreak/line/console.hpp"

namespace tiebreak::command {
namespace {

const Option* find_option(const Verb& row, const std::string& name) {
  const auto found = std::ranges::find_if(row.options, [&](const Option& option) { return std::ranges::find(option.names, name) != option.names.end(); });
  return found == row.options.end() ? nullptr : &*found;
}

bool takes_next_word(const Option& option) { return !option.value.empty() && !option.by_equals_only; }

/// Where the words typed so far have led.
struct Place {
  const Verb* row;
  const Option* open = nullptr;  ///< an option that waits for its value
  std::size_t positionals = 0;
  std::vector<const Option*> used{};
};

Place walk(const Verb& root, const std::vector<std::string>& words) {
  Place place{&root};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (place.open != nullptr) {
      place.open = nullptr;
      continue;
    }
    if (word.starts_with("-") && word != "-") {
      const Option* option = find_option(*place.row, word.substr(0, word.find('=')));
      if (option == nullptr) continue;
      place.used.push_back(option);
      if (takes_next_word(*option) && word.find('=') == std::string::npos) place.open = option;
      continue;
    }
    const auto& verbs = place.row->verbs;
    const auto verb = std::ranges::find(verbs, word, &Verb::name);
    if (verb != verbs.end()) place.row = &*verb;
    else ++place.positionals;
  }
  return place;
}

void add_values(const std::string& kind, const std::string& before, const std::string& typed, Completions& result) {
  Candidates candidates = candidates_of(kind, typed);
  result.files = result.files || candidates.files;
  for (const std::string& word : candidates.words) result.words.push_back({before + word, ""});
}

void add_options(const Place& place, Completions& result) {
  for (const Option& option : place.row->options) {
    if (!option.may_repeat() && std::ranges::find(place.used, &option) != place.used.end()) continue;
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      result.words.push_back({name + (option.by_equals_only && is_long ? "=" : ""), option.help.substr(0, option.help.find('\n'))});
    }
  }
}

}  // namespace

Completions complete(const Verb& root, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string last = words.back();
  const Place place = walk(root, words);
  Completions result;
  const std::size_t equals = last.find('=');
  if (place.open != nullptr) {
    add_values(place.open->value, "", last, result);
  } else if (last.starts_with("--") && equals != std::string::npos) {
    const Option* option = find_option(*place.row, last.substr(0, equals));
    if (option != nullptr && !option->value.empty()) add_values(option->value, last.substr(0, equals + 1), last.substr(equals + 1), result);
  } else if (last.starts_with("-")) {
    add_options(place, result);
  } else if (!place.row->verbs.empty()) {
    for (const Verb& verb : place.row->verbs) result.words.push_back({verb.name, verb.help});
  } else if (const auto& positionals = place.row->positionals; !positionals.empty()) {
    const bool beyond = place.positionals >= positionals.size();
    if (!beyond || positionals.back().may_repeat())
      add_values(positionals[beyond ? positionals.size() - 1 : place.positionals].names.front(), "", last, result);
  }
  std::erase_if(result.words, [&](const Completion& completion) { return !completion.word.starts_with(last); });
  return result;
}

std::size_t join_bash_words(std::vector<std::string>& words) {
  const auto is_break = [](const std::string& word) { return word == "=" || word == ":" || word == "=:"; };
  std::vector<std::string> joined;
  bool glue = false;
  std::size_t kept = 0;  // characters of the last joined word that are bash's words before its last
  for (const std::string& word : words) {
    const bool breaks = is_break(word);
    if ((glue || breaks) && !joined.empty()) {
      kept = breaks ? joined.back().size() + word.size() : joined.back().size();
      joined.back() += word;
    } else {
      joined.push_back(word);
      kept = 0;
    }
    glue = breaks;
  }
  words = joined;
  return kept;
}

std::optional<int> answer_completion(const Verb& root, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments[0] != "__complete") return std::nullopt;
  std::vector<std::string> words(arguments.begin() + 2, arguments.end());
  const bool is_bash = arguments[1] == "bash";
  const std::size_t dropped = is_bash ? join_bash_words(words) : 0;
  const Completions found = complete(root, words);
  std::string text = found.files ? ":files\n" : "";
  for (const Completion& completion : found.words) {
    text += completion.word.substr(std::min(dropped, completion.word.size())) + (is_bash || completion.help.empty() ? "" : "\t" + completion.help) + "\n";
  }
  return print(text) ? success : bad_input;
}

}  // namespace tiebreak::command
