// SPDX-License-Identifier: Apache-2.0
#include "testsuite/causes/fusion.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "interpreter/json/json_value.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

std::string without_outer_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// `y = onnx.MatMul(a, b)`
Result<FusionStep> fusion_step(const JsonValue& json) {
  TIEBREAK_TRY(text, string_of(json));
  const std::size_t equal = text.find('='), open = text.find('('), close = text.rfind(')');
  if (equal == std::string::npos || open == std::string::npos || close == std::string::npos || equal > open || open > close)
    return fail(Errc::corrupt, "'" + text + "' is no step", json.where, "y = onnx.MatMul(a, b)");
  FusionStep step{without_outer_spaces(text.substr(0, equal)), without_outer_spaces(text.substr(equal + 1, open - equal - 1)), {}};
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t comma = std::min(text.find(',', at), close);
    step.operands.push_back(without_outer_spaces(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return step;
}

Result<Fusion> fusion_of(const JsonValue& json, const std::string& system) {
  TIEBREAK_CHECK(check_object(json, {"pattern", "fused", "attributes"}));
  Fusion rule;
  rule.system = system;
  rule.place = json.where;
  rule.attributes = text_or_empty(json, "attributes");
  TIEBREAK_TRY(pattern, array_at(json, "pattern"));
  for (const JsonValue& item : pattern->items) {
    TIEBREAK_TRY(step, fusion_step(item));
    rule.pattern.push_back(std::move(step));
  }
  TIEBREAK_TRY(text, member(json, "fused"));
  TIEBREAK_TRY(whole, fusion_step(*text));
  rule.fused = std::move(whole);
  if (rule.pattern.size() < 2 || rule.pattern.back().result != rule.fused.result)
    return fail(Errc::corrupt, "the pattern and the fused operation give different values", json.where);
  return rule;
}

/// One attempt to find a rule's pattern with a given operation as its last step.
class Match {
 public:
  Match(const Program& program, const Fusion& rule) : program_(program), rule_(rule), used_(rule.pattern.size(), -1) {}

  bool at(std::size_t operation) { return unify(rule_.pattern.size() - 1, operation); }

  const std::map<std::string, ValueId>& values() const { return values_; }
  const std::vector<int>& operations() const { return used_; }  ///< of each step

 private:
  bool unify(std::size_t step, std::size_t operation) {
    const FusionStep& wanted = rule_.pattern[step];
    const Operation& found = program_.operations[operation];
    if (found.op != wanted.op || found.results.size() != 1 || found.operands.size() > wanted.operands.size() || !found.regions.empty()) return false;
    if (!bind(wanted.result, found.results[0])) return false;
    used_[step] = static_cast<int>(operation);
    for (std::size_t i = 0; i < wanted.operands.size(); ++i) {
      const ValueId id = i < found.operands.size() ? found.operands[i] : -1;
      if (!bind(wanted.operands[i], id)) return false;
      const auto producer = std::ranges::find(rule_.pattern, wanted.operands[i], &FusionStep::result);
      if (producer == rule_.pattern.end()) continue;
      const auto from =
          std::ranges::find_if(program_.operations, [&](const Operation& one) { return std::ranges::find(one.results, id) != one.results.end(); });
      if (id < 0 || from == program_.operations.end() || readers(id) != 1) return false;
      if (!unify(static_cast<std::size_t>(producer - rule_.pattern.begin()), static_cast<std::size_t>(from - program_.operations.begin()))) return false;
    }
    return true;
  }

  bool bind(const std::string& name, ValueId id) {
    const auto [known, is_new] = values_.try_emplace(name, id);
    return is_new || known->second == id;
  }

  std::int64_t readers(ValueId id) const {
    std::int64_t count = std::ranges::count(program_.outputs, id);
    for (const Operation& one : program_.operations) {
      count += std::ranges::count(one.operands, id);
      for (const Region& region : one.regions) count += std::ranges::count(region.captured, id);
    }
    return count;
  }

  const Program& program_;
  const Fusion& rule_;
  std::map<std::string, ValueId> values_{};
  std::vector<int> used_;
};

/// The fused operation stands where the last one stood.
void replace(Program& program, const Fusion& rule, const Match& match) {
  Operation whole;
  whole.op = rule.fused.op;
  whole.where = rule.place;
  for (const std::string& name : rule.fused.operands) {
    const auto value = match.values().find(name);
    whole.operands.push_back(value == match.values().end() ? -1 : value->second);
  }
  while (!whole.operands.empty() && whole.operands.back() < 0) whole.operands.pop_back();
  whole.results = {match.values().at(rule.fused.result)};
  for (std::size_t step = 0; step < rule.pattern.size(); ++step)
    if (rule.pattern[step].result == rule.attributes) whole.attributes = program.operations[static_cast<std::size_t>(match.operations()[step])].attributes;
  std::set<int> gone(match.operations().begin(), match.operations().end());
  const int last = *gone.rbegin();
  program.operations[static_cast<std::size_t>(last)] = std::move(whole);
  gone.erase(last);
  for (auto place = gone.rbegin(); place != gone.rend(); ++place) program.operations.erase(program.operations.begin() + *place);
}

}  // namespace

std::string Fusion::ops_text() const {
  std::vector<std::string> ops;
  for (const FusionStep& step : pattern)
    if (std::ranges::find(ops, step.op) == ops.end()) ops.push_back(step.op);
  std::string text;
  for (std::size_t i = 0; i < ops.size(); ++i) text += (i == 0 ? "" : i + 1 == ops.size() ? " and " : ", ") + ops[i];
  return text;
}

Result<std::vector<Fusion>> read_fusions(const std::string& directory) {
  std::vector<Fusion> rules;
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(directory) / "fusions", error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    TIEBREAK_TRY(text, read_text_file(file.string()));
    TIEBREAK_TRY(root, parse_json(text, "spec/fusions/" + file.filename().string()));
    TIEBREAK_CHECK(check_object(root, {"system", "sources", "fusions"}));
    TIEBREAK_TRY(system, text_at(root, "system"));
    TIEBREAK_TRY(list, array_at(root, "fusions"));
    for (const JsonValue& item : list->items) {
      TIEBREAK_TRY(rule, fusion_of(item, system));
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

FusedProgram fused(Program program, const std::vector<Fusion>& rules, const std::function<bool(const Fusion&)>& follows) {
  FusedProgram made{std::move(program), {}};
  for (std::size_t at = made.program.operations.size(); at-- > 0;) {
    for (const Fusion& rule : rules) {
      if (follows && !follows(rule)) continue;
      Match match(made.program, rule);
      if (!match.at(at)) continue;
      replace(made.program, rule, match);
      if (std::ranges::find(made.used, &rule) == made.used.end()) made.used.push_back(&rule);
      at = std::min(at, made.program.operations.size());  // operations before this one are gone
      break;
    }
  }
  return made;
}

}  // namespace tiebreak
