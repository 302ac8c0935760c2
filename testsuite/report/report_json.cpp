// SPDX-License-Identifier: Apache-2.0
// tiebreak.report/1. Exact values are strings; times and facts of the host stand in "context" only, so that the rest of two runs
// compares byte for byte.
#include "interpreter/json/json_writer.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/report/report_model.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

void write_mismatch(JsonWriter& json, const Comparison& comparison, const Mismatch& mismatch, const std::string& inputs) {
  json.begin_object();
  json.member("index", index_text(comparison.shape, mismatch.index)).member("flat_index", mismatch.index);
  if (!inputs.empty()) json.member("inputs", inputs);
  json.member("expected", mismatch.expected).member("actual", mismatch.actual);
  json.member("expected_bits", mismatch.expected_bits).member("actual_bits", mismatch.actual_bits);
  json.member("difference", decimal_text(mismatch.difference, 17));
  if (!mismatch.before.empty()) json.member("exact", mismatch.before);
  if (!mismatch.distance.empty()) json.member("to_boundary", mismatch.distance);
  if (mismatch.excused) json.member("excused", true);
  if (!mismatch.right.empty()) json.member("right", mismatch.right);
  json.end_object();
}

/// One text a row: counts with a space between.
void write_places(JsonWriter& json, const Places& places) {
  json.begin_object().member("outer", places.outer).member("inner", places.inner);
  json.member("rows", places.rows).member("columns", places.columns);
  std::vector<std::string> rows(static_cast<std::size_t>(places.rows));
  for (std::size_t i = 0; i < places.counts.size(); ++i) {
    std::string& row = rows[i / static_cast<std::size_t>(places.columns)];
    row += (row.empty() ? "" : " ") + std::to_string(places.counts[i]);
  }
  json.member("different", rows).end_object();
}

void write_output(JsonWriter& json, const std::string& name, const Comparison& comparison, const std::vector<std::string>& inputs) {
  json.begin_object().member("name", name).member("conforms", comparison.conforms);
  if (!comparison.reason.empty()) json.member("reason", comparison.reason);
  if (!comparison.element.empty()) json.member("element", comparison.element);
  if (!comparison.digest.empty()) json.member("digest", comparison.digest);
  json.member("shape", to_text(comparison.shape)).member("compared", comparison.compared).member("different", comparison.different);
  json.member("excused", comparison.excused).member("undefined", comparison.undefined).member("unit", comparison.unit);
  if (comparison.right > 0) json.member("right", comparison.right);
  if (comparison.open > 0) json.member("open", comparison.open);
  json.key("histogram").begin_object();
  for (const auto& [bucket, count] : histogram_order(comparison.histogram)) json.member(bucket, count);
  json.end_object();
  if (comparison.worst_index) {
    json.key("worst").begin_object().member("index", index_text(comparison.shape, *comparison.worst_index));
    json.member("flat_index", *comparison.worst_index).member("difference", decimal_text(comparison.worst, 17)).end_object();
  }
  if (comparison.different > 0 && !comparison.places.counts.empty()) write_places(json.key("places"), comparison.places);
  json.key("first").begin_array();
  for (std::size_t i = 0; i < comparison.first.size(); ++i) {
    write_mismatch(json, comparison, comparison.first[i], i < inputs.size() ? inputs[i] : "");
  }
  json.end_array().end_object();
}

void write_clauses(JsonWriter& json, const std::vector<DiagnosedClause>& clauses) {
  json.key("clauses").begin_array();
  for (const DiagnosedClause& clause : clauses) {
    json.begin_object().member("choice", clause.choice).member("expected", clause.expected).member("found", clause.found);
    json.member("place", clause.place);
    if (!clause.words.empty()) json.member("words", clause.words);
    json.end_object();
  }
  json.end_array();
}

void write_diagnosis(JsonWriter& json, const Diagnosis& diagnosis) {
  json.begin_object().member("explains", diagnosis.explains).member("name", diagnosis.name).member("members", diagnosis.members);
  json.member("explained", std::uint64_t{diagnosis.explained}).member("of", std::uint64_t{diagnosis.of});
  write_clauses(json, diagnosis.clauses);
  json.member("observed", std::uint64_t{diagnosis.observed}).member("predicted", std::uint64_t{diagnosis.predicted});
  if (!diagnosis.domain.empty()) json.member("domain", diagnosis.domain);
  if (!diagnosis.cut.empty()) json.member("cut", diagnosis.cut);
  json.end_object();
}

void write_cause(JsonWriter& json, const CommonCause& cause) {
  json.begin_object().member("op", cause.op).member("words", cause.words()).member("cases", cause.cases).member("agreeing", std::uint64_t{cause.agreeing});
  json.key("readings").begin_array();
  for (const CauseReading& reading : cause.readings) {
    json.begin_object().member("name", reading.name).member("members", reading.members).member("against", std::uint64_t{reading.against});
    write_clauses(json, reading.clauses);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_case(JsonWriter& json, const CaseReport& test) {
  json.begin_object().member("id", test.id).member("op", test.op).member("source", test.source);
  if (!test.asked.empty()) json.member("asked", test.asked);
  if (!test.types.empty()) json.member("types", test.types);
  if (!test.description.empty()) json.member("description", test.description);
  json.member("status", to_word(test.status));
  if (!test.reason.empty()) json.member("reason", test.reason);
  if (!test.notes.empty()) json.member("notes", test.notes);
  json.key("outputs").begin_array();
  bool first_failing = true;
  for (const auto& [name, comparison] : test.outputs) {
    // The inputs were taken down for the first output that does not conform.
    bool has_inputs = !comparison.conforms && first_failing;
    write_output(json, name, comparison, has_inputs ? test.inputs_of_first : std::vector<std::string>{});
    if (has_inputs) first_failing = false;
  }
  json.end_array().member("reproduce", test.reproduce);
  if (!test.explain.empty()) json.member("explain", test.explain);
  if (test.diagnosis) write_diagnosis(json.key("cause"), *test.diagnosis);
  json.end_object();
}

void write_part(JsonWriter& json, const PlacesOfPart& part) {
  json.begin_object().member("selected", std::uint64_t{part.selected}).member("digest", part.digest);
  json.key("places").begin_array();
  for (std::size_t place : part.places) json.value(std::uint64_t{place});
  json.end_array().end_object();
}

}  // namespace

std::string report_json(const CheckReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.report/1");
  json.member("context", report.context).member("incomplete", report.incomplete);
  if (report.op_hashes) json.member("op_hashes", *report.op_hashes);
  if (report.allow_unsupported) json.member("allow_unsupported", true);
  if (report.part) write_part(json.key("part"), *report.part);
  json.key("counts").begin_object();
  std::map<CaseStatus, std::size_t> counts = report.counts();
  for (CaseStatus status : every_status) json.member(to_word(status), std::uint64_t{counts[status]});
  json.end_object();
  if (!report.causes.empty()) {
    json.key("causes").begin_array();
    for (const CommonCause& cause : report.causes) write_cause(json, cause);
    json.end_array();
  }
  json.key("cases").begin_array();
  for (const CaseReport& test : report.cases) write_case(json, test);
  json.end_array();
  if (!report.models.empty()) {
    json.key("models").begin_array();
    for (const ModelReport& model : report.models) write_model(json, model);
    json.end_array();
  }
  json.end_object();
  return json.text();
}

}  // namespace tiebreak
