// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/completion_values.hpp"

#include <map>
#include <set>

#include "testsuite/backends/backend.hpp"
#include "testsuite/check/check.hpp"
#include "testsuite/export/export_folder.hpp"
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {
namespace {

using Words = std::vector<std::string>;

// Nothing here fails: where there is no installation there are no candidates.
std::shared_ptr<const Library> library() { return load_library().value_or(nullptr); }

Words profiles() {
  Words words;
  const auto known = library();
  if (!known) return words;
  words.emplace_back("reference");
  for (const auto& [name, profile] : known->profiles()) {
    if (name != words.front()) words.push_back(name);
  }
  return words;
}

Words ops() {
  const auto known = library();
  return known ? known->op_paths() : Words{};
}

Words pages() {
  Words words;
  const auto known = library();
  if (!known) return words;
  for (const auto& [name, page] : known->pages()) words.push_back(name);
  return words;
}

Words families() {
  Words words;
  for (const std::string& name : pages()) {
    const std::string family = name.substr(0, name.find('.'));
    if (words.empty() || words.back() != family) words.push_back(family);
  }
  return words;
}

/// `onnx.QuantizeLinear/` until that is typed, then its cases.
Words ids(const std::string& prefix) {
  Words words;
  const bool has_op = prefix.find('/') != std::string::npos;
  const auto known = library();
  if (!known) return words;
  if (!has_op) {
    for (const std::string& op : known->op_paths()) words.push_back(op + "/");
    return words;
  }
  Selection selection;
  selection.globs = {prefix + "*"};
  return list_cases(*known, selection).value_or(Words{});
}

Words statuses() {
  Words words;
  for (CaseStatus status : every_status) words.emplace_back(to_word(status));
  return words;
}

Words both(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

Candidates candidates_of(const std::string& kind, const std::string& prefix) {
  using Make = Candidates (*)(const std::string& prefix);
  static const std::map<std::string, Make> known{{"BACKEND",
                                                  [](const std::string&) {
                                                    return Candidates{Backend::available(), true};
                                                  }},
                                                 {"PROFILE", [](const std::string&) { return Candidates{profiles()}; }},
                                                 {"A B [OP]", [](const std::string&) { return Candidates{both(profiles(), ops())}; }},
                                                 {"OP", [](const std::string&) { return Candidates{ops()}; }},
                                                 {"PAGE",
                                                  [](const std::string&) {
                                                    return Candidates{pages(), true};
                                                  }},
                                                 {"FAMILY", [](const std::string&) { return Candidates{families()}; }},
                                                 {"TARGET",
                                                  [](const std::string& typed) {
                                                    return Candidates{both(ops(), ids(typed)), true};
                                                  }},
                                                 {"CASE",
                                                  [](const std::string& typed) {
                                                    return Candidates{ids(typed), true};
                                                  }},
                                                 {"SOURCE",
                                                  [](const std::string& typed) {
                                                    return Candidates{both(ops(), ids(typed)), true};
                                                  }},
                                                 {"WORDS", [](const std::string&) { return Candidates{statuses()}; }},
                                                 {"ENGINE",
                                                  [](const std::string&) {
                                                    return Candidates{{"fast", "exact", "both"}};
                                                  }},
                                                 {"FORMATS", [](const std::string&) { return Candidates{export_format_words()}; }},
                                                 {"LEVEL",
                                                  [](const std::string&) {
                                                    return Candidates{{"smoke", "default", "full"}};
                                                  }},
                                                 {"POLICY",
                                                  [](const std::string&) {
                                                    return Candidates{{"exact", "lsb:", "ulp:", "steps:", "absolute:"}};
                                                  }},
                                                 {"WHEN",
                                                  [](const std::string&) {
                                                    return Candidates{{"auto", "always", "never"}};
                                                  }},
                                                 {"SHELL", [](const std::string&) {
                                                    return Candidates{{"bash", "zsh", "fish"}};
                                                  }}};
  static const std::set<std::string> files{"FILE", "FOLDER", "PATH", "REPORT", "REPORT.json", "BEFORE", "AFTER", "A", "B"};
  if (files.contains(kind)) return Candidates{{}, true};
  const auto found = known.find(kind);
  return found == known.end() ? Candidates{} : found->second(prefix);
}

}  // namespace tiebreak::command
