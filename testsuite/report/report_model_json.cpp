// SPDX-License-Identifier: Apache-2.0
// The `models` part of tiebreak.report/1, written and read back.
#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/report/report_model.hpp"

namespace tiebreak {
namespace {

void write_drift(JsonWriter& json, const char* key, const Drift& drift) {
  if (!drift.known) return;
  json.key(key).begin_object().member("compared", drift.compared).member("different", drift.different);
  if (!drift.worst.empty()) json.member("worst", drift.worst);
  if (drift.right > 0) json.member("right", drift.right);
  json.end_object();
}

void write_value(JsonWriter& json, const ModelValue& value) {
  json.begin_object().member("name", value.name).member("element", value.element).member("shape", value.shape).member("unit", value.unit);
  write_drift(json, "local", value.local);
  write_drift(json, "accumulated", value.accumulated);
  write_drift(json, "cut", value.cut);
  json.end_object();
}

Result<Drift> drift_at(const JsonValue& object, const char* key) {
  Drift drift;
  const JsonValue* json = object.find(key);
  if (json == nullptr) return drift;
  TIEBREAK_TRY(compared, member(*json, "compared"));
  TIEBREAK_TRY(different, member(*json, "different"));
  TIEBREAK_TRY(all, integer_of(*compared));
  TIEBREAK_TRY(some, integer_of(*different));
  if (some < 0 || some > all) return fail(Errc::corrupt, "damaged report: more elements differ than were compared", json->where);
  std::int64_t right = 0;
  if (const JsonValue* stated = json->find("right")) {
    TIEBREAK_TRY(number, integer_of(*stated));
    right = number;
  }
  if (right < 0 || right > some) return fail(Errc::corrupt, "damaged report: more elements are right than differ", json->where);
  return Drift{true, all, some, text_or_empty(*json, "worst"), right};
}

Result<ModelValue> read_model_value(const JsonValue& json) {
  TIEBREAK_TRY(name, text_at(json, "name"));
  TIEBREAK_TRY(local, drift_at(json, "local"));
  TIEBREAK_TRY(accumulated, drift_at(json, "accumulated"));
  TIEBREAK_TRY(cut, drift_at(json, "cut"));
  return ModelValue{name, text_or_empty(json, "element"), text_or_empty(json, "shape"), text_or_empty(json, "unit"), local, accumulated, cut};
}

Status read_values(const JsonValue& json, const char* key, std::vector<ModelValue>& values) {
  TIEBREAK_TRY(list, array_at(json, key));
  for (const JsonValue& item : list->items) {
    TIEBREAK_TRY(value, read_model_value(item));
    values.push_back(std::move(value));
  }
  return {};
}

}  // namespace

void write_model(JsonWriter& json, const ModelReport& model) {
  json.begin_object().member("name", model.name).member("source", model.source);
  if (!model.digest.empty()) json.member("digest", model.digest);
  json.member("run", model.run).key("inputs").begin_array();
  for (const ModelInput& input : model.inputs) {
    json.begin_object().member("name", input.name).member("type", input.type).member("origin", input.origin);
    if (!input.digest.empty()) json.member("digest", input.digest);
    json.end_object();
  }
  json.end_array().key("layers").begin_array();
  for (const ModelLayer& layer : model.layers) {
    json.begin_object().member("id", layer.id).member("name", layer.name).member("op", layer.op);
    if (!layer.state.empty()) json.member("state", layer.state);
    json.key("values").begin_array();
    for (const ModelValue& value : layer.values) write_value(json, value);
    json.end_array().end_object();
  }
  json.end_array().key("outputs").begin_array();
  for (const ModelValue& output : model.outputs) write_value(json, output);
  json.end_array();
  for (const auto& [key, text] : {std::pair{"first_local", &model.first_local}, std::pair{"first_cut", &model.first_cut}, std::pair{"changed", &model.changed},
                                  std::pair{"stopped", &model.stopped}})
    if (!text->empty()) json.member(key, *text);
  json.member("notes", model.notes).end_object();
}

Result<ModelReport> model_of(const JsonValue& json) {
  ModelReport model;
  TIEBREAK_TRY(name, text_at(json, "name"));
  model.name = name;
  model.source = text_or_empty(json, "source");
  model.digest = text_or_empty(json, "digest");
  model.run = text_or_empty(json, "run");
  model.first_local = text_or_empty(json, "first_local");
  model.first_cut = text_or_empty(json, "first_cut");
  model.changed = text_or_empty(json, "changed");
  model.stopped = text_or_empty(json, "stopped");
  TIEBREAK_TRY(inputs, array_at(json, "inputs"));
  for (const JsonValue& item : inputs->items)
    model.inputs.push_back({text_or_empty(item, "name"), text_or_empty(item, "type"), text_or_empty(item, "origin"), text_or_empty(item, "digest")});
  TIEBREAK_TRY(layers, array_at(json, "layers"));
  for (const JsonValue& item : layers->items) {
    TIEBREAK_TRY(id, text_at(item, "id"));
    model.layers.push_back({id, text_or_empty(item, "name"), text_or_empty(item, "op"), text_or_empty(item, "state"), {}});
    TIEBREAK_CHECK(read_values(item, "values", model.layers.back().values));
  }
  TIEBREAK_CHECK(read_values(json, "outputs", model.outputs));
  if (const JsonValue* notes = json.find("notes"))
    for (const JsonValue& note : notes->items) model.notes.push_back(note.text);
  return model;
}

}  // namespace tiebreak
