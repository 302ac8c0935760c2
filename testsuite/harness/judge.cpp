// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/judge.hpp"

#include <algorithm>
#include <optional>

namespace tiebreak {
namespace {

std::string plain(const std::string& name) { return name.starts_with("%") ? name.substr(1) : name; }

const ExchangeTensor* find_output(const BackendAnswer& answer, const std::string& name, std::size_t position, std::size_t count) {
  for (const ExchangeTensor& output : answer.outputs) {
    if (plain(output.name) == name) return &output;
  }
  // Backends that do not keep names still keep the order.
  return answer.outputs.size() == count && position < count ? &answer.outputs[position] : nullptr;
}

/// An adapter in another language may leave the element type out: then the bytes are read as what was asked for, if they can be.
Tensor typed_output(const ExchangeTensor& output, const TensorType& expected) {
  if (!output.inferred || output.tensor.shape() != expected.shape ||
      output.tensor.element().storage_bytes() != expected.element.storage_bytes()) {
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

/// The expectation again with its exact values: worth the time only where something differs.
std::optional<ResultTensor> with_exact_values(const Library& library, const Case& test, const CheckOptions& options, std::size_t output) {
  auto profile = library.find_profile(options.profile);
  if (!profile) return std::nullopt;
  EvaluateOptions evaluate_options = options.evaluate;
  evaluate_options.explain_values = true;
  auto outputs = evaluate(library, **profile, test.program, test.inputs, evaluate_options);
  if (!outputs || output >= outputs->size()) return std::nullopt;
  return std::move((*outputs)[output]);
}

/// Only where every output could be compared: a wrong shape has no arithmetic behind it.
void add_diagnosis(const Library& library, const Case& test, const Expectation& expectation, const std::vector<Tensor>& answers,
                   const CheckOptions& options, CaseReport& report) {
  if (!options.diagnose || report.status != CaseStatus::fail || answers.size() != expectation.outputs.size()) return;
  bool comparable = std::all_of(report.outputs.begin(), report.outputs.end(), [](const auto& output) { return output.second.compared + output.second.undefined > 0; });
  if (auto profile = library.find_profile(options.profile); profile && comparable)
    report.diagnosis = diagnose(library, **profile, test, expectation.outputs, answers);
}

}  // namespace

void judge(const Library& library, const Case& test, const Expectation& expectation, const BackendAnswer& answer,
           const CheckOptions& options, CaseReport& report) {
  report.reason = answer.reason;
  if (answer.kind != BackendAnswer::Kind::answered) {
    bool unsupported = answer.kind == BackendAnswer::Kind::unsupported;
    report.status = unsupported ? CaseStatus::unsupported : CaseStatus::inconclusive;
    if (report.reason.empty()) report.reason = unsupported ? "not supported by the backend" : "no answer";
    return;
  }
  report.status = CaseStatus::conform;
  report.reason.clear();
  std::size_t count = expectation.outputs.size();
  auto failed = [&](const std::string& reason) {
    if (report.status == CaseStatus::conform) report.reason = reason;
    report.status = CaseStatus::fail;
  };
  if (answer.outputs.size() != count) {
    failed("the backend answered " + std::to_string(answer.outputs.size()) + " outputs, expected " + std::to_string(count));
  }
  std::vector<Tensor> answers;
  for (std::size_t i = 0; i < count; ++i) {
    const ResultTensor& expected = expectation.outputs[i];
    std::string name = plain(test.program.values[static_cast<std::size_t>(test.program.outputs[i])].name);
    const ExchangeTensor* actual = find_output(answer, name, i, count);
    if (actual == nullptr) {
      failed("output " + name + " is missing");
      continue;
    }
    const Tensor answered = typed_output(*actual, expected.tensor.type());
    Comparison comparison = compare(expected, answered, options.policy, options.show);
    if (comparison.different > 0 && expected.before.empty())
      if (auto explained = with_exact_values(library, test, options, i)) comparison = compare(*explained, answered, options.policy, options.show);
    bool first_failure = !comparison.conforms && report.inputs_of_first.empty();
    if (!comparison.conforms) failed(failure_reason(name, comparison));
    if (first_failure) {
      for (const Mismatch& mismatch : comparison.first)
        report.inputs_of_first.push_back(inputs_at(library, test, comparison.shape, mismatch.index));
      if (!comparison.first.empty()) report.explain = explain_command(test, name, comparison.first[0].index, options.profile);
    }
    report.outputs.emplace_back(name, std::move(comparison));
    answers.push_back(answered);
  }
  add_diagnosis(library, test, expectation, answers, options, report);
}

}  // namespace tiebreak
