// SPDX-License-Identifier: Apache-2.0
// Values in comments: `// %x: [1, 2]`, `// %x = 3`, `// %y @ condition: VALUE`, `// error C15`. A value goes on over the next
// comment lines while its brackets are open. Other comments are prose.
#include <algorithm>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Open brackets at the end of a text, which is cut where a note `//` starts.
int open_brackets(std::string_view& text) {
  int open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '/' && text.substr(i, 2) == "//") {
      text = trimmed(text.substr(0, i));
      break;
    }
    if (c == '[' || c == '(' || c == '<' || c == '{') ++open;
    if (c == ']' || c == ')' || c == '>' || c == '}') --open;
  }
  return open;
}

/// The colon of `%y @ (0, 0): VALUE`, outside of brackets.
std::size_t colon(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++open;
    if (text[i] == ')' || text[i] == ']' || text[i] == '}') --open;
    if (text[i] == ':' && open == 0) return i;
  }
  return std::string_view::npos;
}

/// `%y = "stablehlo.add"(...)` and `%y = stablehlo.add ...`: an operation commented out, not a value.
bool is_operation(std::string_view text) {
  if (text.starts_with('"')) return !text.starts_with("\"0x");
  if (text.empty() || !is_word_start(text[0])) return false;
  return text.find('.') < text.find_first_of(" <(");
}

/// Name, condition and the start of the value; nothing for prose.
std::optional<ProgramExample::Literal> literal_start(std::string_view text) {
  if (!text.starts_with('%')) return std::nullopt;
  std::size_t end = 1;
  while (end < text.size() && (is_word_part(text[end]) || text[end] == '-' || text[end] == '#')) ++end;
  if (end == 1) return std::nullopt;
  ProgramExample::Literal literal;
  literal.name = std::string(text.substr(1, end - 1));
  std::string_view rest = trimmed(text.substr(end));
  if (rest.starts_with('@')) {
    const std::size_t stop = colon(rest);
    if (stop == std::string_view::npos) return std::nullopt;
    literal.condition = std::string(trimmed(rest.substr(1, stop - 1)));
    rest = rest.substr(stop);
  }
  if (!rest.starts_with(':') && !(literal.condition.empty() && rest.starts_with('='))) return std::nullopt;
  literal.text = std::string(trimmed(rest.substr(1)));
  if (rest.starts_with('=') && is_operation(literal.text)) return std::nullopt;
  return literal;
}

/// `error C15, C16`: words of a letter or more and digits.
std::vector<std::string> error_ids(std::string_view text) {
  std::vector<std::string> ids;
  if (!text.starts_with("error ") && !text.starts_with("error: ")) return ids;
  text = trimmed(text.substr(text.find(' ')));
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find(','), text.size());
    const std::string_view id = trimmed(text.substr(0, stop));
    const bool letters = !id.empty() && id[0] >= 'A' && id[0] <= 'Z';
    if (!letters || !is_digit(id.back()) || !std::all_of(id.begin(), id.end(), is_word_part)) return {};
    ids.emplace_back(id);
    text = stop < text.size() ? trimmed(text.substr(stop + 1)) : std::string_view{};
  }
  return ids;
}

}  // namespace

Result<ProgramExample> read_example(const Cursor& cursor, const std::vector<Comment>& comments) {
  ProgramExample example;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    for (std::string& id : error_ids(comments[i].text)) example.errors.push_back(std::move(id));
    auto literal = literal_start(comments[i].text);
    if (!literal) continue;
    literal->line = cursor.line(comments[i].offset);
    std::string_view part = literal->text;
    int open = open_brackets(part);
    std::string text(part);
    int line = literal->line;
    while (open > 0 && i + 1 < comments.size() && cursor.line(comments[i + 1].offset) == line + 1) {
      ++line;
      part = comments[++i].text;
      open += open_brackets(part);
      text += " " + std::string(part);
    }
    if (open != 0) {
      return fail(Errc::syntax, "the brackets of the value of %" + literal->name + " in a comment do not match",
                  cursor.file() + ":" + std::to_string(literal->line));
    }
    literal->text = std::move(text);
    example.before.push_back(std::move(*literal));
  }
  return example;
}

}  // namespace tiebreak::mlir
