// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rules/rule_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpreter/json/json_value.hpp"
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

/// One line of the block's head.
Status read_line(std::string_view line, const std::string& where, RulePage& page) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string key(trimmed(line.substr(0, colon))), value(trimmed_line(line.substr(std::min(colon + 1, line.size()))));
  if (value.empty()) return fail(Errc::syntax, "a line of a rule's head is KEY: VALUE", where, "claim: equal");
  if (key == "claim") return page.claim = value, Status{};
  if (key == "verdict") return page.verdict = value, Status{};
  if (key == "profile") return page.profile = value, Status{};
  if (key.starts_with("seen ")) return page.seen.push_back({std::string(trimmed(std::string_view(key).substr(5))), value}), Status{};
  if (!key.starts_with("parameter "))
    return fail(Errc::syntax, "'" + key + "' is no key of a rule", where, "parameter NAME, claim, verdict, profile, seen BACKEND");
  page.parameters.push_back({std::string(trimmed(std::string_view(key).substr(10))), listed(value)});
  if (page.parameters.back().values.empty()) return fail(Errc::syntax, "the parameter has no value", where);
  return {};
}

Status check(const RulePage& page, const std::string& where) {
  if (page.claim.empty() || page.verdict.empty()) return fail(Errc::syntax, "a rule says its claim and its verdict", where, "claim: equal");
  if (page.sets() > most_sets) return fail(Errc::limit, fmt::format("{} parameter sets, at most {} are judged", page.sets(), most_sets), where);
  for (const RuleParameter& one : page.parameters)
    if (page.program.find("{" + one.name + "}") == std::string::npos)
      return fail(Errc::syntax, fmt::format("the programs have no {{{}}}", one.name), where, "the parameter changes nothing");
  return {};
}

}  // namespace

std::uint64_t RulePage::sets() const {
  std::uint64_t count = 1;
  for (const RuleParameter& one : parameters) count = std::min<std::uint64_t>(count * one.values.size(), most_sets + 1);
  return count;
}

std::vector<std::pair<std::string, std::string>> RulePage::values_of(std::uint64_t set) const {
  std::vector<std::pair<std::string, std::string>> chosen(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const RuleParameter& one = parameters[i];
    chosen[i] = {one.name, one.values[set % one.values.size()]};
    set /= one.values.size();
  }
  return chosen;
}

std::string RulePage::program_of(std::uint64_t set) const {
  std::string text = program;
  for (const auto& [name_of_one, value] : values_of(set)) {
    const std::string marked = "{" + name_of_one + "}";
    for (std::size_t at = text.find(marked); at != std::string::npos; at = text.find(marked, at + value.size())) text.replace(at, marked.size(), value);
  }
  return text;
}

std::string RulePage::set_text(std::uint64_t set) const {
  std::vector<std::string> words;
  for (const auto& [name_of_one, value] : values_of(set)) words.push_back(name_of_one + "=" + value);
  return joined_words(words, " ");
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
