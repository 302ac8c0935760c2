// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/judge.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "testsuite/backends/answer.hpp"
#include "testsuite/candidates/legal_outputs.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/deciding_operands.hpp"
#include "testsuite/compare/differing_elements.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

const ExchangeTensor* find_output(const BackendAnswer& answer, const std::string& name, std::size_t position, std::size_t count) {
  for (const ExchangeTensor& output : answer.outputs) {
    if (bare_name(output.name) == name) return &output;
  }
  // Backends that do not keep names still keep the order.
  return answer.outputs.size() == count && position < count ? &answer.outputs[position] : nullptr;
}

/// An adapter in another language may leave the element type out: then the bytes are read as what was asked for, if they can be.
Tensor typed_output(const ExchangeTensor& output, const TensorType& expected) {
  if (!output.inferred || output.tensor.shape() != expected.shape || output.tensor.element().storage_bytes() != expected.element.storage_bytes()) {
    return output.tensor;
  }
  std::vector<std::byte> bytes(output.tensor.bytes().begin(), output.tensor.bytes().end());
  Result<Tensor> read = Tensor::from_bytes(expected, std::move(bytes), output.name);
  return read ? *std::move(read) : output.tensor;
}

std::string failure_reason(const std::string& name, const Comparison& comparison) {
  if (!comparison.reason.empty()) return name + ": " + comparison.reason;
  return name + ": " + std::to_string(comparison.different - comparison.excused) + " of " + std::to_string(comparison.compared) + " differ";
}

/// Elements whose exact values are needed: those that are shown. A policy may weigh all of them by theirs.
std::shared_ptr<const std::set<std::int64_t>> to_explain(const Comparison& comparison, const Policy& policy) {
  if (policy.kind != Policy::Kind::exact) return nullptr;
  std::set<std::int64_t> elements;
  for (const Mismatch& mismatch : comparison.first) elements.insert(mismatch.index);
  return std::make_shared<const std::set<std::int64_t>>(std::move(elements));
}

/// The expectation again with its exact values: worth the time only where something differs.
std::optional<ResultTensor> with_exact_values(const Library& library, const Case& test, const Expectation& expectation, const CheckOptions& options,
                                              std::size_t output, std::shared_ptr<const std::set<std::int64_t>> explained) {
  if (expectation.with_exact_values) return expectation.with_exact_values(output, std::move(explained));
  auto profile = profile_of(library, options);
  if (!profile) return std::nullopt;
  EvaluateOptions evaluate_options = options.evaluate;
  evaluate_options.explain_values = true;
  evaluate_options.explained = std::move(explained);
  auto outputs = evaluate({library, **profile}, test.program, test.inputs, evaluate_options);
  if (!outputs || output >= outputs->size()) return std::nullopt;
  return std::move((*outputs)[output]);
}

/// What is right besides the expected values, found out when it is first asked for: where nothing differs nobody needs it.
class OpenResults {
 public:
  OpenResults(const Library& library, const Case& test, const Expectation& expectation, const std::vector<std::optional<Tensor>>& answered,
              const CheckOptions& options)
      : library_(library), test_(test), expectation_(expectation), options_(options) {
    for (std::size_t i = 0; i < answered.size(); ++i) {
      const Tensor& expected = expectation.outputs[i].tensor;
      const bool fits = answered[i] && answered[i]->shape() == expected.shape() && answered[i]->element() == expected.element();
      answers_.push_back(fits ? &*answered[i] : nullptr);
    }
  }

  std::optional<Latitude> latitude(std::size_t output) {
    if (answers_[output] == nullptr) return std::nullopt;
    if (!known_) find();
    if (!legal_[output]) return std::nullopt;
    return Latitude{[standings = Standings(legal_, answers_, output)](std::int64_t i) { return standings.at(i); },
                    [this, output](std::int64_t i) { return legal_[output]->text(i, expectation_.outputs[output]); }};
  }

  std::string why(std::size_t output) const { return legal_[output]->why; }

 private:
  void find() {
    known_ = true;
    legal_.resize(answers_.size());
    auto profile = profile_of(library_, options_);
    if (!profile) return;
    if (auto legal = legal_outputs({library_, **profile}, test_)) legal_ = *std::move(legal);
  }

  const Library& library_;
  const Case& test_;
  const Expectation& expectation_;
  const CheckOptions& options_;
  std::vector<const Tensor*> answers_{};
  std::vector<std::optional<LegalOutput>> legal_{};
  bool known_ = false;
};

/// With what else is right, where there is any of it, and where something differs with exact values.
Comparison compare_with_care(const Library& library, const Case& test, const Expectation& expectation, const Tensor& answered, const CheckOptions& options,
                             std::size_t output, const std::optional<Latitude>& latitude) {
  const ResultTensor& expected = expectation.outputs[output];
  const auto against = [&](const ResultTensor& result) { return compare(result, answered, options.policy, options.show, latitude ? &*latitude : nullptr); };
  Comparison comparison = against(expected);
  if (comparison.different == 0 || !expected.before.empty()) return comparison;
  const auto explained = with_exact_values(library, test, expectation, options, output, to_explain(comparison, options.policy));
  if (!explained) return comparison;
  if (options.policy.kind != Policy::Kind::exact) return against(*explained);  // it weighs differences by them
  state_exact_values(*explained, comparison);
  return comparison;
}

/// `result: 2 of 8 are other results that the profile leaves open: [0] 127 is one of {77, 127}`.
std::string right_note(const std::string& name, const Comparison& comparison) {
  std::string note = name + ": " + std::to_string(comparison.right) + " of " + std::to_string(comparison.compared) +
                     " are other results than the one computed, and right too: the profile leaves them open";
  for (const Mismatch& mismatch : comparison.first)
    if (mismatch.excused && !mismatch.right.empty())
      return note + "; " + index_text(comparison.shape, mismatch.index) + " " + mismatch.actual + " is one of " + mismatch.right;
  return note;
}

/// A case in which no element has a value to compare says nothing about the backend but that its shapes and types are right.
void note_nothing_compared(const std::string& profile, CaseReport& report) {
  std::int64_t undefined = 0;
  for (const auto& [name, comparison] : report.outputs) {
    if (comparison.compared > 0) return;
    undefined += comparison.undefined;
  }
  report.status = CaseStatus::nothing_compared;
  report.reason = undefined > 0 ? "profile " + profile + " leaves every element undefined" : "the results have no elements";
}

/// The backend says that it defines nothing here. A system says so of a call as a whole: one element that the profile leaves undefined agrees with that.
void judge_undefined(const Expectation& expectation, const BackendAnswer& answer, const std::string& profile, CaseReport& report) {
  std::int64_t undefined = 0, elements = 0;
  for (const ResultTensor& output : expectation.outputs) {
    elements += output.tensor.size();
    undefined += std::ranges::count_if(output.undefined, [](std::uint8_t flag) { return flag != 0; });
  }
  const std::string said = "the backend says that its result is undefined" + (answer.reason.empty() ? std::string() : " (" + answer.reason + ")");
  report.status = undefined > 0 ? CaseStatus::nothing_compared : CaseStatus::fail;
  report.reason = said + "; profile " + profile + " leaves " +
                  (undefined > 0 ? std::to_string(undefined) + " of " + std::to_string(elements) + " elements undefined" : "no element undefined");
}

/// Every kept mismatch has its inputs; of very many the first have what decides them, too.
std::vector<std::string> inputs_of(const Library& library, const Case& test, std::size_t output, const Comparison& comparison, const CheckOptions& options) {
  constexpr std::size_t most_decided = 64;
  std::vector<std::string> texts;
  const auto profile = profile_of(library, options);
  if (!profile || comparison.first.empty()) return texts;
  const DecidingOperands operands({library, **profile}, test, output);
  for (const Mismatch& mismatch : comparison.first)
    texts.push_back(texts.size() < most_decided ? operands.at(comparison.shape, mismatch.index) : inputs_at(library, test, comparison.shape, mismatch.index));
  return texts;
}

/// Only where every output could be compared: a wrong shape has no arithmetic behind it.
bool has_arithmetic(const CaseReport& report, std::size_t answers, std::size_t expected) {
  return report.status == CaseStatus::fail && answers == expected &&
         std::ranges::all_of(report.outputs, [](const auto& output) { return output.second.compared + output.second.undefined > 0; });
}

}  // namespace

CaseStatus status_without_outputs(BackendAnswer::Kind kind) {
  switch (kind) {
    case BackendAnswer::Kind::unsupported: return CaseStatus::unsupported;
    case BackendAnswer::Kind::not_recorded: return CaseStatus::not_recorded;
    default: return CaseStatus::inconclusive;
  }
}

void note_not_declared(const std::string& profile, const std::string& op, bool only_values, CaseReport& report) {
  const bool differs = report.status == CaseStatus::fail && only_values;
  if (report.status != CaseStatus::conform && !differs) return;
  report.reason =
      "profile " + profile + " says nothing of " + op + (differs ? "; the answer is not the page's own reading" : "; the answer is the page's own reading");
  report.status = CaseStatus::not_declared;
}

std::vector<Tensor> judge(const Library& library, const Case& test, const Expectation& expectation, const BackendAnswer& answer, const CheckOptions& options,
                          CaseReport& report) {
  report.reason = answer.reason;
  if (answer.kind != BackendAnswer::Kind::answered) {
    report.status = status_without_outputs(answer.kind);
    if (report.reason.empty()) report.reason = report.status == CaseStatus::unsupported ? "not supported by the backend" : "no answer";
    return {};
  }
  if (says_undefined(answer)) {
    judge_undefined(expectation, answer, options.profile, report);
    return {};
  }
  report.status = CaseStatus::conform;
  report.reason.clear();
  std::size_t count = expectation.outputs.size();
  std::int64_t unknown = 0, wrong = answer.outputs.size() == count ? 0 : 1;
  auto failed = [&](const std::string& reason) {
    if (report.status == CaseStatus::conform) report.reason = reason;
    report.status = CaseStatus::fail;
  };
  if (answer.outputs.size() != count) {
    failed("the backend answered " + std::to_string(answer.outputs.size()) + " outputs, expected " + std::to_string(count));
  }
  const auto name_of = [&](std::size_t i) { return output_name(test, i); };
  std::vector<Tensor> answers;
  std::vector<std::optional<Tensor>> answered(count);
  for (std::size_t i = 0; i < count; ++i)
    if (const ExchangeTensor* actual = find_output(answer, name_of(i), i, count)) answered[i] = typed_output(*actual, expectation.outputs[i].tensor.type());
  OpenResults open(library, test, expectation, answered, options);
  for (std::size_t i = 0; i < count; ++i) {
    const ResultTensor& expected = expectation.outputs[i];
    const std::string name = name_of(i);
    if (!answered[i]) {
      failed("output " + name + " is missing");
      ++wrong;
      continue;
    }
    const auto latitude = any_different(expected, *answered[i]) ? open.latitude(i) : std::nullopt;
    Comparison comparison = compare_with_care(library, test, expectation, *answered[i], options, i, latitude);
    if (comparison.different > 0) {
      if (comparison.right > 0) report.notes.push_back(right_note(name, comparison));
      if (comparison.open > 0) report.notes.push_back(name + ": " + open.why(i));
      unknown += comparison.open;
      wrong += comparison.different - comparison.excused - comparison.open + (comparison.reason.empty() ? 0 : 1);
    }
    comparison.digest = digest_of(*answered[i]);
    bool first_failure = !comparison.conforms && report.inputs_of_first.empty();
    if (!comparison.conforms) failed(failure_reason(name, comparison));
    if (first_failure) {
      report.inputs_of_first = inputs_of(library, test, i, comparison, options);
      if (!comparison.first.empty()) report.explain = explain_command(test, name, comparison.first[0].index, options.profile);
    }
    report.outputs.emplace_back(name, std::move(comparison));
    answers.push_back(*std::move(answered[i]));
  }
  if (report.status == CaseStatus::fail && unknown > 0 && wrong == 0) {
    report.status = CaseStatus::inconclusive;
    report.reason = "another result than the one computed, and which others are right is not known";
  }
  if (report.status == CaseStatus::conform) note_nothing_compared(options.profile, report);
  if (!has_arithmetic(report, answers.size(), count)) return {};
  if (auto profile = profile_of(library, options); profile && options.diagnose)
    report.diagnosis = diagnose({library, **profile}, test, expectation.outputs, answers, options.declared);
  return answers;
}

}  // namespace tiebreak
