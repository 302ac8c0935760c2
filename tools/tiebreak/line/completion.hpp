// SPDX-License-Identifier: Apache-2.0
// What may come next on a command line. The shells' scripts (tiebreak completions SHELL) only ask this, so all shells know the same.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/tiebreak/line/verb.hpp"

namespace tiebreak::command {

struct Completion {
  std::string word{};  ///< stands in place of the last word
  std::string help{};
};

struct Completions {
  std::vector<Completion> words{};
  bool files = false;  ///< the shell adds its own file names
};

/// `words`: all after `tiebreak`, the last one as far as it is typed.
Completions complete(const Verb& root, std::vector<std::string> words);

/// bash takes a word apart at `=` and `:`; as typed again, and how many characters of the last word it does not want back.
std::size_t join_bash_words(std::vector<std::string>& words);

/// Answers `tiebreak __complete SHELL WORD...`, which the scripts call: `word<TAB>help` a line, and `:files` where those may stand.
/// nullopt if that is not what is asked.
std::optional<int> answer_completion(const Verb& root, const std::vector<std::string>& arguments);

}  // namespace tiebreak::command
