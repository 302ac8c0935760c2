// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/bits_text.hpp"

#include "interpreter/json/json_writer.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak::command {
namespace {

/// Where not all channels are shown: the one that needs the most bits, and of those the first.
std::size_t widest(const std::vector<AccumulatorSpan>& channels) {
  std::size_t found = 0;
  for (std::size_t i = 1; i < channels.size(); ++i)
    if (channels[i].running.signed_bits() > channels[found].running.signed_bits()) found = i;
  return found;
}

void add_span(TextTable& table, const std::string& name, const AccumulatorSpan& span) {
  if (span.total.is_empty()) return;
  auto row = [&](const std::string& what, const IntegerInterval& interval) {
    table.add({what, std::to_string(interval.low), std::to_string(interval.high), std::to_string(interval.signed_bits())});
  };
  row(name, span.total);
  if (!span.running.is_empty() && !(span.running == span.total)) row("  on the way", span.running);
}

void add_channels(TextTable& table, const std::vector<AccumulatorSpan>& channels, bool all) {
  if (channels.size() < 2) return;
  if (!all) return add_span(table, "  channel " + std::to_string(widest(channels)), channels[widest(channels)]);
  for (std::size_t i = 0; i < channels.size(); ++i) add_span(table, "  channel " + std::to_string(i), channels[i]);
}

std::string of(std::int64_t part, std::int64_t whole) { return std::to_string(part) + " of " + std::to_string(whole); }

std::string narrow_text(const AccumulatorReport& report) {
  TextTable table({"accumulator", "may overflow", "overflows", "sums changed", "results changed"}, {false, true, true, true, true});
  std::string firsts;
  for (const NarrowOutcome& outcome : report.narrow) {
    std::vector<std::string> cells{to_text(outcome.narrow), of(outcome.at_risk, report.outputs)};
    if (report.observed)
      for (std::int64_t count : {outcome.left, outcome.sums_changed, outcome.results_changed}) cells.push_back(of(count, report.outputs));
    table.add(cells);
    if (!outcome.first) continue;
    const NarrowOutcome::First& first = *outcome.first;
    firsts += "  " + to_text(outcome.narrow) + ": first at " + index_text(report.shape, first.index) + " after " +
              counted(static_cast<std::size_t>(first.left_at), "term") + ": sum " + std::to_string(first.narrow) + " instead of " +
              std::to_string(first.exact) + ", result " + first.narrow_result + " instead of " + first.exact_result + "\n";
  }
  return table.empty() ? "" : table.text("  ") + firsts;
}

void write_interval(JsonWriter& json, const char* name, const IntegerInterval& interval) {
  json.key(name);
  if (interval.is_empty()) {
    json.null();
    return;
  }
  json.begin_object().member("least", interval.low).member("greatest", interval.high).member("bits", interval.signed_bits()).end_object();
}

void write_span(JsonWriter& json, const AccumulatorSpan& span) {
  json.begin_object();
  write_interval(json, "sum", span.total);
  write_interval(json, "on_the_way", span.running);
  json.end_object();
}

void write_spans(JsonWriter& json, const char* name, const AccumulatorSpan& all, const std::vector<AccumulatorSpan>& channels) {
  json.key(name).begin_object().key("all");
  write_span(json, all);
  json.key("channels").begin_array();
  for (const AccumulatorSpan& channel : channels) write_span(json, channel);
  json.end_array().end_object();
}

void write_outcome(JsonWriter& json, const NarrowOutcome& outcome, const Shape& shape, bool observed) {
  json.begin_object().member("accumulator", to_text(outcome.narrow)).member("may_overflow", outcome.at_risk);
  if (observed) json.member("overflows", outcome.left).member("sums_changed", outcome.sums_changed).member("results_changed", outcome.results_changed);
  if (outcome.first) {
    const NarrowOutcome::First& first = *outcome.first;
    json.key("first").begin_object().member("index", index_text(shape, first.index)).member("after_terms", first.left_at).member("exact_sum", first.exact);
    json.member("narrow_sum", first.narrow).member("exact_result", first.exact_result).member("narrow_result", first.narrow_result).end_object();
  }
  json.end_object();
}

}  // namespace

std::string bits_text(const BitsSubject& subject, const AccumulatorReport& report, bool channels) {
  std::string text = subject.id + "  " + report.formula + "  (" + report.place + ", profile " + subject.profile + ")\n";
  text += counted(static_cast<std::size_t>(report.outputs), "sum") + " of up to " + counted(static_cast<std::size_t>(report.terms), "term");
  for (const OperandRange& range : subject.ranges)
    text += ", " + range.operand + " " + std::to_string(range.codes.low) + " .. " + std::to_string(range.codes.high);
  text += report.leaves_out_rounding ? ", in units of the scales, without the page's float roundings\n" : "\n";
  TextTable table({"", "least", "greatest", "bits"}, {false, true, true, true});
  add_span(table, subject.ranges.empty() ? "these operands" : "any input", report.worst);
  add_channels(table, report.worst_by_channel, channels);
  if (report.observed) {
    add_span(table, "these inputs", *report.observed);
    add_channels(table, report.observed_by_channel, channels);
  }
  return text + table.text("  ") + narrow_text(report);
}

std::string bits_json(const BitsSubject& subject, const AccumulatorReport& report) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.bits/1").member("id", subject.id).member("op", report.op).member("profile", subject.profile);
  json.member("formula", report.formula).member("place", report.place).member("without_rounding", report.leaves_out_rounding);
  json.member("sums", report.outputs).member("terms", report.terms).key("ranges").begin_array();
  for (const OperandRange& range : subject.ranges)
    json.begin_object().member("operand", range.operand).member("least", range.codes.low).member("greatest", range.codes.high).end_object();
  json.end_array();
  write_spans(json, "any_input", report.worst, report.worst_by_channel);
  if (report.observed) write_spans(json, "these_inputs", *report.observed, report.observed_by_channel);
  json.key("accumulators").begin_array();
  for (const NarrowOutcome& outcome : report.narrow) write_outcome(json, outcome, report.shape, report.observed.has_value());
  json.end_array().end_object();
  return json.text();
}

}  // namespace tiebreak::command
