// SPDX-License-Identifier: Apache-2.0
// {"protocol": 1, "name": ..., "version": ..., "profile": ..., "ops": [...], "details": {...}}
#include "testsuite/backends/description.hpp"

#include <algorithm>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"

namespace tiebreak {
namespace {

using Kind = JsonValue::Kind;
constexpr std::int64_t protocol_version = 1;
const std::vector<std::string> keys{"protocol", "name", "version", "profile", "ops", "details"};

Status check_keys(const JsonValue& json) {
  for (std::size_t i = 0; i < json.keys.size(); ++i) {
    const std::string& key = json.keys[i];
    if (std::ranges::find(keys, key) != keys.end()) continue;
    const std::string near = nearest(key, keys);
    return fail(Errc::backend, "unknown key '" + key + "'", json.items[i].where,
                near.empty() ? "further facts go into 'details'" : "did you mean '" + near + "'?");
  }
  return {};
}

Result<std::string> text(const JsonValue& value) {
  if (!value.is(Kind::string)) return fail(Errc::backend, "not a text", value.where);
  return value.text;
}

Result<std::string> wanted_text(const JsonValue& json, const std::string& key, const std::string& where) {
  const JsonValue* value = json.find(key);
  if (value == nullptr) return fail(Errc::backend, "key '" + key + "' is missing", where);
  return text(*value);
}

Status check_protocol(const JsonValue& json, const std::string& where) {
  const JsonValue* value = json.find("protocol");
  if (value == nullptr) return fail(Errc::backend, "key 'protocol' is missing", where);
  const Result<std::int64_t> number = integer_of(*value);
  if (number && *number == protocol_version) return {};
  return fail(Errc::backend, "protocol " + (value->is(Kind::number) ? value->text : json_quoted(value->text)) + " is not 1", value->where);
}

}  // namespace

Result<BackendDescription> read_description(const JsonValue& json, const std::string& where) {
  if (!json.is(Kind::object)) return fail(Errc::backend, "the description is not a JSON object", where);
  TIEBREAK_CHECK(check_keys(json));
  TIEBREAK_CHECK(check_protocol(json, where));
  BackendDescription description;
  TIEBREAK_TRY(name, wanted_text(json, "name", where));
  TIEBREAK_TRY(version, wanted_text(json, "version", where));
  description.name = std::move(name);
  description.version = std::move(version);
  if (const JsonValue* profile = json.find("profile")) {
    TIEBREAK_TRY(declared, text(*profile));
    description.profile = std::move(declared);
  }
  const JsonValue* ops = json.find("ops");
  const auto is_text = [](const JsonValue& value) { return value.is(Kind::string); };
  if (ops == nullptr || !ops->is(Kind::array) || !std::ranges::all_of(ops->items, is_text))
    return fail(Errc::backend, "'ops' is not a list of op names", json_place(json, "ops"));
  for (const JsonValue& op : ops->items) description.ops.push_back(op.text);
  if (const JsonValue* details = json.find("details")) {
    if (!details->is(Kind::object)) return fail(Errc::backend, "'details' is not an object of texts", details->where);
    for (std::size_t i = 0; i < details->keys.size(); ++i) {
      TIEBREAK_TRY(value, text(details->items[i]));
      description.details.emplace(details->keys[i], std::move(value));
    }
  }
  return description;
}

Result<BackendDescription> parse_description(std::string_view json_text, const std::string& where) {
  const Result<JsonValue> json = parse_json(std::string(json_text), where);
  if (!json) return fail(Errc::backend, "the description is not JSON that can be read: " + json.error().what, json.error().where);
  return read_description(*json, where);
}

void write_description(const BackendDescription& description, JsonWriter& json) {
  json.begin_object();
  json.member("protocol", protocol_version).member("name", description.name).member("version", description.version).member("profile", description.profile);
  json.member("ops", description.ops).member("details", description.details);
  json.end_object();
}

std::string description_text(const BackendDescription& description) {
  JsonWriter json;
  write_description(description, json);
  return json.text();
}

}  // namespace tiebreak
