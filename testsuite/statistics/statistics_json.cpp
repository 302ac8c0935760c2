// SPDX-License-Identifier: Apache-2.0
// tiebreak.statistics/1. Numbers are texts: ratios with four digits, errors with six significant ones, the exact value at the greatest error.
#include "interpreter/json/json_writer.hpp"
#include "testsuite/statistics/number_text.hpp"
#include "testsuite/statistics/statistics.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

void write_codes(JsonWriter& json, const CodeStatistics& codes) {
  json.key("codes").begin_object().member("from", codes.from).member("low", codes.low.to_string()).member("high", codes.high.to_string());
  json.member("elements", codes.elements).member("at_low", codes.at_low).member("at_high", codes.at_high);
  json.member("tie_known", codes.tie_known).member("tied", codes.tied).member("near_tie", codes.near_tie);
  json.member("used", static_cast<std::int64_t>(codes.used.size())).member("unused", codes.range() - static_cast<std::int64_t>(codes.used.size())).end_object();
}

void write_node(JsonWriter& json, const NodeStatistics& node) {
  json.begin_object().member("value", node.node).member("op", node.op).member("form", static_cast<std::int64_t>(node.form));
  json.member("from", node.from)
      .member("type", node.type)
      .member("elements", node.elements)
      .member("different", node.different)
      .member("skipped", node.skipped);
  if (node.elements > 0) {
    json.member("sqnr_db", node.sqnr()).member("signal", node.signal.value().to_decimal(17)).member("noise", node.noise().to_decimal(17));
    json.member("mean_error", (node.error_sum() / Real(node.elements)).to_decimal(17));
    json.key("greatest_error")
        .begin_object()
        .member("error", node.greatest_error().to_decimal(17))
        .member("batch", static_cast<std::int64_t>(node.place.batch));
    json.member("element", node.place.element).member("reference", value_text(Real::from_double(node.reference_there)));
    json.member("form", value_text(Real::from_double(node.form_there))).end_object();
  }
  if (node.codes) write_codes(json, *node.codes);
  if (node.rows > 0) json.key("arg_max").begin_object().member("rows", node.rows).member("changed", node.arg_max_changed).end_object();
  json.end_object();
}

void write_growth(JsonWriter& json, const GrowthLine& line) {
  json.begin_object().member("form", static_cast<std::int64_t>(line.form)).member("value", line.node).member("output", line.output).member("unit", line.unit);
  json.member("elements", line.elements)
      .member("moved", line.moved)
      .member("all_changed", line.all_changed)
      .member("all_greatest", line.all_greatest.to_decimal(17));
  json.member("tried", line.tried).member("one_changed", line.one_changed).member("one_greatest", line.one_greatest.to_decimal(17)).end_object();
}

}  // namespace

std::string statistics_json(const StatisticsReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.statistics/1").member("reference", report.reference).member("reference_profile", report.reference_profile);
  json.key("forms").begin_array();
  for (const auto& [name, profile] : report.forms) json.begin_object().member("name", name).member("profile", profile).end_object();
  json.end_array().member("batches", report.batches).key("values").begin_array();
  for (const NodeStatistics& node : report.nodes) write_node(json, node);
  json.end_array();
  if (!report.growth.empty()) {
    json.key("growth").begin_array();
    for (const GrowthLine& line : report.growth) write_growth(json, line);
    json.end_array();
  }
  json.member("notes", report.notes).end_object();
  return json.text();
}

}  // namespace tiebreak
