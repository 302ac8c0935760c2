// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/comment_conventions.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "testsuite/case/mlir_lines.hpp"
#include "testsuite/text/text_parts.hpp"

namespace tiebreak {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A comment `[%] name [@ condition] : VALUE`, taken apart.
struct ValueComment {
  std::string name;
  bool percent = false;  ///< the name has its '%'
  bool blank = false;    ///< `% name`
  std::string condition{};
  std::string rest{};  ///< from the ':' or '=' on
};

/// `(0, 0)`: replica and partition.
bool is_process(std::string_view condition) {
  if (condition.size() < 5 || condition.front() != '(' || condition.back() != ')') return false;
  return std::all_of(condition.begin() + 1, condition.end() - 1, [](char c) { return is_digit(c) || c == ',' || c == ' '; });
}

/// Where the ':' after a condition stands, outside of parentheses.
std::size_t colon(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') --open;
    if (text[i] == ':' && open == 0) return i;
  }
  return std::string_view::npos;
}

std::optional<ValueComment> value_comment(std::string_view text) {
  ValueComment read;
  read.percent = text.starts_with('%');
  if (read.percent) text.remove_prefix(1);
  read.blank = read.percent && text.starts_with(' ');
  text = trimmed(text);
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '#' || text[end] == '-' || text[end] == '.')) ++end;
  if (end == 0) return std::nullopt;
  read.name = std::string(text.substr(0, end));
  text = trimmed(text.substr(end));
  if (text.starts_with('@')) {
    const std::size_t stop = colon(text);
    if (stop == std::string_view::npos) return std::nullopt;
    read.condition = std::string(trimmed(text.substr(1, stop - 1)));
    text = text.substr(stop);
  }
  if (!text.starts_with(':') && !text.starts_with('=')) return std::nullopt;
  read.rest = std::string(text);
  return read;
}

/// Prose has no value after its colon: what has starts with a digit, a sign, a bracket or a word of a value.
bool looks_like_value(std::string_view rest) {
  const std::string_view value = trimmed(rest.substr(1));
  if (value.empty()) return false;
  if (is_digit(value[0]) || std::string_view("-+[(").find(value[0]) != std::string_view::npos) return true;
  for (std::string_view word : {"true", "false", "inf", "nan", "dense<"}) {
    if (value.starts_with(word)) return true;
  }
  return false;
}

/// The example's own name for what a comment calls `name`; "" if it has none.
std::string known_name(const std::string& name, const std::set<std::string>& names) {
  if (names.count(name + "#0") > 0) return name + "#0";
  if (names.count(name) > 0) return name;
  if (name.ends_with("#0") && names.count(name.substr(0, name.size() - 2)) > 0) return name.substr(0, name.size() - 2);
  std::size_t digits = name.size();
  while (digits > 0 && is_digit(name[digits - 1])) --digits;
  const std::string counted = name.substr(0, digits) + "#" + name.substr(digits);
  return digits < name.size() && names.count(counted) > 0 ? counted : "";
}

/// `"stablehlo.add"(` and `= stablehlo.add ` name operations.
std::string operation_name(std::string_view code) {
  const std::size_t equals = code.starts_with('%') ? code.find('=') : std::string_view::npos;
  std::string_view text = equals == std::string_view::npos ? code : trimmed(code.substr(equals + 1));
  const bool quoted = text.starts_with('"');
  if (quoted) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
  const std::string_view word = text.substr(0, end);
  const std::size_t dot = word.find('.');
  const bool named = !word.empty() && is_letter(word[0]) && dot != std::string_view::npos && dot + 1 < word.size();
  const bool followed = quoted ? text.substr(end).starts_with("\"") : equals != std::string_view::npos;
  return named && followed ? std::string(word) : "";
}

class Conventions {
 public:
  explicit Conventions(const std::string& text) : lines_(mlir_lines(text)) {}

  ReadableExample read() {
    look_at_code();
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const MlirLine& line = lines_[at_];
      if (line.is_comment && line.code.empty()) comment(line);
      else result_.text += line.text + "\n";
    }
    return std::move(result_);
  }

 private:
  void look_at_code() {
    int depth = 0;
    for (const MlirLine& line : lines_) {
      for (std::string& name : value_names(line.code)) names_.insert(std::move(name));
      for (std::string& name : defined_names(line.code)) names_.insert(std::move(name));
      const std::string op = operation_name(line.code);
      if (!op.empty() && depth <= 0) result_.ops.push_back(op);
      result_.has_operation |= !op.empty() || line.code.starts_with("func") || line.code.starts_with("module");
      depth += bracket_balance(line.code, "([{", ")]}");
    }
  }

  void comment(const MlirLine& line) {
    const auto value = value_comment(line.comment);
    if (!value) return keep(line.text);
    const bool process = is_process(value->condition);
    result_.process_grid |= process;
    const std::string name = known_name(value->name, names_);
    // Without its '%' a name is one only where the example has it and a value follows.
    if (!value->percent && (name.empty() || !looks_like_value(value->rest))) return keep(line.text);
    if (name.empty()) note("a value for %" + value->name + ", which the example does not have");
    if (name.empty() || process) return leave_out(*value);
    if (!value->percent || value->blank) note("'" + std::string(value->blank ? "% " : "") + value->name + "' is read as %" + name);
    const std::string condition = value->condition.empty() ? "" : " @ " + value->condition;
    keep("// %" + name + condition + value->rest);
  }

  void keep(const std::string& text) { result_.text += text + "\n"; }
  void note(const std::string& text) {
    if (std::find(result_.notes.begin(), result_.notes.end(), text) == result_.notes.end()) result_.notes.push_back(text);
  }

  /// The value goes on over the next comments while its brackets are open.
  void leave_out(const ValueComment& value) {
    int open = bracket_balance(value.rest, "[(<{", "])>}");
    result_.text += "\n";
    while (open > 0 && at_ + 1 < lines_.size() && lines_[at_ + 1].is_comment && lines_[at_ + 1].code.empty()) {
      open += bracket_balance(lines_[++at_].comment, "[(<{", "])>}");
      result_.text += "\n";
    }
  }

  std::vector<MlirLine> lines_;
  std::size_t at_ = 0;
  std::set<std::string> names_{};
  ReadableExample result_{};
};

}  // namespace

ReadableExample readable_example(const std::string& text) { return Conventions(text).read(); }

}  // namespace tiebreak
