// SPDX-License-Identifier: Apache-2.0
// A program of the user's as a provider: one run for each tensor. It may crash, hang or answer garbage; each is one error that names it and the tensor.
#include <fmt/format.h>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/backends/child_process.hpp"
#include "testsuite/backends/temporary_folder.hpp"
#include "testsuite/calibrate/provider.hpp"
#include "testsuite/text/output_file.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t shown_bins = 2048;
constexpr const char* answer_hint = R"(its standard output is {"low": "-1.5", "high": "2"} or {"scale": "0.1", "zero_point": "3"})";

std::string number_text(double v) { return scale_text(Real::from_double(v)); }

Result<Real> answered_number(const JsonValue& object, const std::string& key, const std::string& where) {
  const JsonValue* value = object.find(key);
  if (value == nullptr) return fail(Errc::backend, "the answer has no '" + key + "'", where, answer_hint);
  const bool is_text = value->is(JsonValue::Kind::number) || value->is(JsonValue::Kind::string);
  Result<Real> number = is_text ? Real::parse(value->text) : fail(Errc::backend, "");
  if (!number || !number->is_finite())
    return fail(Errc::backend, "the answer's '" + key + "' is no finite number: " + printable(value->text.substr(0, 80)), where, answer_hint);
  return *number;
}

}  // namespace

std::string samples_json(const Samples& samples, const CodeFormat& format) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.samples/1").member("tensor", samples.tensor).member("element", samples.element.name());
  json.member("storage", format.storage.name()).member("narrow", format.narrow).member("size", samples.size());
  json.member("least", number_text(samples.least())).member("greatest", number_text(samples.greatest())).key("batches").begin_array();
  for (const auto& batch : samples.batches) {
    const Samples one{samples.tensor, samples.element, {batch}};
    json.begin_object().member("least", number_text(one.least())).member("greatest", number_text(one.greatest())).member("size", one.size()).end_object();
  }
  const Histogram histogram = histogram_between(samples, shown_bins, samples.least(), samples.greatest());
  json.end_array().key("histogram").begin_object().member("low", number_text(histogram.edges.front())).member("high", number_text(histogram.edges.back()));
  json.key("counts").begin_array();
  for (const std::int64_t count : histogram.counts) json.value(count);
  json.end_array().end_object().end_object();
  return json.text();
}

Result<Provided> read_answer(const std::string& text, const std::string& where) {
  Result<JsonValue> answer = parse_json(text, where);
  if (!answer || !answer->is(JsonValue::Kind::object))
    return fail(Errc::backend, "the answer is no JSON object: " + (text.empty() ? std::string("nothing") : printable(text.substr(0, 80))), where, answer_hint);
  if (answer->find("scale") == nullptr) {
    TIEBREAK_TRY(low, answered_number(*answer, "low", where));
    TIEBREAK_TRY(high, answered_number(*answer, "high", where));
    if (high < low) return fail(Errc::backend, "low " + low.to_decimal() + " is greater than high " + high.to_decimal(), where);
    return Provided{.range = {{low, high}}};
  }
  TIEBREAK_TRY(scale, answered_number(*answer, "scale", where));
  TIEBREAK_TRY(zero_point, answered_number(*answer, "zero_point", where));
  if (scale.sign() <= 0) return fail(Errc::backend, "the answer's scale is " + scale.to_decimal() + ", expected a number above zero", where);
  if (!zero_point.is_whole()) return fail(Errc::backend, "the answer's zero point is " + zero_point.to_decimal() + ", expected a whole number", where);
  return Provided{.parameters = {{scale, zero_point}}};
}

Result<Provided> ask_program(const std::string& path, const Samples& samples, const CodeFormat& format, const Stop& stop, double timeout_seconds) {
  const std::string where = "provider " + path + ": tensor " + samples.tensor;
  TIEBREAK_TRY(folder, TemporaryFolder::create());
  const std::string input = folder.path() + "/samples.json";
  TIEBREAK_CHECK(write_file(input, samples_json(samples, format)));
  const ChildOptions options{.timeout_seconds = timeout_seconds, .interrupted = [&] { return stop.is_requested(); }, .input_file = input};
  Result<ChildOutcome> outcome = run_child({path}, folder.path(), options);
  if (!outcome)
    return fail(Errc::backend, "the provider does not start: " + outcome.error().what.substr(outcome.error().what.rfind(": ") + 2), where,
                "chmod +x, and a first line that names its interpreter");
  TIEBREAK_CHECK(stop.check());
  if (!outcome->is_success()) {
    const std::string last = printable(outcome->error_tail);
    const bool hung = outcome->kind == ChildOutcome::Kind::timed_out;
    return fail(Errc::backend, (hung ? "the provider gave " : "the provider ") + to_text(*outcome, timeout_seconds) + (last.empty() ? "" : ": " + last), where);
  }
  return read_answer(outcome->standard_output, where);
}

}  // namespace tiebreak
