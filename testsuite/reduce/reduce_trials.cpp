// SPDX-License-Identifier: Apache-2.0
#include "testsuite/reduce/reduce_trials.hpp"

#include "testsuite/case/request.hpp"
#include "testsuite/check/judge.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t batch_size = 8;
constexpr std::size_t longest_memory = 4096;  // bytes of a case worth remembering

/// The whole case as bytes, "" where it is too long: then it may be asked twice.
std::string fingerprint(const Case& test) {
  std::string text = print_mlir(test.program);
  for (const Tensor& input : test.inputs) {
    if (text.size() + input.bytes().size() > longest_memory) return "";
    text += '\0';
    for (std::byte byte : input.bytes()) text += static_cast<char>(byte);
  }
  return text.size() > longest_memory ? "" : text;
}

}  // namespace

bool ReductionQuestions::is_over() const { return asked_ >= options_.limit || (options_.check.interrupted && options_.check.interrupted()); }

bool ReductionQuestions::is_possible(const Case& test) const {
  Result<Expectation> expectation = expect({library_, profile_}, test, options_.check.evaluate);
  return expectation && !expectation->ill_formed && expectation->contradiction.empty();
}

std::vector<ReductionQuestions::Answer> ReductionQuestions::judge_all(std::vector<Answer> batch) {
  std::vector<ExchangeCase> requests;
  for (const Answer& one : batch) {
    requests.push_back(to_request(library_, one.test, profile_, one.expectation.outputs));
    requests.back().id = "reduce/" + std::to_string(requests.size());  // candidates of one case share its id
  }
  std::vector<BackendAnswer> answers = backend_.run(requests);
  answers.resize(batch.size());
  asked_ += batch.size();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].report.id = batch[i].test.id;
    judge(library_, batch[i].test, batch[i].expectation, answers[i], options_.check, batch[i].report);
    batch[i].outputs = std::move(answers[i].outputs);
  }
  return batch;
}

Result<ReductionQuestions::Answer> ReductionQuestions::ask(const Case& test) {
  TIEBREAK_TRY(expectation, expect({library_, profile_}, test, options_.check.evaluate));
  if (expectation.ill_formed) return fail(Errc::usage, "the case is ill-formed on purpose: nothing is computed", test.id);
  if (!expectation.contradiction.empty()) return fail(Errc::constraint, expectation.contradiction, test.id);
  std::vector<Answer> batch;
  batch.push_back({test, std::move(expectation), {}, {}});
  return std::move(judge_all(std::move(batch)).front());
}

std::optional<std::size_t> ReductionQuestions::first_alike(std::size_t count, const Maker& make, const FailureKind& wanted, Case& test) {
  std::vector<Answer> batch;
  std::vector<std::size_t> places;
  for (std::size_t index = 0; index < count || !batch.empty();) {
    if (is_over()) return std::nullopt;
    while (index < count && batch.size() < batch_size && asked_ + batch.size() < options_.limit) {
      std::size_t place = index++;
      std::optional<Case> candidate = make(place);
      if (!candidate) continue;
      std::string print = fingerprint(*candidate);
      if (!print.empty() && !seen_.insert(print).second) continue;
      Result<Expectation> expectation = expect({library_, profile_}, *candidate, options_.check.evaluate);
      if (!expectation || expectation->ill_formed) continue;
      batch.push_back({*std::move(candidate), *std::move(expectation), {}, {}});
      places.push_back(place);
    }
    if (batch.empty()) continue;
    std::vector<Answer> answers = judge_all(std::move(batch));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!kind_of(answers[i].report).is_within(wanted)) continue;
      test = std::move(answers[i].test);
      return places[i];
    }
    batch.clear();
    places.clear();
  }
  return std::nullopt;
}

}  // namespace tiebreak
