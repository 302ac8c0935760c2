// SPDX-License-Identifier: Apache-2.0
// tiebreak.parameters/1, read and written.
#include <map>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/parameters/parameters.hpp"

namespace tiebreak {
namespace {

constexpr const char* schema_of_parameters = "tiebreak.parameters/1";

Result<std::string> filled_text(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(text, text_at(object, key));
  if (text.empty()) return fail(Errc::syntax, std::string("'") + key + "' is empty", json_place(object, key));
  return std::string(text);
}

Result<Real> range_end(const JsonValue& item, const char* key) {
  const std::string where = json_place(item, key);
  TIEBREAK_TRY(text, text_at(item, key));
  const Result<Real> number = Real::parse(text);
  if (!number)
    return fail(Errc::syntax, "'" + text + "' is not a number: " + number.error().what, where, "an exact one in quotes: \"-1.5\", \"0x1.8p-3\", \"1/3\"");
  if (!number->is_finite()) return fail(Errc::constraint, "an end of a range is finite, got " + text, where);
  return *number;
}

Result<std::optional<Range>> range_of(const JsonValue& item) {
  const bool has_low = item.find("low") != nullptr, has_high = item.find("high") != nullptr;
  if (!has_low && !has_high) return std::optional<Range>();
  if (!has_low || !has_high)
    return fail(Errc::syntax, std::string("'") + (has_low ? "low" : "high") + "' stands without '" + (has_low ? "high" : "low") + "'", item.where);
  TIEBREAK_TRY(low, range_end(item, "low"));
  TIEBREAK_TRY(high, range_end(item, "high"));
  if (high < low) return fail(Errc::constraint, "low " + exact_text(low) + " is above high " + exact_text(high), json_place(item, "low"));
  return std::optional<Range>(Range{low, high});
}

Result<TensorParameters> tensor_of(const JsonValue& item) {
  TIEBREAK_CHECK(check_object(item, {"tensor", "type", "from", "low", "high"}));
  TIEBREAK_TRY(tensor, filled_text(item, "tensor"));
  TIEBREAK_TRY(word, filled_text(item, "type"));
  TIEBREAK_TRY(type, parse_quantized_type(word, json_place(item, "type")));
  TIEBREAK_TRY(from, filled_text(item, "from"));
  TIEBREAK_TRY(range, range_of(item));
  return TensorParameters{tensor, type, from, range};
}

}  // namespace

const TensorParameters* ParameterSet::find(const std::string& tensor) const {
  for (const TensorParameters& each : tensors)
    if (each.tensor == tensor) return &each;
  return nullptr;
}

Result<ParameterSet> parse_parameters(const std::string& text, const std::string& file) {
  TIEBREAK_TRY(root, parse_json(text, file));
  TIEBREAK_CHECK(check_object(root, {"schema", "model", "tensors"}));
  TIEBREAK_TRY(schema, text_at(root, "schema"));
  if (schema != schema_of_parameters)
    return fail(Errc::syntax, "'" + schema + "' is not the schema of parameters", json_place(root, "schema"), schema_of_parameters);
  ParameterSet set;
  TIEBREAK_TRY(model, text_at(root, "model"));
  set.model = model;
  TIEBREAK_TRY(tensors, array_at(root, "tensors"));
  std::map<std::string, std::string> places;
  for (const JsonValue& item : tensors->items) {
    TIEBREAK_TRY(made, tensor_of(item));
    const auto [earlier, is_first] = places.try_emplace(made.tensor, item.where);
    if (!is_first) return fail(Errc::syntax, "the tensor '" + made.tensor + "' stands twice", json_place(item, "tensor"), "first at " + earlier->second);
    set.tensors.push_back(std::move(made));
  }
  return set;
}

Result<ParameterSet> read_parameters(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  return parse_parameters(text, path);
}

std::string parameters_json(const ParameterSet& set) {
  JsonWriter json;
  json.begin_object().member("schema", schema_of_parameters).member("model", set.model).key("tensors").begin_array();
  for (const TensorParameters& each : set.tensors) {
    json.begin_object().member("tensor", each.tensor).member("type", to_text(each.type)).member("from", each.from);
    if (each.range) json.member("low", exact_text(each.range->low)).member("high", exact_text(each.range->high));
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace tiebreak
