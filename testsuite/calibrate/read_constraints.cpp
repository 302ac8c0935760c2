// SPDX-License-Identifier: Apache-2.0
// Constraints as JSON.
#include <algorithm>
#include <filesystem>

#include "interpreter/json/json_value.hpp"
#include "testsuite/calibrate/constraints.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

/// One of two words; `fallback` where the key is absent.
Result<bool> is_second_word(const JsonValue& object, const std::string& key, const std::string& first, const std::string& second) {
  const JsonValue* value = object.find(key);
  if (value == nullptr) return false;
  TIEBREAK_TRY(word, string_of(*value));
  if (word != first && word != second) return fail(Errc::corrupt, "'" + word + "' is neither " + first + " nor " + second, value->where);
  return word == second;
}

Result<Operators> operators_at(const JsonValue& object, const std::string& key) {
  TIEBREAK_TRY(list, array_at(object, key));
  Operators operators;
  for (const JsonValue& item : list->items) {
    TIEBREAK_TRY(op, string_of(item));
    operators.push_back(std::move(op));
  }
  return operators;
}

Result<AlikeRule> alike_of(const JsonValue& json) {
  TIEBREAK_CHECK(check_object(json, {"operators", "body", "takes"}));
  AlikeRule rule{.body = text_or_empty(json, "body")};
  TIEBREAK_TRY(operators, operators_at(json, "operators"));
  rule.operators = std::move(operators);
  TIEBREAK_TRY(takes_result, is_second_word(json, "takes", "operand", "result"));
  rule.takes_result = takes_result;
  return rule;
}

Result<FixedRule> fixed_of(const JsonValue& json) {
  TIEBREAK_CHECK(check_object(json, {"operators", "function"}));
  TIEBREAK_TRY(operators, operators_at(json, "operators"));
  TIEBREAK_TRY(function, text_at(json, "function"));
  return FixedRule{std::move(operators), std::move(function)};
}

Result<BiasRule> bias_of(const JsonValue& json) {
  TIEBREAK_CHECK(check_object(json, {"operators", "operand", "added_to", "scale", "limit"}));
  BiasRule rule;
  TIEBREAK_TRY(operators, operators_at(json, "operators"));
  rule.operators = std::move(operators);
  if (const JsonValue* operand = json.find("operand")) {
    TIEBREAK_TRY(place, integer_of(*operand));
    if (place < 0) return fail(Errc::corrupt, "an operand has a number from 0 up", operand->where);
    rule.operand = static_cast<std::size_t>(place);
  } else {
    TIEBREAK_TRY(added_to, operators_at(json, "added_to"));
    rule.added_to = std::move(added_to);
  }
  TIEBREAK_TRY(of_result, is_second_word(json, "scale", "product", "result"));
  rule.of_result = of_result;
  if (const JsonValue* limit = json.find("limit")) {
    TIEBREAK_TRY(number, integer_of(*limit));
    if (number < 1) return fail(Errc::corrupt, "a limit is at least 1", limit->where);
    rule.limit = number;
  }
  return rule;
}

template <typename Rule>
Status read_rules(const JsonValue& root, const std::string& key, Result<Rule> (*read)(const JsonValue&), std::vector<Rule>& rules) {
  if (root.find(key) == nullptr) return {};
  TIEBREAK_TRY(list, array_at(root, key));
  for (const JsonValue& item : list->items) {
    TIEBREAK_TRY(rule, read(item));
    rules.push_back(std::move(rule));
  }
  return {};
}

Result<Constraints> constraints_of(const JsonValue& root) {
  TIEBREAK_CHECK(check_object(root, {"system", "sources", "solved", "parameters", "alike", "fixed", "biases"}));
  Constraints found;
  TIEBREAK_TRY(system, text_at(root, "system"));
  found.system = std::move(system);
  TIEBREAK_CHECK(member(root, "solved"));
  TIEBREAK_TRY(together, is_second_word(root, "solved", "in_order", "together"));
  found.together = together;
  TIEBREAK_TRY(bisection, is_second_word(root, "parameters", "profile", "bisection"));
  found.bisection = bisection;
  if (bisection && !together) return fail(Errc::corrupt, "bisection solves classes: \"solved\" is \"together\"", root.where);
  TIEBREAK_CHECK(read_rules(root, "alike", alike_of, found.alike));
  TIEBREAK_CHECK(read_rules(root, "fixed", fixed_of, found.fixed));
  TIEBREAK_CHECK(read_rules(root, "biases", bias_of, found.biases));
  return found;
}

}  // namespace

Result<Constraints> read_constraints(const std::vector<std::string>& directories, const std::string& word) {
  std::string path = word;
  if (word.find('/') == std::string::npos && !word.ends_with(".json")) {
    std::vector<std::string> known;
    std::error_code error;
    path.clear();
    for (const std::string& directory : directories)
      for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(directory) / "constraints", error)) {
        if (entry.path().extension() != ".json") continue;
        known.push_back(entry.path().stem().string());
        if (known.back() == word) path = entry.path().string();
      }
    std::ranges::sort(known);
    const std::string near = nearest(word, known);
    if (path.empty())
      return fail(Errc::unknown_name, "no constraints '" + word + "'", "--constraints",
                  near.empty() ? "a file of spec/constraints, or the path of another one" : "did you mean '" + near + "'?");
  }
  TIEBREAK_TRY(root, read_json_file(path));
  return constraints_of(root);
}

}  // namespace tiebreak
