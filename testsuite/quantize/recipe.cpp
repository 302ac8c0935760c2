// SPDX-License-Identifier: Apache-2.0
#include "testsuite/quantize/recipe.hpp"

#include <algorithm>
#include <array>

#include "interpreter/json/json_value.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/sources/selection.hpp"

namespace tiebreak {
namespace {

const std::vector<std::string> settings{"storage", "weights", "symmetric", "narrow", "weights_symmetric", "weights_narrow", "granularity",
                                        "block",   "dynamic", "bias",      "leave"};

bool fits(const std::string& glob, const std::string& word) { return glob.empty() || matches_glob(glob, word); }

bool names_operator(const RecipeEntry& entry, const std::string& op) { return fits(entry.operators, op) || fits(entry.operators, operator_name(op)); }

void take(const RecipeEntry& entry, NodeRecipe& recipe) {
  if (entry.storage) recipe.storage = entry.storage;
  recipe.weights = entry.weights.value_or(recipe.weights);
  recipe.symmetric = entry.symmetric.value_or(recipe.symmetric);
  recipe.narrow = entry.narrow.value_or(recipe.narrow);
  recipe.weights_symmetric = entry.weights_symmetric.value_or(recipe.weights_symmetric);
  recipe.weights_narrow = entry.weights_narrow.value_or(recipe.weights_narrow);
  recipe.granularity = entry.granularity.value_or(recipe.granularity);
  recipe.block = entry.block.value_or(recipe.block);
  recipe.dynamic = entry.dynamic.value_or(recipe.dynamic);
  recipe.bias_in_accumulator = entry.bias_in_accumulator.value_or(recipe.bias_in_accumulator);
  recipe.leave = entry.leave.value_or(recipe.leave);
}

/// One of a few words, or an error with the nearest one.
Result<std::string> word_at(const JsonValue& object, const std::string& key, const std::vector<std::string>& words) {
  TIEBREAK_TRY(word, string_of(*object.find(key)));
  if (std::ranges::find(words, word) != words.end()) return word;
  const std::string near = nearest(word, words);
  return fail(Errc::unknown_name, "'" + word + "' is no " + key, json_place(object, key), near.empty() ? "" : "did you mean " + near + "?");
}

Status read_storage(const JsonValue& object, const char* key, const std::vector<std::string>& words, std::optional<ElementType>& into) {
  if (object.find(key) == nullptr) return {};
  TIEBREAK_TRY(word, word_at(object, key, words));
  into = ElementType::parse(word);
  return {};
}

Status read_truth(const JsonValue& object, const char* key, std::optional<bool>& into) {
  const JsonValue* found = object.find(key);
  if (found == nullptr) return {};
  if (!found->is(JsonValue::Kind::boolean)) return fail(Errc::type, std::string("'") + key + "' is true or false", found->where);
  into = found->truth;
  return {};
}

Status read_granularity(const JsonValue& object, RecipeEntry& entry) {
  if (object.find("granularity") != nullptr) {
    TIEBREAK_TRY(word, word_at(object, "granularity", {"tensor", "axis", "block"}));
    entry.granularity = word == "tensor" ? WeightGranularity::tensor : word == "axis" ? WeightGranularity::axis : WeightGranularity::block;
  }
  if (const JsonValue* block = object.find("block")) {
    TIEBREAK_TRY(number, integer_of(*block));
    if (number < 1 || number > 65536) return fail(Errc::type, "a block has 1 to 65536 elements", block->where);
    entry.block = number;
  }
  return {};
}

Result<RecipeEntry> read_settings(const JsonValue& object) {
  RecipeEntry entry;
  entry.where = object.where;
  TIEBREAK_CHECK(read_storage(object, "storage", {"i4", "i8", "u8", "i16", "u16", "f16", "f32"}, entry.storage));
  TIEBREAK_CHECK(read_storage(object, "weights", {"i4", "i8", "u8", "i16"}, entry.weights));
  const std::array<std::pair<const char*, std::optional<bool>*>, 6> truths{{{"symmetric", &entry.symmetric},
                                                                            {"narrow", &entry.narrow},
                                                                            {"weights_symmetric", &entry.weights_symmetric},
                                                                            {"weights_narrow", &entry.weights_narrow},
                                                                            {"dynamic", &entry.dynamic},
                                                                            {"leave", &entry.leave}}};
  for (const auto& [key, into] : truths) TIEBREAK_CHECK(read_truth(object, key, *into));
  TIEBREAK_CHECK(read_granularity(object, entry));
  if (object.find("bias") != nullptr) {
    TIEBREAK_TRY(word, word_at(object, "bias", {"accumulator", "real"}));
    entry.bias_in_accumulator = word == "accumulator";
  }
  return entry;
}

Result<RecipeEntry> read_node(const JsonValue& object) {
  std::vector<std::string> keys = settings;
  keys.insert(keys.end(), {"operator", "value"});
  TIEBREAK_CHECK(check_object(object, keys));
  TIEBREAK_TRY(entry, read_settings(object));
  entry.operators = text_or_empty(object, "operator");
  entry.values = text_or_empty(object, "value");
  if (entry.operators.empty() && entry.values.empty())
    return fail(Errc::syntax, "an entry names its operators or its values", object.where, R"({"operator": "Conv", "granularity": "axis"})");
  return entry;
}

}  // namespace

std::string operator_name(const std::string& op) { return op.substr(op.rfind('.') + 1); }

NodeRecipe Recipe::of(const std::string& op, const std::string& value) const {
  NodeRecipe recipe;
  take(defaults, recipe);
  for (const RecipeEntry& entry : nodes)
    if (names_operator(entry, op) && fits(entry.values, value)) take(entry, recipe);
  return recipe;
}

NodeRecipe Recipe::of_input(const std::string& value) const {
  NodeRecipe recipe;
  take(defaults, recipe);
  for (const RecipeEntry& entry : nodes)
    if (entry.operators.empty() && fits(entry.values, value)) take(entry, recipe);
  return recipe;
}

Result<Recipe> parse_recipe(const std::string& text, const std::string& file) {
  TIEBREAK_TRY(json, parse_json(text, file));
  TIEBREAK_CHECK(check_object(json, {"schema", "defaults", "nodes"}));
  TIEBREAK_TRY(schema, text_at(json, "schema"));
  if (schema != "tiebreak.recipe/1") return fail(Errc::syntax, "'" + schema + "' is no recipe", json_place(json, "schema"), "tiebreak.recipe/1");
  Recipe recipe;
  if (const JsonValue* defaults = json.find("defaults")) {
    TIEBREAK_CHECK(check_object(*defaults, settings));
    TIEBREAK_TRY(read, read_settings(*defaults));
    recipe.defaults = std::move(read);
  }
  if (const JsonValue* nodes = json.find("nodes")) {
    TIEBREAK_CHECK(check_array(*nodes));
    for (const JsonValue& node : nodes->items) {
      TIEBREAK_TRY(entry, read_node(node));
      recipe.nodes.push_back(std::move(entry));
    }
  }
  return recipe;
}

Result<Recipe> read_recipe(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  return parse_recipe(text, path);
}

Status check_recipe(const Recipe& recipe, const Program& program) {
  for (const RecipeEntry& entry : recipe.nodes) {
    const auto answers = [&](const Operation& operation) {
      return names_operator(entry, operation.op) && !operation.results.empty() && fits(entry.values, bare_name(program, operation.results.front()));
    };
    const bool is_input =
        entry.operators.empty() && std::ranges::any_of(program.inputs, [&](ValueId id) { return fits(entry.values, bare_name(program, id)); });
    if (is_input || std::ranges::any_of(program.operations, answers)) continue;
    const std::string named = (entry.operators.empty() ? "" : "operator '" + entry.operators + "'") +
                              (entry.values.empty() ? "" : std::string(entry.operators.empty() ? "" : " and ") + "value '" + entry.values + "'");
    return fail(Errc::unknown_name, named + ": no node of " + program.file + " answers to it", entry.where);
  }
  return {};
}

}  // namespace tiebreak
