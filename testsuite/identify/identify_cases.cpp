// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/identify_cases.hpp"

#include <algorithm>
#include <memory>

#include "interpreter/sha256.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/identify/probe_backend.hpp"
#include "testsuite/sources/load_cases.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_cases = 64;

/// A case with one operation, and what to state of its results; nothing where the reference cannot evaluate it.
std::optional<std::vector<ResultTensor>> expected_of(const Semantics& semantics, const Case& test) {
  if (test.unusable || !test.expected_error.empty()) return std::nullopt;
  Result<std::vector<ResultTensor>> results = evaluate(semantics, test.program, test.inputs);
  if (!results) return std::nullopt;
  return *results;
}

struct CaseAnswers {
  Evidence evidence;
  std::vector<std::string> refusals{};
};

Result<CaseAnswers> ask_cases(const Library& library, Backend& backend, const Profile& profile, const std::vector<Case>& cases) {
  CaseAnswers found{Evidence(library), {}};
  std::vector<ExchangeCase> requests;
  std::vector<std::pair<const Case*, std::vector<ResultTensor>>> asked;
  for (const Case& test : cases) {
    std::optional<std::vector<ResultTensor>> expected = expected_of({library, profile}, test);
    if (!expected) continue;
    requests.push_back(to_request(library, test, profile, *expected));
    asked.emplace_back(&test, *std::move(expected));
  }
  if (requests.empty()) return found;
  std::vector<BackendAnswer> answers = backend.run(requests);
  for (std::size_t i = 0; i < asked.size() && i < answers.size(); ++i) {
    AnswersOrReason ordered = answers_in_order(asked[i].second, answers[i]);
    if (!ordered) {
      if (std::ranges::find(found.refusals, ordered.error()) == found.refusals.end()) found.refusals.push_back(ordered.error());
      continue;
    }
    Observation observation;
    observation.answers = *std::move(ordered);
    observation.test = *asked[i].first;
    auto test = std::make_shared<const Case>(observation.test);
    std::vector<Shape> shapes;
    for (const ResultTensor& answer : observation.answers) shapes.push_back(answer.tensor.shape());
    observation.inputs = [&library, test, shapes](std::size_t output, std::int64_t element) {
      return test->id + ": " + inputs_at(library, *test, shapes[output], element);
    };
    found.evidence.add(std::move(observation));
  }
  return found;
}

std::size_t largest_input(const Case& test) {
  std::int64_t most = 1;
  for (const Tensor& input : test.inputs) most = std::max(most, input.size());
  return static_cast<std::size_t>(most);
}

}  // namespace

Result<std::vector<Case>> cases_for_identify(const Library& library, const std::string& op, const std::vector<std::string>& further, std::size_t elements) {
  std::vector<std::string> folders{default_case_folder(), default_mutant_folder()};
  for (const std::string& name : further) folders.push_back(further_case_folder(name));
  std::erase(folders, "");
  std::vector<std::pair<std::uint64_t, Case>> ranked;
  for (const std::string& folder : folders) {
    TIEBREAK_TRY(loaded, load_cases(library, folder, [&](const std::string& id) { return id.starts_with(op + "/"); }));
    for (Case& test : loaded)
      if (test.program.operations.size() == 1) ranked.emplace_back(hash_number(test.id), std::move(test));
  }
  std::ranges::sort(ranked, {}, &std::pair<std::uint64_t, Case>::first);
  std::vector<Case> chosen;
  std::size_t have = 0;
  for (auto& [hash, test] : ranked) {
    if (chosen.size() >= most_cases || have >= elements) break;
    have += largest_input(test);
    chosen.push_back(std::move(test));
  }
  return chosen;
}

Result<Identification> identify_by_cases(const Library& library, Backend& backend, const IdentifyOptions& options, const std::vector<Case>& cases) {
  TIEBREAK_TRY(description, backend.describe());
  IdentifyOptions settings = options;
  if (settings.preferred.empty()) settings.preferred = description.profile;
  TIEBREAK_TRY(stated, library.find_profile(library.find_profile(settings.preferred) ? settings.preferred : "reference"));
  TIEBREAK_TRY(found, ask_cases(library, backend, *stated, cases));
  TIEBREAK_TRY(identification, identify_observed(library, std::move(found.evidence), settings));
  name_backend(identification, library, description);
  identification.refusals = std::move(found.refusals);
  return identification;
}

}  // namespace tiebreak
