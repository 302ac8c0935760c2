// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/mlir_lines.hpp"

#include <algorithm>
#include <charconv>

#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-' || c == '#';
}

/// Where `//` starts outside of a string.
std::size_t comment_start(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && line[i] == '/' && line[i + 1] == '/') return i;
  }
  return std::string_view::npos;
}

/// How many results `%r:2` stands for; 0 if nothing says so.
int result_count(std::string_view after_name) {
  int count = 0;
  if (after_name.starts_with(":")) std::from_chars(after_name.data() + 1, after_name.data() + after_name.size(), count);
  return std::min(count, 4096);
}

}  // namespace

std::vector<MlirLine> mlir_lines(std::string_view text) {
  std::vector<MlirLine> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t comment = comment_start(line);
    MlirLine read;
    read.text = std::string(line);
    read.code = std::string(trimmed_line(line.substr(0, comment)));
    read.is_comment = comment != std::string_view::npos;
    if (read.is_comment) {
      std::string_view content = line.substr(comment);
      content.remove_prefix(std::min(content.find_first_not_of('/'), content.size()));
      read.comment = std::string(trimmed_line(content));
    }
    lines.push_back(std::move(read));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

int bracket_balance(std::string_view text, std::string_view opening, std::string_view closing) {
  text = text.substr(0, comment_start(text));
  int balance = 0;
  bool quoted = false;
  for (char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (opening.find(c) != std::string_view::npos) ++balance;
    if (closing.find(c) != std::string_view::npos) --balance;
  }
  return balance;
}

std::vector<std::string> value_names(std::string_view code) {
  std::vector<std::string> names;
  for (std::size_t at = code.find('%'); at != std::string_view::npos; at = code.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < code.size() && is_name_part(code[end])) ++end;
    if (end > at + 1) names.emplace_back(code.substr(at + 1, end - at - 1));
  }
  return names;
}

std::vector<std::string> defined_names(std::string_view code) {
  std::vector<std::string> names;
  const std::size_t equals = code.find('=');
  if (!code.starts_with('%') || equals == std::string_view::npos) return names;
  const std::string_view list = code.substr(0, equals);
  for (std::size_t at = list.find('%'); at != std::string_view::npos; at = list.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < list.size() && is_name_part(list[end])) ++end;
    std::string name(list.substr(at + 1, end - at - 1));
    const int count = result_count(list.substr(end));
    for (int i = 0; count > 1 && i < count; ++i) names.push_back(name + "#" + std::to_string(i));
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tiebreak
