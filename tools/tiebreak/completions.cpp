// SPDX-License-Identifier: Apache-2.0
// tiebreak completions SHELL: a script that hands the words of a command line to `tiebreak __complete` and shows the answer.
#include "testsuite/check/judge.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

// Candidates come one a line, `:files` first where file names may stand; after `=`, `/` and `:` a word goes on.
constexpr const char* bash_script = R"(# bash completion for tiebreak. Made by `tiebreak completions bash`.
_tiebreak() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then compopt -o default 2>/dev/null; continue; fi
    COMPREPLY+=("$line")
    if [[ $line == *[=/:] ]]; then compopt -o nospace 2>/dev/null; fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tiebreak tiebreak
)";

constexpr const char* zsh_script = R"(#compdef tiebreak
# zsh completion for tiebreak. Made by `tiebreak completions zsh`.
_tiebreak() {
  local line word help
  local -a shown open open_shown
  local -i files=0
  shown=() open=() open_shown=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    word=${line%%$'\t'*} help=
    if [[ $line == *$'\t'* ]]; then help=${line#*$'\t'}; fi
    if [[ $word == *[=/:] ]]; then
      open+=("$word") open_shown+=("$word${help:+  -- $help}")
    else
      shown+=("${word//:/\\:}${help:+:$help}")
    fi
  done < <("${words[1]/#\~/$HOME}" __complete zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#shown )) && _describe tiebreak shown
  (( $#open )) && compadd -S '' -l -d open_shown -a open
  (( files )) && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _tiebreak "$@"; else compdef _tiebreak tiebreak; fi
)";

constexpr const char* fish_script = R"(# fish completion for tiebreak. Made by `tiebreak completions fish`.
function __tiebreak_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ($words[1] __complete fish $words[2..-1] "$last" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$last"
        else
            echo $line
        end
    end
end
complete -c tiebreak -f -a '(__tiebreak_complete)'
)";

Result<int> print_script(const std::string& shell) {
  const char* script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : shell == "fish" ? fish_script : nullptr;
  if (script == nullptr) {
    const std::string near = nearest(shell, std::vector<std::string>{"bash", "zsh", "fish"});
    return fail(Errc::usage, "no completion for '" + shell + "'", "", near.empty() ? "one of bash zsh fish" : "did you mean '" + near + "'?");
  }
  TIEBREAK_CHECK(print(script));
  return success;
}

}  // namespace

void add_completions(Verb& app) {
  auto shell = std::make_shared<std::string>();
  Verb* sub = app.add_subcommand("completions", "Print a shell's completion script: source <(tiebreak completions bash)");
  sub->add_option("SHELL", *shell, "bash, zsh or fish")->type_name("")->required();
  sub->footer = "";
  sub->action = [shell] { return print_script(*shell); };
}

}  // namespace tiebreak::command
