// SPDX-License-Identifier: Apache-2.0
// Where one example of a block ends and the next begins. Lines are told apart by their form alone, so that a block that no reader
// understands is split, too.
#include <algorithm>
#include <set>

#include "testsuite/case/mlir_lines.hpp"
#include "testsuite/examples/markdown_examples.hpp"

namespace tiebreak {
namespace {

struct Statement {
  std::size_t first = 0;  ///< line
  std::size_t last = 0;
  std::set<std::string> defines{};
  std::set<std::string> uses{};
  bool whole = false;  ///< a function or a module
};

bool goes_on_after(std::string_view code) { return code.ends_with("=") || code.ends_with("->") || code.ends_with(","); }
bool starts_statement(std::string_view code) {
  return code[0] == '%' || code[0] == '"' || code[0] == '#' || code[0] == '!' || (code[0] >= 'a' && code[0] <= 'z');
}

void add_line(Statement& statement, std::string_view code, bool first_line) {
  const std::vector<std::string> names = value_names(code);
  if (first_line) {
    for (const std::string& name : defined_names(code)) statement.defines.insert(name);
    statement.whole = code.starts_with("func") || code.starts_with("module");
  }
  for (const std::string& name : names) {
    if (statement.defines.count(name) == 0) statement.uses.insert(name);
  }
}

std::vector<Statement> statements_of(const std::vector<MlirLine>& lines) {
  std::vector<Statement> statements;
  int depth = 0;
  bool goes_on = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view code = lines[i].code;
    if (code.empty()) continue;
    const bool begins = statements.empty() || (depth <= 0 && !goes_on && starts_statement(code));
    if (begins) statements.push_back({i, i, {}, {}, false});
    statements.back().last = i;
    add_line(statements.back(), code, begins);
    depth += bracket_balance(code, "([{", ")]}");
    goes_on = goes_on_after(code);
  }
  return statements;
}

bool overlap(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.count(name) > 0; });
}

/// The first line of the comments that belong to the next statement: after the last blank line between the two, or without one,
/// the first that gives a value to something the earlier example does not have.
std::size_t border(const std::vector<MlirLine>& lines, std::size_t after, std::size_t before, const std::set<std::string>& known) {
  for (std::size_t i = before; i > after + 1; --i) {
    if (lines[i - 1].blank()) return i;
  }
  for (std::size_t i = after + 1; i < before; ++i) {
    const std::vector<std::string> names = value_names(lines[i].comment.substr(0, lines[i].comment.find_first_of(":=")));
    if (!names.empty() && known.count(names[0]) == 0) return i;
  }
  return before;
}

bool blank_between(const std::vector<MlirLine>& lines, std::size_t after, std::size_t before) {
  return std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(after), lines.begin() + static_cast<std::ptrdiff_t>(before),
                     [](const MlirLine& line) { return line.blank(); });
}

/// For every example the number of its first line.
std::vector<std::size_t> starts_of(const std::vector<MlirLine>& lines, const std::vector<Statement>& statements) {
  std::vector<std::size_t> starts{0};
  std::set<std::string> defined;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Statement& now = statements[i];
    if (i > 0) {
      const bool again = overlap(now.defines, defined);
      const bool apart = blank_between(lines, statements[i - 1].last, now.first) && !overlap(now.uses, defined);
      if (again || apart) {
        starts.push_back(border(lines, statements[i - 1].last, now.first, defined));
        defined.clear();
      }
    }
    defined.insert(now.defines.begin(), now.defines.end());
  }
  return starts;
}

}  // namespace

std::vector<MarkdownExample> split_block(const MarkdownExample& block) {
  const std::vector<MlirLine> lines = mlir_lines(block.text);
  const std::vector<Statement> statements = statements_of(lines);
  std::vector<std::size_t> starts{0};
  const bool function = std::any_of(statements.begin(), statements.end(), [](const Statement& each) { return each.whole; });
  const bool fragment = std::all_of(statements.begin(), statements.end(), [](const Statement& each) { return each.defines.empty(); });
  if (!function && !fragment) starts = starts_of(lines, statements);
  std::vector<MarkdownExample> parts;
  for (std::size_t part = 0; part < starts.size(); ++part) {
    const std::size_t end = part + 1 < starts.size() ? starts[part + 1] : lines.size();
    MarkdownExample example = block;
    example.text.clear();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i >= starts[part] && i < end) example.text += lines[i].text;
      example.text += '\n';
    }
    for (const Statement& statement : statements) {
      if (statement.first < starts[part] || statement.first >= end) continue;
      example.line = block.first_line + static_cast<int>(statement.first);
      break;
    }
    parts.push_back(std::move(example));
  }
  return parts;
}

}  // namespace tiebreak
