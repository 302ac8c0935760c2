// SPDX-License-Identifier: Apache-2.0
#include "testsuite/causes/diagnose.hpp"

#include <algorithm>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/causes/cause_candidates.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// What a semantics says of every value of an elementwise op, beside what is expected.
class DomainRate {
 public:
  DomainRate(const Semantics& expected, const Profile& found, const Case& test)
      : library_(expected.library), expected_(expected.profile), found_(found), test_(test) {}

  /// The op with every operand but the largest held at its first value, if that is what the case does anyway; else "".
  std::string text() const {
    if (test_.program.operations.size() != 1) return "";
    Result<CallOfOutput> found = call_of_output({library_, expected_}, test_, 0);
    Result<Library::OpPlace> place = library_.find_op(test_.program.operations[0].op);
    if (!found || !place) return "";
    OpCall call = std::move(found->call);
    std::string varied;
    for (std::size_t i = 0; i < call.operands.size() && i < place->op->operands.size(); ++i) {
      if (!call.operands[i] || call.operands[i]->size() == 1) continue;
      if (!varied.empty() || call.operands[i]->size() == 0) return "";
      varied = place->op->operands[i].name;
      TensorType type = call.operands[i]->type();
      for (std::int64_t& extent : type.shape) extent = 1;
      Result<Tensor> one = Tensor::zeros(type);
      if (!one) return "";
      call.operands[i] = *one;
    }
    for (std::optional<TensorType>& type : call.result_types)
      if (type)
        for (std::int64_t& extent : type->shape) extent = 1;
    if (varied.empty() && !place->op->operands.empty()) varied = place->op->operands[0].name;
    std::optional<Staircase> own = stairs_of(expected_, call, varied, found->result), other = stairs_of(found_, call, varied, found->result);
    if (!own || !other) return "";
    Disagreement difference = compare(*own, *other);
    Real share = Real::from_unsigned(difference.count) * Real(100) / Real::from_unsigned(difference.total);
    return std::to_string(difference.count) + " of all " + std::to_string(difference.total) + " values of " + varied + " (" +
           decimal_text(share.to_double(), 3) + " %)" + (difference.proved ? "" : ", sampled") + " at these parameters";
  }

 private:
  std::optional<Staircase> stairs_of(const Profile& profile, const OpCall& call, const std::string& varied, std::size_t result) const {
    Result<ScalarFunction> function = ScalarFunction::compile({library_, profile}, call, varied, result);
    if (!function) return std::nullopt;
    StaircaseLimits limits;
    limits.steps = 1 << 17;
    Result<Staircase> stairs = staircase(*function, nullptr, limits);
    return stairs ? std::optional<Staircase>(*std::move(stairs)) : std::nullopt;
  }

  const Library& library_;
  const Profile &expected_, &found_;
  const Case& test_;
};

std::size_t observed_differences(const FailingCase& failing) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < failing.expectation.size(); ++i) {
    ResultTensor answer;
    answer.tensor = failing.answers[i];
    count += count_different(failing.expectation[i], answer);
  }
  return count;
}

std::size_t predicted_differences(const Semantics& semantics, const FailingCase& failing) {
  std::size_t count = 0;
  const Result<std::vector<ResultTensor>> results = evaluate(semantics, failing.test->program, failing.test->inputs);
  for (std::size_t i = 0; results && i < results->size() && i < failing.expectation.size(); ++i)
    count += count_different(failing.expectation[i], (*results)[i]);
  return count;
}

/// Where the expected semantics leaves elements undefined the cause may do so, too: of these it predicts nothing.
void count_explained(const Library& library, const FailingCase& failing, const FoundCause& cause, Diagnosis& diagnosis) {
  const Case as_fused = fused_case(*failing.test, cause.fusions);
  const FailingCase asked{&as_fused, failing.expectation, failing.answers};
  Evidence evidence(library, OpenElement::refuted);
  evidence.add(observed(asked));
  const Fit fit = evidence.fit(cause.profile);
  diagnosis.explained = fit.explained;
  diagnosis.of = fit.of;
  diagnosis.predicted = predicted_differences({library, cause.profile}, asked);
}

/// The candidate that predicts the most, though not all.
struct Nearest {
  const CauseCandidate* candidate = nullptr;
  Fit fit{};
};

}  // namespace

Diagnosis diagnosis_by(const Semantics& expected, const FailingCase& failing, const FoundCause& cause) {
  const CauseReading& reading = cause.readings.front();
  Diagnosis diagnosis;
  diagnosis.explains = true;
  diagnosis.name = reading.name;
  diagnosis.members = reading.members;
  diagnosis.clauses = reading.clauses;
  diagnosis.observed = observed_differences(failing);
  if (std::ranges::all_of(failing.expectation, [](const ResultTensor& output) { return output.undefined.empty(); })) {
    // The cause was found by all elements of the case: it predicts what was answered.
    for (const Tensor& answer : failing.answers) diagnosis.of += static_cast<std::size_t>(answer.size());
    diagnosis.explained = diagnosis.of;
    diagnosis.predicted = diagnosis.observed;
  } else {
    count_explained(expected.library, failing, cause, diagnosis);
  }
  diagnosis.domain = DomainRate(expected, cause.profile, *failing.test).text();
  return diagnosis;
}

Diagnosis diagnosis_without_cause(const Semantics& expected, const FailingCase& failing) {
  Diagnosis diagnosis;
  Evidence evidence(expected.library, OpenElement::refuted);
  evidence.add(observed(failing));
  const CauseCandidates candidates(expected, "", ops_of(failing.test->program));
  const std::size_t most = std::min(candidates.list().size(), evaluations_allowed(failing));
  Nearest best;
  for (std::size_t i = 0; i < most; ++i) {
    const Fit fit = evidence.fit(candidates.list()[i].profile);
    if (best.candidate == nullptr || fit.explained > best.fit.explained) best = {&candidates.list()[i], fit};
  }
  if (most < candidates.list().size())
    diagnosis.cut = "only " + std::to_string(most) + " of " + std::to_string(candidates.list().size()) + " semantics were tried: the case is large";
  diagnosis.observed = observed_differences(failing);
  if (best.candidate == nullptr) return diagnosis;
  diagnosis.name = best.candidate->name;
  diagnosis.members = best.candidate->members;
  diagnosis.explained = best.fit.explained;
  diagnosis.of = best.fit.of;
  diagnosis.predicted = predicted_differences({expected.library, best.candidate->profile}, failing);
  return diagnosis;
}

Diagnosis diagnose(const Semantics& expected, const Case& test, const std::vector<ResultTensor>& expectation, const std::vector<Tensor>& answers,
                   const std::string& declared) {
  const FailingCase failing{&test, expectation, answers};
  const std::vector<FoundCause> causes = common_causes({expected, declared, {&failing}, {}, nullptr, {}});
  return causes.empty() ? diagnosis_without_cause(expected, failing) : diagnosis_by(expected, failing, causes.front());
}

std::string cause_word(const Diagnosis& diagnosis) {
  if (!diagnosis.explains) return "not explained";
  std::string text;
  for (const DiagnosedClause& clause : diagnosis.clauses) text += (text.empty() ? "" : ", ") + clause.choice + "=" + clause.found;
  return text.empty() ? diagnosis.name : text;
}

std::vector<std::string> to_lines(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  std::string fit = std::to_string(diagnosis.explained) + " of " + std::to_string(diagnosis.of);
  std::string names;
  for (const std::string& member : diagnosis.members) names += (names.empty() ? "" : ", ") + member;
  for (const DiagnosedClause& clause : diagnosis.clauses)
    if (!clause.words.empty()) lines.push_back(clause.words);
  if (diagnosis.explains) lines.push_back("equals " + names + " on all " + std::to_string(diagnosis.of));
  else if (diagnosis.name.empty()) lines.push_back("not looked for");
  else lines.push_back("no profile and no single choice explains it: best " + names + ", " + fit);
  for (const DiagnosedClause& clause : diagnosis.clauses)
    lines.push_back("parts at " + clause.choice + ": expected " + clause.expected + ", found " + clause.found +
                    (clause.place.empty() ? "" : "  (" + clause.place + ")"));
  if (diagnosis.of > 0) {
    std::string rate = "differ " + std::to_string(diagnosis.observed) + " of " + std::to_string(diagnosis.of) + ", " +
                       (diagnosis.explains ? "predicted " : "the best predicts ") + std::to_string(diagnosis.predicted);
    lines.push_back(rate + (diagnosis.domain.empty() ? "" : "; " + diagnosis.domain));
  }
  if (!diagnosis.cut.empty()) lines.push_back(diagnosis.cut);
  return lines;
}

}  // namespace tiebreak
