// SPDX-License-Identifier: Apache-2.0
// Reads tiebreak.report/1 back. Keys it does not know are passed over: newer tools add some. What it knows must be there, be of its type
// and agree with the rest, so that a cut or hand-edited file is not taken for a verdict.
#include <charconv>
#include <set>

#include "interpreter/json/json_value.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/report/report_model.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

using Counts = std::initializer_list<std::pair<const char*, std::int64_t*>>;

constexpr const char* written_by = "a report is what 'tiebreak check --json=FILE' writes";

template <class... Words>
tl::unexpected<Error> damaged(const JsonValue& at, const Words&... words) {
  return fail(Errc::corrupt, "damaged report: " + (std::string(words) + ...), at.where, written_by);
}

/// Counts and indices are never negative.
Result<std::int64_t> count_at(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(value, member(object, key));
  TIEBREAK_TRY(number, integer_of(*value));
  if (number < 0) return damaged(*value, key, " is negative");
  return number;
}

Result<bool> truth_at(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(value, member(object, key));
  if (!value->is(JsonValue::Kind::boolean)) return damaged(*value, key, " is neither true nor false");
  return value->truth;
}

bool truth_or_false(const JsonValue& object, const char* key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->truth;
}

Result<std::vector<std::string>> texts_in(const JsonValue& list) {
  TIEBREAK_CHECK(check_array(list));
  std::vector<std::string> texts;
  for (const JsonValue& item : list.items) {
    TIEBREAK_TRY(text, string_of(item));
    texts.push_back(text);
  }
  return texts;
}

Result<std::vector<std::string>> texts_at(const JsonValue& object, const char* key) {
  const JsonValue* list = object.find(key);
  return list == nullptr ? Result<std::vector<std::string>>(std::vector<std::string>{}) : texts_in(*list);
}

Status read_texts_into(const JsonValue& object, const char* otherwise, std::map<std::string, std::string>& texts) {
  if (!object.is(JsonValue::Kind::object)) return damaged(object, otherwise);
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    TIEBREAK_TRY(value, string_of(object.items[i]));
    texts[object.keys[i]] = value;
  }
  return {};
}

/// A difference as it is written: a decimal, inf, -inf or nan.
Result<double> difference_at(const JsonValue& object) {
  TIEBREAK_TRY(text, text_at(object, "difference"));
  double number = 0;
  auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || stop != text.data() + text.size()) return damaged(object, "'", text, "' is no difference");
  return number;
}

/// Whole numbers with one of these characters between: `[2, 3]`, `0 4 1`.
Result<std::vector<std::int64_t>> numbers_in(const JsonValue& at, std::string_view text, std::string_view between) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t number = 0;
    auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || number < 0) return damaged(at, "'", at.text, "' is no list of counts");
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (text.empty()) break;
    if (!text.starts_with(between)) return damaged(at, "'", at.text, "' is no list of counts");
    text.remove_prefix(between.size());
  }
  return numbers;
}

/// `[2, 3]`
Result<std::vector<std::int64_t>> whole_list_of(const JsonValue& value) {
  TIEBREAK_TRY(text, string_of(value));
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return damaged(value, "'", text, "' is no list of counts");
  return numbers_in(value, std::string_view(text).substr(1, text.size() - 2), ", ");
}

Result<Places> read_places(const JsonValue& json) {
  Places places;
  for (auto [key, extent] : Counts{{"outer", &places.outer}, {"inner", &places.inner}, {"rows", &places.rows}, {"columns", &places.columns}}) {
    TIEBREAK_TRY(number, count_at(json, key));
    *extent = number;
  }
  if (places.rows > most_place_rows || places.columns > most_place_columns || places.rows > places.outer || places.columns > places.inner)
    return damaged(json, "the grid of places is too large");
  TIEBREAK_TRY(rows, array_at(json, "different"));
  for (const JsonValue& row : rows->items) {
    TIEBREAK_TRY(counts, numbers_in(row, row.text, " "));
    places.counts.insert(places.counts.end(), counts.begin(), counts.end());
  }
  if (places.counts.size() != static_cast<std::size_t>(places.rows * places.columns)) return damaged(*rows, "the grid of places has holes");
  return places;
}

Result<Mismatch> read_mismatch(const JsonValue& json, std::vector<std::string>& inputs) {
  Mismatch mismatch;
  TIEBREAK_TRY(index, count_at(json, "flat_index"));
  TIEBREAK_TRY(difference, difference_at(json));
  mismatch.index = index;
  mismatch.difference = difference;
  for (auto [key, text] : std::initializer_list<std::pair<const char*, std::string*>>{{"expected", &mismatch.expected},
                                                                                      {"actual", &mismatch.actual},
                                                                                      {"expected_bits", &mismatch.expected_bits},
                                                                                      {"actual_bits", &mismatch.actual_bits}}) {
    TIEBREAK_TRY(value, text_at(json, key));
    *text = value;
  }
  mismatch.before = text_or_empty(json, "exact");
  mismatch.distance = text_or_empty(json, "to_boundary");
  mismatch.excused = truth_or_false(json, "excused");
  mismatch.right = text_or_empty(json, "right");
  inputs.push_back(text_or_empty(json, "inputs"));
  return mismatch;
}

Status read_histogram(const JsonValue& json, Comparison& comparison) {
  TIEBREAK_TRY(histogram, member(json, "histogram"));
  if (!histogram->is(JsonValue::Kind::object)) return damaged(*histogram, "the histogram is no object");
  std::int64_t sum = 0;
  for (const std::string& bucket : histogram->keys) {
    TIEBREAK_TRY(count, count_at(*histogram, bucket.c_str()));
    comparison.histogram[bucket] = count;
    if (histogram_order({{bucket, count}}).empty()) return damaged(*histogram, "'", bucket, "' is no bucket of a histogram");
    if (__builtin_add_overflow(sum, count, &sum)) return damaged(*histogram, "the histogram does not add up to 'different'");
  }
  if (sum != comparison.different) return damaged(*histogram, "the histogram does not add up to 'different'");
  return {};
}

/// Earlier reports have the index as text only: [1, 2].
Result<std::int64_t> read_worst_index(const JsonValue& worst, const Shape& shape) {
  if (worst.find("flat_index") != nullptr) return count_at(worst, "flat_index");
  TIEBREAK_TRY(value, member(worst, "index"));
  TIEBREAK_TRY(place, whole_list_of(*value));
  if (place.size() != shape.size()) return damaged(*value, "an index of another rank than the shape");
  std::int64_t index = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const bool outside = place[i] < 0 || place[i] >= shape[i];
    if (outside || __builtin_mul_overflow(index, shape[i], &index) || __builtin_add_overflow(index, place[i], &index))
      return damaged(*value, "an index outside of the shape");
  }
  return index;
}

Result<Comparison> read_comparison(const JsonValue& json, std::vector<std::string>& inputs) {
  Comparison comparison;
  TIEBREAK_TRY(conforms, truth_at(json, "conforms"));
  TIEBREAK_TRY(shape_value, member(json, "shape"));
  TIEBREAK_TRY(shape, whole_list_of(*shape_value));
  TIEBREAK_TRY(unit, text_at(json, "unit"));
  comparison.conforms = conforms;
  comparison.shape = shape;
  comparison.unit = unit;
  comparison.reason = text_or_empty(json, "reason");
  comparison.element = text_or_empty(json, "element");
  comparison.digest = text_or_empty(json, "digest");
  for (auto [key, number] : Counts{
           {"compared", &comparison.compared}, {"different", &comparison.different}, {"excused", &comparison.excused}, {"undefined", &comparison.undefined}}) {
    TIEBREAK_TRY(count, count_at(json, key));
    *number = count;
  }
  for (auto [key, number] : Counts{{"right", &comparison.right}, {"open", &comparison.open}}) {
    if (json.find(key) == nullptr) continue;
    TIEBREAK_TRY(count, count_at(json, key));
    *number = count;
  }
  if (comparison.different > comparison.compared || comparison.excused > comparison.different) return damaged(json, "more elements differ than were compared");
  TIEBREAK_CHECK(read_histogram(json, comparison));
  if (const JsonValue* places = json.find("places")) {
    TIEBREAK_TRY(grid, read_places(*places));
    comparison.places = grid;
  }
  TIEBREAK_TRY(first, array_at(json, "first"));
  for (const JsonValue& item : first->items) {
    TIEBREAK_TRY(mismatch, read_mismatch(item, inputs));
    comparison.first.push_back(mismatch);
  }
  if (static_cast<std::int64_t>(comparison.first.size()) > comparison.different) return damaged(*first, "more mismatches are listed than counted");
  if (const JsonValue* worst = json.find("worst")) {
    TIEBREAK_TRY(difference, difference_at(*worst));
    TIEBREAK_TRY(index, read_worst_index(*worst, comparison.shape));
    comparison.worst = difference;
    comparison.worst_index = index;
  }
  return comparison;
}

Result<std::vector<DiagnosedClause>> read_clauses(const JsonValue& json) {
  std::vector<DiagnosedClause> found;
  TIEBREAK_TRY(clauses, array_at(json, "clauses"));
  for (const JsonValue& item : clauses->items)
    found.push_back({text_or_empty(item, "choice"), text_or_empty(item, "expected"), text_or_empty(item, "found"), text_or_empty(item, "place"),
                     text_or_empty(item, "words")});
  return found;
}

Result<Diagnosis> read_diagnosis(const JsonValue& json) {
  Diagnosis diagnosis;
  TIEBREAK_TRY(explains, truth_at(json, "explains"));
  TIEBREAK_TRY(members, texts_at(json, "members"));
  diagnosis.explains = explains;
  diagnosis.members = members;
  diagnosis.name = text_or_empty(json, "name");
  diagnosis.domain = text_or_empty(json, "domain");
  diagnosis.cut = text_or_empty(json, "cut");
  for (auto [key, number] : std::initializer_list<std::pair<const char*, std::size_t*>>{
           {"explained", &diagnosis.explained}, {"of", &diagnosis.of}, {"observed", &diagnosis.observed}, {"predicted", &diagnosis.predicted}}) {
    TIEBREAK_TRY(count, count_at(json, key));
    *number = static_cast<std::size_t>(count);
  }
  TIEBREAK_TRY(clauses, read_clauses(json));
  diagnosis.clauses = clauses;
  return diagnosis;
}

Result<CauseReading> read_reading(const JsonValue& json) {
  CauseReading reading;
  TIEBREAK_TRY(name, text_at(json, "name"));
  TIEBREAK_TRY(members, texts_at(json, "members"));
  TIEBREAK_TRY(against, count_at(json, "against"));
  TIEBREAK_TRY(clauses, read_clauses(json));
  reading.name = name;
  reading.members = members;
  reading.clauses = clauses;
  reading.against = static_cast<std::size_t>(against);
  return reading;
}

Result<CommonCause> read_cause(const JsonValue& json) {
  CommonCause cause;
  TIEBREAK_TRY(op, text_at(json, "op"));
  TIEBREAK_TRY(cases, texts_at(json, "cases"));
  TIEBREAK_TRY(agreeing, count_at(json, "agreeing"));
  TIEBREAK_TRY(readings, array_at(json, "readings"));
  cause.op = op;
  cause.cases = cases;
  cause.agreeing = static_cast<std::size_t>(agreeing);
  for (const JsonValue& item : readings->items) {
    TIEBREAK_TRY(reading, read_reading(item));
    cause.readings.push_back(reading);
  }
  if (cause.readings.empty()) return damaged(json, "a cause without a reading");
  return cause;
}

/// Earlier reports have none.
Status read_causes(const JsonValue& root, CheckReport& report) {
  const JsonValue* causes = root.find("causes");
  if (causes == nullptr) return {};
  TIEBREAK_CHECK(check_array(*causes));
  for (const JsonValue& item : causes->items) {
    TIEBREAK_TRY(cause, read_cause(item));
    report.causes.push_back(cause);
  }
  return {};
}

Result<CaseStatus> read_status(const JsonValue& json) {
  TIEBREAK_TRY(word, text_at(json, "status"));
  for (CaseStatus status : every_status) {
    if (word == to_word(status)) return status;
  }
  return damaged(json, "'", word, "' is no status");
}

Result<CaseReport> read_case_report(const JsonValue& json) {
  CaseReport test;
  TIEBREAK_TRY(id, text_at(json, "id"));
  TIEBREAK_TRY(op, text_at(json, "op"));
  TIEBREAK_TRY(status, read_status(json));
  TIEBREAK_TRY(reproduce, text_at(json, "reproduce"));
  TIEBREAK_TRY(notes, texts_at(json, "notes"));
  test.id = id;
  test.op = op;
  test.status = status;
  test.reproduce = reproduce;
  test.notes = notes;
  test.source = text_or_empty(json, "source");
  test.asked = text_or_empty(json, "asked");
  test.types = text_or_empty(json, "types");
  test.description = text_or_empty(json, "description");
  test.reason = text_or_empty(json, "reason");
  test.explain = text_or_empty(json, "explain");
  TIEBREAK_TRY(outputs, array_at(json, "outputs"));
  for (const JsonValue& item : outputs->items) {
    std::vector<std::string> inputs;
    TIEBREAK_TRY(name, text_at(item, "name"));
    TIEBREAK_TRY(comparison, read_comparison(item, inputs));
    if (!comparison.conforms && test.inputs_of_first.empty()) test.inputs_of_first = inputs;
    test.outputs.emplace_back(name, comparison);
  }
  if (const JsonValue* cause = json.find("cause")) {
    TIEBREAK_TRY(diagnosis, read_diagnosis(*cause));
    test.diagnosis = diagnosis;
  }
  return test;
}

/// Of a report of a part: a place for each case, no two at the same one.
Result<PlacesOfPart> read_part(const JsonValue& json, std::size_t cases) {
  PlacesOfPart part;
  TIEBREAK_TRY(selected, count_at(json, "selected"));
  TIEBREAK_TRY(digest, text_at(json, "digest"));
  TIEBREAK_TRY(places, array_at(json, "places"));
  part.selected = static_cast<std::size_t>(selected);
  part.digest = digest;
  std::set<std::int64_t> taken;
  for (const JsonValue& item : places->items) {
    TIEBREAK_TRY(place, integer_of(item));
    if (place < 0 || place >= selected || !taken.insert(place).second) return damaged(item, "no place of a case among ", std::to_string(selected));
    part.places.push_back(static_cast<std::size_t>(place));
  }
  if (part.places.size() != cases) return damaged(*places, "there are ", std::to_string(part.places.size()), " places of ", std::to_string(cases), " cases");
  return part;
}

Status check_counts(const JsonValue& root, const CheckReport& report) {
  TIEBREAK_TRY(counts, member(root, "counts"));
  std::map<CaseStatus, std::size_t> present = report.counts();
  for (CaseStatus status : every_status) {
    // A status that the report's writer did not know yet has no count.
    TIEBREAK_TRY(stated, counts->find(to_word(status)) == nullptr ? Result<std::int64_t>(0) : count_at(*counts, to_word(status)));
    if (static_cast<std::size_t>(stated) != present[status])
      return damaged(*counts, std::to_string(stated), " cases are counted as ", to_word(status), ", ", std::to_string(present[status]), " are there");
  }
  return {};
}

}  // namespace

Result<CheckReport> parse_report(const std::string& text, const std::string& file) {
  TIEBREAK_TRY(root, parse_json(text, file));
  const std::string schema = text_or_empty(root, "schema");
  if (schema != "tiebreak.report/1")
    return fail(Errc::corrupt, schema.empty() ? "not a report of tiebreak" : "a report of schema '" + schema + "', tiebreak.report/1 is read", file,
                written_by);
  CheckReport report;
  TIEBREAK_TRY(context, member(root, "context"));
  TIEBREAK_CHECK(read_texts_into(*context, "the context is no object", report.context));
  if (const JsonValue* hashes = root.find("op_hashes")) TIEBREAK_CHECK(read_texts_into(*hashes, "op_hashes are no object", report.op_hashes.emplace()));
  TIEBREAK_TRY(incomplete, truth_at(root, "incomplete"));
  report.incomplete = incomplete;
  report.allow_unsupported = truth_or_false(root, "allow_unsupported");
  TIEBREAK_TRY(cases, array_at(root, "cases"));
  for (const JsonValue& item : cases->items) {
    TIEBREAK_TRY(test, read_case_report(item));
    report.cases.push_back(test);
  }
  if (const JsonValue* models = root.find("models")) {
    TIEBREAK_CHECK(check_array(*models));
    for (const JsonValue& item : models->items) {
      TIEBREAK_TRY(model, model_of(item));
      report.models.push_back(std::move(model));
    }
  }
  if (const JsonValue* part = root.find("part")) {
    TIEBREAK_TRY(places, read_part(*part, report.cases.size()));
    report.part = std::move(places);
  }
  TIEBREAK_CHECK(read_causes(root, report));
  TIEBREAK_CHECK(check_counts(root, report));
  return report;
}

Result<CheckReport> read_report(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  return parse_report(text, path);
}

}  // namespace tiebreak
