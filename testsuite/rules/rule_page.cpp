// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rules/rule_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpreter/json/json_value.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/relay/relay.hpp"
#include "interpreter/tensor/tensor_type.hpp"
#include "testsuite/rules/rule_expression.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t most_sets = 4096;

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> values;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    if (const std::string_view one = trimmed(text.substr(start, comma - start)); !one.empty()) values.emplace_back(one);
    start = comma + 1;
  }
  return values;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) { to.insert(to.end(), more.begin(), more.end()); }

/// One line of the block's head.
Status read_line(std::string_view line, const std::string& where, RulePage& page) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string key(trimmed(line.substr(0, colon))), value(trimmed_line(line.substr(std::min(colon + 1, line.size()))));
  if (value.empty()) return fail(Errc::syntax, "a line of a rule's head is KEY: VALUE", where, "claim: equal");
  if (key == "claim") return page.claim = value, Status{};
  if (key == "verdict") return page.verdict = value, Status{};
  if (key == "profile") return page.profile = value, Status{};
  if (key == "condition") return page.conditions.push_back({"", value, where}), Status{};
  if (key == "any attribute") return append(page.any_attributes, listed(value)), Status{};
  if (key == "any value") {
    for (const std::string& one : listed(value)) page.any_values.push_back(one.starts_with("%") ? one.substr(1) : one);
    return {};
  }
  if (key == "shapes") {
    page.fixed_shapes = value == "fixed";
    return page.fixed_shapes ? Status{} : fail(Errc::syntax, "'" + value + "' is nothing that shapes can be", where, "shapes: fixed");
  }
  if (key.starts_with("let ")) return page.lets.push_back({std::string(trimmed(std::string_view(key).substr(4))), value, where}), Status{};
  if (key.starts_with("seen ")) return page.seen.push_back({std::string(trimmed(std::string_view(key).substr(5))), value}), Status{};
  if (!key.starts_with("parameter "))
    return fail(Errc::syntax, "'" + key + "' is no key of a rule", where,
                "parameter NAME, let NAME, condition, any value, any attribute, shapes, claim, verdict, profile, seen BACKEND");
  page.parameters.push_back({std::string(trimmed(std::string_view(key).substr(10))), listed(value)});
  if (page.parameters.back().values.empty()) return fail(Errc::syntax, "the parameter has no value", where);
  return {};
}

/// Whether a formula of the rule names it.
Result<bool> is_read(const std::vector<RuleFormula>& formulas, const std::string& name) {
  for (const RuleFormula& one : formulas) {
    TIEBREAK_TRY(expression, notation::parse_expression(one.expression, one.where));
    bool found = false;
    notation::walk(*expression, [&](const notation::Expr& part) { found = found || (part.kind == notation::ExprKind::name && part.text == name); });
    if (found) return true;
  }
  return false;
}

Status check_named(const RulePage& page, const std::string& name, const std::string& where) {
  if (page.program.find("{" + name + "}") != std::string::npos) return {};
  TIEBREAK_TRY(in_condition, is_read(page.conditions, name));
  TIEBREAK_TRY(in_let, is_read(page.lets, name));
  if (in_condition || in_let) return {};
  return fail(Errc::syntax, fmt::format("the programs have no {{{}}}", name), where, "the parameter changes nothing");
}

Status check(const RulePage& page, const std::string& where) {
  if (page.claim.empty() || page.verdict.empty()) return fail(Errc::syntax, "a rule says its claim and its verdict", where, "claim: equal");
  if (page.sets() > most_sets) return fail(Errc::limit, fmt::format("{} parameter sets, at most {} are judged", page.sets(), most_sets), where);
  for (const RuleParameter& one : page.parameters) TIEBREAK_CHECK(check_named(page, one.name, where));
  for (const RuleFormula& one : page.lets) TIEBREAK_CHECK(check_named(page, one.name, one.where));
  for (const std::string& one : page.any_values)
    if (page.program.find("%" + one) == std::string::npos) return fail(Errc::syntax, "the programs have no %" + one, where, "any value: %NAME of a constant");
  return {};
}

/// Those of the values that are numbers.
RuleNumbers numbers_of(const RuleValues& values) {
  RuleNumbers numbers;
  for (const auto& [name, text] : values)
    if (const auto number = Real::parse(text)) numbers.insert_or_assign(name, *number);
  return numbers;
}

}  // namespace

std::string number_text(const Real& number) { return number.is_whole() ? number.to_string() : scale_text(number); }

std::uint64_t RulePage::sets() const {
  std::uint64_t count = 1;
  for (const RuleParameter& one : parameters) count = std::min<std::uint64_t>(count * one.values.size(), most_sets + 1);
  return count;
}

RuleValues RulePage::values_of(std::uint64_t set) const {
  RuleValues chosen(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const RuleParameter& one = parameters[i];
    chosen[i] = {one.name, one.values[set % one.values.size()]};
    set /= one.values.size();
  }
  return chosen;
}

Result<RuleValues> RulePage::with_lets(RuleValues values) const {
  for (const RuleFormula& one : lets) {
    TIEBREAK_TRY(value, evaluate_rule_expression(one.expression, numbers_of(values), one.where));
    if (!value.is_number()) return fail(Errc::syntax, "let " + one.name + " is no number", one.where, one.expression);
    values.emplace_back(one.name, number_text(value.number()));
  }
  return values;
}

Result<bool> RulePage::admits(const RuleValues& values) const {
  const RuleNumbers numbers = numbers_of(values);
  for (const RuleFormula& condition : conditions) {
    TIEBREAK_TRY(value, evaluate_rule_expression(condition.expression, numbers, condition.where));
    if (!value.is_truth()) return fail(Errc::syntax, "'" + condition.expression + "' is no condition", condition.where, "condition: s < t");
    if (!value.truth()) return false;
  }
  return true;
}

std::string RulePage::program_with(const RuleValues& values) const {
  std::string text = program;
  for (const auto& [name_of_one, value] : values) {
    const std::string marked = "{" + name_of_one + "}";
    for (std::size_t at = text.find(marked); at != std::string::npos; at = text.find(marked, at + value.size())) text.replace(at, marked.size(), value);
  }
  return text;
}

Result<std::optional<std::string>> RulePage::program_of(std::uint64_t set) const {
  TIEBREAK_TRY(values, with_lets(values_of(set)));
  TIEBREAK_TRY(admitted, admits(values));
  if (!admitted) return std::optional<std::string>{};
  return std::optional(program_with(values));
}

std::string RulePage::set_text(std::uint64_t set) const {
  std::vector<std::string> words;
  for (const auto& [name_of_one, value] : values_of(set)) words.push_back(name_of_one + "=" + value);
  return joined_words(words, " ");
}

Result<RulePrograms> parse_rule_programs(const RulePage& page, const std::string& text) {
  TIEBREAK_TRY(parsed, parse_program(text, page.file, page.line));
  if (parsed.functions.size() != 2)
    return fail(Errc::syntax, fmt::format("{} functions, a rule has two", parsed.functions.size()), fmt::format("{}:{}:1", page.file, page.line));
  return RulePrograms{std::move(parsed.functions[0]), std::move(parsed.functions[1])};
}

Result<RulePage> read_rule(const std::string& text, const std::string& name, const std::string& file) {
  RulePage page{.name = name, .file = file, .title = ""};
  const std::vector<std::string> lines = lines_of(text);
  std::size_t at = 0;
  for (; at < lines.size() && !lines[at].starts_with("```rule"); ++at)
    if (page.title.empty() && lines[at].starts_with("# ")) page.title = trimmed_line(std::string_view(lines[at]).substr(2));
  if (at == lines.size()) return fail(Errc::syntax, "the page has no block ```rule", file + ":1:1");
  const std::string where = fmt::format("{}:{}:1", file, at + 1);
  for (++at; at < lines.size() && !trimmed_line(lines[at]).empty(); ++at) TIEBREAK_CHECK(read_line(lines[at], fmt::format("{}:{}:1", file, at + 1), page));
  page.line = static_cast<int>(at) + 2;
  for (++at; at < lines.size() && !lines[at].starts_with("```"); ++at) page.program += lines[at] + "\n";
  if (at >= lines.size()) return fail(Errc::syntax, "the block does not end", where, "```");
  TIEBREAK_CHECK(check(page, where));
  return page;
}

Result<std::vector<RulePage>> load_rules(const std::vector<std::string>& directories, const std::vector<std::string>& globs) {
  std::vector<RulePage> pages;
  for (const std::string& directory : directories) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator entry(fs::path(directory) / "rules", error), end; !error && entry != end; entry.increment(error))
      if (entry->path().extension() == ".md") files.push_back(entry->path());
    std::ranges::sort(files);
    for (const fs::path& path : files) {
      const std::string name = fs::relative(path, fs::path(directory) / "rules").replace_extension().generic_string();
      if (!globs.empty() && std::ranges::none_of(globs, [&](const std::string& glob) { return matches_glob(glob, name); })) continue;
      TIEBREAK_TRY(text, read_text_file(path.string()));
      // As pages are shown: the first folder is called spec, the others by their paths.
      TIEBREAK_TRY(page, read_rule(text, name, (&directory == &directories.front() ? "spec" : directory) + "/rules/" + name + ".md"));
      pages.push_back(std::move(page));
    }
  }
  if (pages.empty()) return fail(Errc::unknown_name, "no rule of that name", globs.empty() ? "rule" : globs.front(), "tiebreak rule list");
  return pages;
}

}  // namespace tiebreak
