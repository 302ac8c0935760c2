// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/probe_backend.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

namespace tiebreak {
namespace {

struct Asked {
  std::size_t set = 0;
  std::vector<std::int64_t> indices{};
  Case test;
  std::vector<ResultTensor> expected{};
};

Result<Asked> prepare_question(const Semantics& semantics, const ProbeSet& set, std::size_t place, std::vector<std::int64_t> indices) {
  Asked asked{place, std::move(indices), {}, {}};
  TIEBREAK_TRY(call, chosen(set, asked.indices));
  TIEBREAK_TRY(test, case_of(semantics.library, call, set.call.op + "/identify/" + std::to_string(place)));
  asked.test = test;
  TIEBREAK_TRY(expected, results_under(semantics, asked.test));
  asked.expected = expected;
  return asked;
}

/// A set that the profile cannot evaluate cannot be asked: its result types are not known.
void add_asked(Result<Asked> asked, std::size_t set, std::vector<Asked>& batch, AskResult& result) {
  if (asked) {
    batch.push_back(*std::move(asked));
    return;
  }
  result.refused.insert(set);
  result.reasons.push_back("not asked: " + asked.error().what);
}

void take(const ProbeSet& set, Asked asked, const BackendAnswer& answer, AskResult& result) {
  AnswersOrReason answers = answers_in_order(asked.expected, answer);
  if (!answers) {
    result.refused.insert(asked.set);
    if (std::ranges::find(result.reasons, answers.error()) == result.reasons.end()) result.reasons.push_back(answers.error());
    return;
  }
  Observation observation;
  observation.answers = *std::move(answers);
  observation.test = std::move(asked.test);
  observation.inputs = [&set, indices = std::move(asked.indices)](std::size_t, std::int64_t element) {
    return probe_text(set, indices[static_cast<std::size_t>(element) % indices.size()]);
  };
  result.observations.push_back(std::move(observation));
}

Status run_batch(const Library& library, Backend& backend, const Profile& profile, const std::vector<ProbeSet>& pool, std::vector<Asked> batch,
                 AskResult& result) {
  std::vector<ExchangeCase> requests;
  for (const Asked& asked : batch) requests.push_back(to_request(library, asked.test, profile, asked.expected));
  std::vector<BackendAnswer> answers = backend.run(requests);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    BackendAnswer missing;
    missing.reason = "the backend gave no answer";
    std::size_t set = batch[i].set;
    take(pool[set], std::move(batch[i]), i < answers.size() ? answers[i] : missing, result);
  }
  return {};
}

}  // namespace

AnswersOrReason answers_in_order(const std::vector<ResultTensor>& expected, const BackendAnswer& answer) {
  const auto no_answer = [](const std::string& kind, const std::string& reason) {
    return tl::unexpected<std::string>(kind + (reason.empty() ? "no reason given" : reason));
  };
  if (answer.kind == BackendAnswer::Kind::unsupported) return no_answer("unsupported: ", answer.reason);
  if (answer.kind == BackendAnswer::Kind::not_recorded) return no_answer("not recorded: ", answer.reason);
  if (answer.kind != BackendAnswer::Kind::answered) return no_answer("no answer: ", answer.reason);
  std::vector<ResultTensor> answers;
  for (const ResultTensor& one : expected) {
    // Names, types and shapes were checked when the response was read; a backend of this process is held to them here.
    const auto output = std::ranges::find(answer.outputs, one.name, &ExchangeTensor::name);
    if (output == answer.outputs.end() || output->tensor.shape() != one.tensor.shape() || !(output->tensor.element() == one.tensor.element()))
      return no_answer("no answer: ", "an output is missing, or has another type or shape");
    answers.push_back({.name = one.name, .tensor = output->tensor, .undefined = output->undefined});
  }
  return answers;
}

Result<AskResult> ask(const Library& library, Backend& backend, const Profile& profile, const std::vector<ProbeSet>& pool, const std::vector<Probe>& probes) {
  std::map<std::size_t, std::vector<std::int64_t>> by_set;
  for (const Probe& probe : probes) by_set[probe.set].push_back(probe.index);
  AskResult result;
  std::vector<Asked> batch;
  for (auto& [set, indices] : by_set) {
    add_asked(prepare_question({library, profile}, pool[set], set, std::move(indices)), set, batch, result);
  }
  if (!batch.empty()) TIEBREAK_CHECK(run_batch(library, backend, profile, pool, std::move(batch), result));
  return result;
}

Result<AskResult> ask_all(const Library& library, Backend& backend, const Profile& profile, const std::vector<ProbeSet>& sets) {
  AskResult result;
  std::vector<Asked> batch;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(sets[set].count));
    std::iota(indices.begin(), indices.end(), std::int64_t{0});
    add_asked(prepare_question({library, profile}, sets[set], set, std::move(indices)), set, batch, result);
  }
  if (!batch.empty()) TIEBREAK_CHECK(run_batch(library, backend, profile, sets, std::move(batch), result));
  return result;
}

}  // namespace tiebreak
