// SPDX-License-Identifier: Apache-2.0
// tiebreak man: the manual page, in the macros of man(7), made from the command's own tables.
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/manual_tables.hpp"
#include "tools/tiebreak/line/verb.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

/// Text as roff prints it unchanged: hyphens stay ASCII so that options can be copied, and no line begins with a request.
std::string roff(const std::string& text) {
  std::string result;
  bool starts_line = true;
  for (char c : text) {
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') result += "\\e";
    else if (c == '-') result += "\\-";
    else if (c == '\'') result += "\\(aq";
    else if (c == '`') result += "\\(ga";
    else if (c == '^') result += "\\(ha";
    else if (c == '~') result += "\\(ti";
    else result += c;
    starts_line = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }
/// An argument of a macro: no quotes of its own.
std::string quoted(const std::string& text) { return "\"" + roff(text) + "\""; }

std::string entry(const std::string& tag, const std::string& text) { return ".TP\n" + tag + "\n" + roff(text) + "\n"; }

std::string names_of(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    names += (names.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty()) names += (option.by_equals_only && is_long ? "=" : " ") + italic(option.value);
  }
  return names + (option.may_repeat() ? " ..." : "");
}

std::string synopsis(const Verb& row) {
  std::string line = bold(row.path);
  if (!row.verbs.empty()) line += " " + italic("COMMAND");
  line += " [" + italic("OPTION") + "]...";
  for (const Option& word : row.positionals) {
    const std::string name = italic(word.names.front()) + (word.may_repeat() ? "..." : "");
    line += word.is_required ? " " + name : " [" + name + "]";
  }
  return line + "\n";
}

/// A footer is laid out by hand.
std::string as_written(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n"; }

std::string section_of(const Verb& row) {
  std::string text = ".SS " + quoted(row.path) + "\n" + roff(row.help) + ".\n.PP\n" + synopsis(row);
  for (const Option& word : row.positionals) {
    if (!word.help.empty()) text += entry(italic(word.names.front()), word.help);
  }
  for (const Option& option : row.options) text += entry(names_of(option), option.help);
  text += as_written(row.footer.value_or(""));
  for (const Verb& verb : row.verbs) text += section_of(verb);
  return text;
}

std::string entries(const std::string& title, const std::vector<ManualEntry>& table) {
  std::string text = ".SH " + title + "\n";
  for (const ManualEntry& row : table) text += entry(bold(row.name), row.text);
  return text;
}

std::string manual_page(const Verb& root) {
  std::string text = ".\\\" Made by `tiebreak man`.\n.TH TIEBREAK 1 \"\" \"tiebreak " TIEBREAK_VERSION "\" \"User Commands\"\n.nh\n.ad l\n";
  text += ".SH NAME\ntiebreak \\- reference interpreter and conformance suite for quantized operators\n";
  text += ".SH SYNOPSIS\n" + synopsis(root) + ".SH DESCRIPTION\n" + roff(root.help) + "\n";
  text += "Results go to standard output, everything else to standard error.\n.SH OPTIONS\n";
  for (const Option& option : root.options) text += entry(names_of(option), option.help);
  text += ".SH COMMANDS\n";
  for (const Verb& verb : root.verbs) text += section_of(verb);
  text += entries("EXIT STATUS", exit_codes());
  text += ".PP\nWhen several apply to one run: 3, 2, 1, 6, 5, 4, 0.\n";
  text += entries("ENVIRONMENT", environment_variables()) + entries("FILES", files());
  // The first paragraph of the footer below its heading; the second, the exit codes, stands above.
  const std::string footer = root.footer.value_or("");
  const std::size_t first = footer.find('\n') + 1;
  const std::string examples = footer.substr(first, footer.find("\n\n") - first);
  return text + ".SH EXAMPLES\n.nf\n" + roff(examples) + "\n.fi\n";
}

}  // namespace

void add_man(Verb& app) {
  Verb* sub = app.add_subcommand("man", "Print the manual page: tiebreak man | man -l -");
  sub->footer = "";
  sub->action = [&app]() -> Result<int> {
    TIEBREAK_CHECK(print(manual_page(app)));
    return success;
  };
}

}  // namespace tiebreak::command
