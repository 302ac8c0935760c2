// SPDX-License-Identifier: Apache-2.0
// Reports made by hand, with the worst names a file or a backend can have.
#pragma once
#include <string>

#include "testsuite/report/report.hpp"

namespace tiebreak::hand_made {

inline const std::string hostile = "</code></td><script>alert(\"1\")</script>'|`\\*_~@[x](y)&amp;\x01\xff\xe2\x80\xae$";

inline CaseReport test_case(const std::string& id, CaseStatus status, const std::string& op = "onnx.QuantizeLinear") {
  CaseReport report;
  report.id = id;
  report.op = op;
  report.types = "f32 -> i8";
  report.source = "cases/a.json";
  report.status = status;
  report.reason = status == CaseStatus::conform ? "" : "because";
  report.reproduce = "tiebreak check cases/a.json -k " + id;
  return report;
}

/// Elements of an i8 vector of `size` that are wrong by `difference`, `kept` of them with their values.
inline Comparison wrong_elements(std::int64_t size, const std::vector<std::int64_t>& wrong, std::size_t kept = 20, int difference = 1) {
  Comparison comparison;
  comparison.compared = size;
  comparison.different = static_cast<std::int64_t>(wrong.size());
  comparison.conforms = wrong.empty();
  comparison.shape = {size};
  comparison.unit = "LSB";
  comparison.element = "i8";
  comparison.digest = "0123456789abcdef";
  comparison.places = places_of(comparison.shape);
  for (std::int64_t index : wrong) {
    ++comparison.histogram[histogram_bucket(difference)];
    note_place(comparison.places, index);
    if (!comparison.worst_index) comparison.worst_index = index;
    comparison.worst = difference;
    if (comparison.first.size() < kept)
      comparison.first.push_back(
          {index, "1", std::to_string(1 + difference), "0x01", "0x0" + std::to_string(1 + difference), "1.5", "0", static_cast<double>(difference), false});
  }
  return comparison;
}

inline CaseReport failing_case(const std::string& id, const std::vector<std::int64_t>& wrong, std::size_t kept = 20, int difference = 1) {
  CaseReport test = test_case(id, CaseStatus::fail);
  test.outputs.emplace_back("y", wrong_elements(100, wrong, kept, difference));
  test.reason = "y: " + std::to_string(wrong.size()) + " of 100 differ";
  test.inputs_of_first.assign(test.outputs[0].second.first.size(), "x=0.5 y_scale=1");
  test.explain = "tiebreak explain " + id + ":y:0";
  Diagnosis diagnosis;
  diagnosis.explains = true;
  diagnosis.name = "onnx but tie=away";
  diagnosis.members = {"onnx but tie=away"};
  diagnosis.explained = diagnosis.of = 100;
  diagnosis.clauses = {{"tie", "even", "away", "spec/onnx/QuantizeLinear.md:37"}};
  diagnosis.observed = diagnosis.predicted = wrong.size();
  test.diagnosis = diagnosis;
  return test;
}

inline CheckReport report_of(std::vector<CaseReport> cases) {
  CheckReport report;
  report.context = {{"backend", "demo"},   {"backend_version", "1.2"},        {"profile", "onnx"},        {"policy", "exact"},
                    {"tool_version", "0"}, {"spec_hash", "0123456789abcdef"}, {"duration_seconds", "1.5"}};
  report.cases = std::move(cases);
  return report;
}

/// Every text of a report that comes from outside is hostile.
inline CheckReport hostile_report() {
  CaseReport failing = failing_case(hostile, {0, 99});
  failing.op = failing.types = failing.source = failing.description = failing.reason = failing.reproduce = failing.explain = hostile;
  failing.notes = {hostile};
  failing.inputs_of_first = {hostile, hostile};
  failing.outputs[0].first = failing.outputs[0].second.unit = failing.outputs[0].second.element = hostile;
  for (Mismatch& mismatch : failing.outputs[0].second.first)
    mismatch.actual = mismatch.expected = mismatch.actual_bits = mismatch.before = mismatch.distance = hostile;
  failing.diagnosis->clauses[0] = {hostile, hostile, hostile, hostile};
  failing.diagnosis->name = failing.diagnosis->domain = failing.diagnosis->cut = hostile;
  std::vector<CaseReport> cases{failing};
  for (CaseStatus status : every_status) {
    cases.push_back(test_case(hostile + to_word(status), status, hostile));
    cases.back().reason = cases.back().types = hostile;
  }
  CheckReport report = report_of(std::move(cases));
  for (auto& [key, value] : report.context) value = hostile;
  report.context[hostile] = hostile;
  return report;
}

}  // namespace tiebreak::hand_made
