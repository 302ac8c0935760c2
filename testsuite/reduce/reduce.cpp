// SPDX-License-Identifier: Apache-2.0
#include "testsuite/reduce/reduce.hpp"

#include <algorithm>

#include "testsuite/reduce/reduce_steps.hpp"

namespace tiebreak {
namespace {

std::string class_of_bucket(const std::string& bucket) {
  if (bucket == "1" || bucket == "-1") return "one step";
  bool number = !bucket.empty() && bucket.find_first_not_of("<>=-0123456789") == std::string::npos;
  return number ? "several steps" : bucket;
}

/// What its source says of the case is not true of smaller ones.
Case bare(Case test) {
  test.literals.clear();
  test.stated.clear();
  test.checks.clear();
  test.golden.reset();
  test.golden_profile.clear();
  return test;
}

}  // namespace

bool FailureKind::is_within(const FailureKind& whole) const {
  return is_failure() && status == whole.status && !classes.empty() && std::ranges::includes(whole.classes, classes);
}

std::string FailureKind::text() const {
  std::string text;
  for (const std::string& one : classes) text += (text.empty() ? "" : ", ") + one;
  return std::string(to_word(status)) + (text.empty() ? "" : ": " + text);
}

FailureKind kind_of(const CaseReport& report) {
  FailureKind kind{report.status, {}};
  if (report.status == CaseStatus::inconclusive) kind.classes.insert(report.reason.substr(0, report.reason.find(':')));
  if (report.status != CaseStatus::fail) return kind;
  for (const auto& [name, comparison] : report.outputs) {
    if (comparison.conforms) continue;
    if (comparison.compared == 0) kind.classes.insert(comparison.reason);
    for (const auto& [bucket, count] : comparison.histogram)
      if (count > 0) kind.classes.insert(class_of_bucket(bucket));
  }
  if (kind.classes.empty()) kind.classes.insert(report.reason);
  return kind;
}

Result<Reduced> reduce(const Library& library, const Case& test, Backend& backend, const ReduceOptions& options) {
  TIEBREAK_TRY(profile, library.find_profile(options.check.profile));
  ReductionQuestions questions(library, *profile, backend, options);
  Reduced result;
  result.test = bare(test);
  result.elements_before = input_elements(test);
  TIEBREAK_TRY(first, questions.ask(result.test));
  result.kind = kind_of(first.report);
  if (result.kind.is_failure()) {
    result.steps += cut_program(library, *profile, questions, result.kind, result.test);
    for (std::size_t before = result.steps + 1; before != result.steps && !questions.is_over();) {
      before = result.steps;
      result.steps += cut_axes(questions, result.kind, result.test);
      result.steps += drop_parameters(questions, result.kind, result.test);
      result.steps += simplify_values(questions, result.kind, result.test);
    }
  }
  result.limit_reached = questions.asked() >= options.limit;
  TIEBREAK_TRY(last, questions.ask(result.test));
  result.report = std::move(last.report);
  result.expected = std::move(last.expectation.outputs);
  result.actual = std::move(last.outputs);
  result.questions = questions.asked();
  result.elements_after = input_elements(result.test);
  return result;
}

}  // namespace tiebreak
