// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/diagnose.hpp"

#include <algorithm>
#include <cmath>

#include "interpreter/evaluate/staircase.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/harness/evidence.hpp"
#include "testsuite/harness/op_program.hpp"
#include "testsuite/harness/search.hpp"
#include "testsuite/harness/text_table.hpp"
#include "testsuite/harness/value_text.hpp"

namespace tiebreak {
namespace {

constexpr double work_limit = 3e7;           // element evaluations a case, about
constexpr std::size_t least_evaluations = 16;

std::vector<std::string> ops_of(const Program& program) {
  std::vector<std::string> ops;
  for (const Operation& operation : program.operations)
    if (std::ranges::find(ops, operation.op) == ops.end()) ops.push_back(operation.op);
  return ops;
}

/// Elements to compute once: of a contraction the depth counts, which is sqrt(|a| |b| / |y|) of a matrix product.
double work_of(const Case& test, const std::vector<ResultTensor>& expectation) {
  double results = 1, largest = 1, second = 1;
  for (const ResultTensor& result : expectation) results += static_cast<double>(result.tensor.size());
  for (const Tensor& input : test.inputs) {
    auto size = static_cast<double>(input.size());
    second = std::max(second, std::min(size, largest));
    largest = std::max(largest, size);
  }
  return results * std::max(1.0, std::sqrt(largest * second / results));
}

std::string place_of(const Library& library, const OpChoice& choice, const std::string& alternative) {
  Result<ChoicePlace> place = find_choice(library, choice.key);
  if (!place) return "";
  for (const notation::Alternative& one : place->choice->alternatives)
    if (one.name == alternative) return place->module->file + ":" + std::to_string(one.at.line);
  return place->module->file + ":" + std::to_string(place->choice->at.line);
}

class Diagnoser {
 public:
  Diagnoser(const Library& library, const Profile& expected, const Case& test, const std::vector<ResultTensor>& expectation, const std::vector<Tensor>& answers,
            const std::string& declared)
      : library_(library), expected_{expected.name, {expected.name}, expected}, test_(test), expectation_(expectation), declared_(declared), evidence_(library) {
    Observation observation;
    observation.test = test;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ResultTensor answer;
      answer.name = expectation[i].name;
      answer.tensor = answers[i];
      observation.answers.push_back(std::move(answer));
    }
    evidence_.add(std::move(observation));
    ops_ = ops_of(test.program);
    choices_ = choices_of_ops(library, ops_);
    left_ = std::max(least_evaluations, static_cast<std::size_t>(work_limit / work_of(test, expectation)));
  }

  Diagnosis run() {
    count_observed();
    std::vector<Candidate> profiles = profile_candidates(library_, ops_).candidates;
    put_first(profiles, declared_);
    std::vector<Candidate> changes = neighbours(library_, expected_, choices_);
    std::size_t total = profiles.size() + changes.size();
    try_each(profiles, left_ - left_ / 4);
    if (!best_ || !best_fit_.explains_all()) try_each(changes, left_);
    if (tried_ < total && !(best_ && best_fit_.explains_all()))
      diagnosis_.cut = "only " + std::to_string(tried_) + " of " + std::to_string(total) + " semantics were tried: the case is large";
    if (!best_) return diagnosis_;
    diagnosis_.name = best_->name;
    diagnosis_.members = best_->members;
    diagnosis_.explained = best_fit_.explained;
    diagnosis_.of = best_fit_.of;
    diagnosis_.explains = best_fit_.explains_all();
    if (diagnosis_.explains) find_clauses();
    count_predicted();
    if (diagnosis_.explains) find_domain_rate();
    return std::move(diagnosis_);
  }

 private:
  /// The candidate that the profile is one of, under that name: the first of those that explain as much is taken.
  static void put_first(std::vector<Candidate>& candidates, const std::string& name) {
    const auto is_name = [&](const Candidate& candidate) { return std::ranges::find(candidate.members, name) != candidate.members.end(); };
    const auto found = std::ranges::find_if(candidates, is_name);
    if (found == candidates.end()) return;
    std::rotate(candidates.begin(), found, found + 1);
    std::vector<std::string>& members = candidates.front().members;
    const auto member = std::ranges::find(members, name);
    std::rotate(members.begin(), member, member + 1);
    candidates.front().name = name;
  }

  void try_each(const std::vector<Candidate>& candidates, std::size_t most) {
    for (std::size_t i = 0; i < candidates.size() && i < most && left_ > 0; ++i) {
      --left_;
      ++tried_;
      Fit fit = evidence_.fit(candidates[i].profile);
      bool better = !best_ || fit.explained > best_fit_.explained || (fit.explained == best_fit_.explained && fit.undefined < best_fit_.undefined);
      if (!better) continue;
      best_ = candidates[i];
      best_fit_ = fit;
    }
  }

  /// Starts from everything in which the explanation differs and takes back what the outputs do not need.
  void find_clauses() {
    std::vector<ChoiceChange> needed;
    for (const OpChoice& choice : choices_) {
      std::string op = op_of(choice), own = bound_text(library_, expected_.profile, op, choice), other = bound_text(library_, best_->profile, op, choice);
      if (own != other) needed.push_back({&choice, other});
    }
    for (std::size_t i = 0; i < needed.size() && needed.size() > 1;) {
      Profile without = best_->profile;
      for (std::size_t k = 0; k < needed.size(); ++k)
        if (k == i) take_back(without, *needed[k].choice);
      if (evidence_.explains(without)) {
        best_->profile = std::move(without);
        needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (const ChoiceChange& change : needed) {
      const OpChoice& choice = *change.choice;
      std::string name = ops_.size() > 1 ? choice.key : choice.name;
      diagnosis_.clauses.push_back({name, bound_text(library_, expected_.profile, op_of(choice), choice), change.alternative, place_of(library_, choice, change.alternative)});
    }
  }

  /// Binds the choice as the expected profile does.
  void take_back(Profile& profile, const OpChoice& choice) const {
    const ProfileValue* value = resolve_choice(expected_.profile, choice.module, op_of(choice), choice.alias, choice.own_name);
    ProfileValue own;
    own.alternative = bound_text(library_, expected_.profile, op_of(choice), choice);
    profile.choices[choice.key] = value == nullptr ? own : *value;
  }

  void count_observed() {
    const Observation& observation = evidence_.observations().front();
    for (std::size_t i = 0; i < expectation_.size(); ++i) diagnosis_.observed += differing(expectation_[i], outcomes_of(observation.answers[i].tensor, {}));
  }

  void count_predicted() {
    Result<std::vector<ResultTensor>> results = results_under(library_, best_->profile, test_);
    for (std::size_t i = 0; results && i < results->size() && i < expectation_.size(); ++i)
      diagnosis_.predicted += differing(expectation_[i], outcomes_of((*results)[i].tensor, (*results)[i].undefined));
  }

  static std::size_t differing(const ResultTensor& expected, const Outcomes& other) {
    Outcomes own = outcomes_of(expected.tensor, expected.undefined);
    std::size_t count = 0;
    for (std::size_t k = 0; k < own.size() && k < other.size(); ++k)
      count += own.undefined[k] == 0 && other.undefined[k] == 0 && own.codes[k] != other.codes[k] ? 1 : 0;
    return count;
  }

  /// The op with every operand but the largest held at its first value, if that is what the case does anyway.
  void find_domain_rate() {
    if (test_.program.operations.size() != 1) return;
    Result<CallOfOutput> found = call_of_output(library_, expected_.profile, test_, 0);
    Result<Library::OpPlace> place = library_.find_op(test_.program.operations[0].op);
    if (!found || !place) return;
    OpCall call = std::move(found->call);
    std::string varied;
    for (std::size_t i = 0; i < call.operands.size() && i < place->op->operands.size(); ++i) {
      if (!call.operands[i] || call.operands[i]->size() == 1) continue;
      if (!varied.empty() || call.operands[i]->size() == 0) return;
      varied = place->op->operands[i].name;
      TensorType type = call.operands[i]->type();
      for (std::int64_t& extent : type.shape) extent = 1;
      Result<Tensor> one = Tensor::zeros(type);
      if (!one) return;
      call.operands[i] = *one;
    }
    for (std::optional<TensorType>& type : call.result_types)
      if (type) for (std::int64_t& extent : type->shape) extent = 1;
    if (varied.empty() && !place->op->operands.empty()) varied = place->op->operands[0].name;
    std::optional<Staircase> own = stairs_of(expected_.profile, call, varied, found->result), other = stairs_of(best_->profile, call, varied, found->result);
    if (!own || !other) return;
    Disagreement difference = compare(*own, *other);
    Real share = Real::from_unsigned(difference.count) * Real(100) / Real::from_unsigned(difference.total);
    diagnosis_.domain = std::to_string(difference.count) + " of all " + std::to_string(difference.total) + " values of " + varied + " (" + decimal_text(share.to_double(), 3) + " %)" +
                        (difference.proved ? "" : ", sampled") + " at these parameters";
  }

  std::optional<Staircase> stairs_of(const Profile& profile, const OpCall& call, const std::string& varied, std::size_t result) const {
    Result<ScalarFunction> function = ScalarFunction::compile(library_, profile, call, varied, result);
    if (!function) return std::nullopt;
    StaircaseLimits limits;
    limits.steps = 1 << 17;
    Result<Staircase> stairs = staircase(*function, nullptr, limits);
    return stairs ? std::optional<Staircase>(*std::move(stairs)) : std::nullopt;
  }

  const Library& library_;
  Candidate expected_;
  const Case& test_;
  const std::vector<ResultTensor>& expectation_;
  std::string declared_;
  Evidence evidence_;
  std::vector<std::string> ops_{};
  std::vector<OpChoice> choices_{};
  std::size_t left_ = 0, tried_ = 0;
  std::optional<Candidate> best_{};
  Fit best_fit_{};
  Diagnosis diagnosis_{};
};

}  // namespace

Diagnosis diagnose(const Library& library, const Profile& expected, const Case& test, const std::vector<ResultTensor>& expectation,
                   const std::vector<Tensor>& answers, const std::string& declared) {
  return Diagnoser(library, expected, test, expectation, answers, declared).run();
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
  if (diagnosis.explains) lines.push_back("equals " + names + " on all " + std::to_string(diagnosis.of));
  else if (diagnosis.name.empty()) lines.push_back("not looked for");
  else lines.push_back("no profile and no single choice explains it: best " + names + ", " + fit);
  for (const DiagnosedClause& clause : diagnosis.clauses)
    lines.push_back("parts at " + clause.choice + ": expected " + clause.expected + ", found " + clause.found + (clause.place.empty() ? "" : "  (" + clause.place + ")"));
  if (diagnosis.of > 0) {
    std::string rate = "differ " + std::to_string(diagnosis.observed) + " of " + std::to_string(diagnosis.of) + ", " + (diagnosis.explains ? "predicted " : "the best predicts ") +
                       std::to_string(diagnosis.predicted);
    lines.push_back(rate + (diagnosis.domain.empty() ? "" : "; " + diagnosis.domain));
  }
  if (!diagnosis.cut.empty()) lines.push_back(diagnosis.cut);
  return lines;
}

}  // namespace tiebreak
