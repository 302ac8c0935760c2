// SPDX-License-Identifier: Apache-2.0
// Relay texts as programs, with the values that comments give.
#include <algorithm>

#include "interpreter/relay/reader.hpp"
#include "interpreter/relay/relay.hpp"

namespace tiebreak {
namespace {

/// Values of inputs and of results; `// %0 = add(%x, %y)` is an operation that is commented out.
Result<ProgramExample> stated_values(const Program& program, const mlir::Cursor& places, std::vector<mlir::Comment> comments) {
  std::erase_if(comments, [](const mlir::Comment& comment) {
    const std::size_t sign = comment.text.find_first_of(":=");
    return comment.text.starts_with('%') && (sign == std::string_view::npos || comment.text[sign] == '=');
  });
  TIEBREAK_TRY(found, mlir::read_example(places, comments));
  ProgramExample sorted;
  sorted.errors = std::move(found.errors);
  std::map<std::string, bool> is_input;
  for (const ProgramValue& value : program.values) is_input.emplace(value.name, false);
  for (ValueId id : program.inputs) is_input[program.values[static_cast<std::size_t>(id)].name] = true;
  for (auto& literal : found.before) {
    const auto named = is_input.find(literal.name);
    if (named == is_input.end()) {
      return fail(Errc::syntax, "a comment gives a value for %" + literal.name + ", which is neither an input nor a result",
                  places.file() + ":" + std::to_string(literal.line));
    }
    (named->second ? sorted.before : sorted.after).push_back(std::move(literal));
  }
  return sorted;
}

Result<std::vector<MlirFunction>> read_relay(std::string_view text, const std::string& file, int first_line, bool strict) {
  if (text.size() > mlir::text_limit) return fail(Errc::limit, "a text of more than 16 MiB", file);
  const mlir::Cursor places(text, file, first_line);
  TIEBREAK_TRY(tokens, relay::read_tokens(text, places));
  const std::vector<mlir::Comment> comments = tokens.comments;
  TIEBREAK_TRY(functions, relay::Reader(std::move(tokens), places).run(strict));
  if (functions.size() == 1 && functions[0].program) {
    TIEBREAK_TRY(example, stated_values(*functions[0].program, places, comments));
    functions[0].example = std::move(example);
  }
  return std::move(functions);
}

bool is_relay_file(std::string_view text, const std::string& file) { return file.ends_with(".relay") || is_relay(text); }

}  // namespace

bool is_relay(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size());
    else if (text.substr(at, 2) == "/*") return true;
    else break;
  }
  if (at == std::string_view::npos) return false;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("#[")) return true;
  for (const std::string_view word : {"def", "fn", "let", "free_var"}) {
    if (rest.starts_with(word) && (rest.size() == word.size() || !mlir::is_word_part(rest[word.size()]))) return true;
  }
  return false;
}

Result<ParsedMlir> parse_relay(std::string_view text, const std::string& file, int first_line) {
  TIEBREAK_TRY(functions, read_relay(text, file, first_line, true));
  ParsedMlir parsed;
  for (MlirFunction& function : functions) parsed.functions.push_back(*std::move(function.program));
  if (functions.size() == 1) parsed.example = std::move(functions[0].example);
  return parsed;
}

std::vector<MlirFunction> parse_relay_functions(std::string_view text, const std::string& file, int first_line) {
  auto functions = read_relay(text, file, first_line, false);
  if (functions) return *std::move(functions);
  std::vector<MlirFunction> refused;
  refused.push_back(MlirFunction{.name = "", .where = file, .program = tl::unexpected<Error>(functions.error())});
  return refused;
}

Result<ParsedMlir> parse_program(std::string_view text, const std::string& file, int first_line) {
  return is_relay_file(text, file) ? parse_relay(text, file, first_line) : parse_mlir(text, file, first_line);
}

std::vector<MlirFunction> parse_program_functions(std::string_view text, const std::string& file, int first_line) {
  return is_relay_file(text, file) ? parse_relay_functions(text, file, first_line) : parse_mlir_functions(text, file, first_line);
}

}  // namespace tiebreak
