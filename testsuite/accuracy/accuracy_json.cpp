// SPDX-License-Identifier: Apache-2.0
// tiebreak.accuracy/1. Numbers that need not be whole are texts.
#include "interpreter/json/json_writer.hpp"
#include "testsuite/accuracy/accuracy.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr int digits = 17;

std::int64_t number(std::size_t count) { return static_cast<std::int64_t>(count); }

void write_farthest(JsonWriter& json, const AccuracyReport& report, const OutputDifference::Farthest& place) {
  json.key("greatest").begin_object().member("difference", decimal_text(place.difference, digits)).member("input", number(place.input));
  json.member("name", report.names.at(place.input)).member("element", place.element).member("first", place.first).member("other", place.other).end_object();
}

void write_arg_max(JsonWriter& json, const AccuracyReport& report, const OutputDifference& output) {
  json.key("arg_max").begin_object().member("rows", output.rows).member("changed", output.arg_max_changed).member("at_a_tie", output.arg_max_tied);
  json.key("inputs").begin_array();
  for (const std::size_t input : output.arg_max_inputs) json.begin_object().member("input", number(input)).member("name", report.names.at(input)).end_object();
  json.end_array().end_object();
}

void write_output(JsonWriter& json, const AccuracyReport& report, const ColumnDifference& difference, const OutputDifference& output) {
  json.begin_object().member("output", output.output).member("element", output.element).member("shape", to_text(output.shape)).member("unit", output.unit);
  json.member("sentence", accuracy_sentence(report, difference, output));
  json.member("inputs", output.inputs).member("inputs_different", output.inputs_different);
  json.member("elements", output.elements).member("different", output.different).member("undefined", output.undefined).member("no_number", output.no_number);
  json.key("histogram").begin_object();
  for (const auto& [bucket, count] : histogram_order(output.histogram)) json.member(bucket, count);
  json.end_object();
  if (output.farthest) write_farthest(json, report, *output.farthest);
  if (!output.sqnr().empty())
    json.member("sqnr_db", output.sqnr()).member("signal", output.signal.to_decimal(digits)).member("noise", output.noise.to_decimal(digits));
  if (output.rows > 0) write_arg_max(json, report, output);
  json.end_object();
}

}  // namespace

std::string accuracy_json(const AccuracyReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.accuracy/1").member("model", report.model).member("data", report.data);
  json.member("inputs", number(report.total)).member("done", number(report.done)).member("incomplete", report.is_incomplete());
  if (report.axis) json.member("axis", *report.axis);
  json.key("columns").begin_array();
  for (const AccuracyColumn& column : report.columns) {
    json.begin_object().member("name", column.name).member("kind", column.backend == nullptr ? "profile" : "backend");
    if (!column.version.empty()) json.member("version", column.version);
    json.end_object();
  }
  json.end_array().key("differences").begin_array();
  for (const ColumnDifference& difference : report.differences) {
    json.begin_object().member("column", number(difference.column)).member("unanswered", number(difference.unanswered));
    if (difference.unanswered > 0) json.member("reason", difference.reason);
    json.key("outputs").begin_array();
    for (const OutputDifference& output : difference.outputs) write_output(json, report, difference, output);
    json.end_array().end_object();
  }
  json.end_array();
  if (!report.hits.empty()) {
    json.key("top_1").begin_array();
    for (const LabelHits& hits : report.hits)
      json.begin_object()
          .member("column", number(hits.column))
          .member("output", hits.output)
          .member("inputs", hits.inputs)
          .member("right", hits.right)
          .end_object();
    json.end_array();
  }
  json.member("notes", report.notes).end_object();
  return json.text();
}

}  // namespace tiebreak
