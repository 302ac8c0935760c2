// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_proof.hpp"

#include <algorithm>

#include "interpreter/stairs/staircase_check.hpp"

namespace tiebreak {
namespace {

/// Functions that wrap or branch more often than this within one type are left unproved: a case kills their mutants more cheaply.
constexpr StaircaseLimits proof_limits{.steps = 1 << 17, .table = 1 << 16, .pieces = 256};

/// Cases with blocks have hundreds of scales. So many of them, spread evenly, are compared.
constexpr std::size_t most_case_sets = 64;

std::string proved_outcome(const OrderedType& type, std::int64_t ordinal) {
  if (ordinal == outcome_undefined) return "undefined";
  return ordinal == outcome_nan ? "nan" : type.text(ordinal);
}

/// The function of a call: of the varied operand, or of the accumulator where the op sums over many elements.
Result<ScalarFunction> function_of(const Semantics& semantics, OpCall call, const std::string& varied) {
  if (!varied.empty()) return ScalarFunction::compile(semantics, call, varied);
  if (Result<ScalarFunction> function = ScalarFunction::compile_tail(semantics, call)) return function;
  // Windows and strides speak of larger shapes than one element; behind the accumulator they mean nothing.
  call.attributes.clear();
  return ScalarFunction::compile_tail(semantics, call);
}

/// What a function does not read it does not take.
bool set_all(ScalarFunction& function, const std::vector<ScalarParameter>& parameters, const std::vector<Real>& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool read = std::ranges::find(function.parameters(), parameters[i].name, &ScalarParameter::name) != function.parameters().end();
    if (read && !function.set(parameters[i].name, values[i])) return false;
  }
  return true;
}

/// The original's parameters first, so that a sweep has the same values for them whatever else a mutant reads.
std::vector<ScalarParameter> joined_parameters(std::vector<ScalarParameter> all, const std::vector<ScalarParameter>& more) {
  for (const ScalarParameter& one : more)
    if (std::ranges::find(all, one.name, &ScalarParameter::name) == all.end()) all.push_back(one);
  return all;
}

/// Operands that a result depends on behind the accumulator.
std::set<std::string> read_behind_accumulator(const Semantics& semantics, const OpCall& call) {
  std::set<std::string> names{"nothing"};
  for (const SingleCall& one : single_calls(semantics.library, call, "", names)) {
    if (const auto function = function_of(semantics, one.call, ""))
      for (const ScalarParameter& parameter : function->parameters()) names.insert(parameter.name);
    break;
  }
  return names;
}

}  // namespace

/// One mutant against the original, for calls of one kind: both functions are compiled once.
class StairComparison {
 public:
  StairComparison(StairReference& reference, const Library& mutant, const std::string& varied, StairVerdict& verdict)
      : reference_(reference), mutant_library_(mutant), varied_(varied), verdict_(verdict) {}

  /// false ends the comparison: a witness is found, or nothing can be known.
  bool start(const SingleCall& single) {
    auto original = function_of({reference_.library_, reference_.profile_}, single.call, varied_);
    if (!original) return unknown(original.error().what);
    auto mutant = function_of({mutant_library_, reference_.profile_}, single.call, varied_);
    if (!mutant) return unknown(mutant.error().what);
    original_.emplace(std::move(*original));
    mutant_.emplace(std::move(*mutant));
    parameters_ = joined_parameters(original_->parameters(), mutant_->parameters());
    return true;
  }
  std::vector<std::vector<Real>> sweep() const { return parameter_sweep(parameters_); }
  std::vector<Real> values_of(const OpCall& call) const { return parameter_values(reference_.library_, call, parameters_); }

  bool compare(const std::string& key, const std::vector<Real>& values) {
    StairReference::Known& known = reference_.known(key);
    std::call_once(known.once, [&] { find(known, values); });
    if (!known.taken) return true;
    ++sets_;
    if (!set_all(*mutant_, parameters_, values)) return unknown("the mutant does not take the original's parameters");
    Result<StairCheck> check = known.stairs ? check_stairs(*mutant_, *known.stairs, proof_limits) : samples(values);
    if (!check) return unknown(check.error().what);
    if (check->differs_at || check->differs_at_nan) return found(known, values, *check);
    if (!known.stairs) check->reason = known.reason;
    if (!check->equal && verdict_.reason.empty()) verdict_.reason = check->reason;
    return true;
  }
  std::size_t sets() const { return sets_; }

 private:
  bool unknown(const std::string& reason) {
    verdict_.reason = reason;
    return false;
  }

  void find(StairReference::Known& known, const std::vector<Real>& values) {
    if (!set_all(*original_, parameters_, values)) return;
    known.taken = true;
    if (Result<Staircase> stairs = staircase(*original_, nullptr, proof_limits)) known.stairs = std::make_shared<const Staircase>(std::move(*stairs));
    else known.reason = stairs.error().what;
  }

  Result<StairCheck> samples(const std::vector<Real>& values) {
    if (!set_all(*original_, parameters_, values)) return StairCheck{};
    return check_samples(*original_, *mutant_);
  }

  bool found(const StairReference::Known& known, const std::vector<Real>& values, const StairCheck& check) {
    std::string text;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      text += parameters_[i].name + "=" + (parameters_[i].type.is_integer() ? values[i].to_decimal() : values[i].to_hex_float()) + " ";
    std::int64_t original = outcome_undefined;
    if (known.stairs) original = check.differs_at ? known.stairs->at(*check.differs_at) : *known.stairs->at_nan;
    else if (const auto value = original_->at(*check.differs_at)) original = *value;
    text += (varied_.empty() ? "accumulator" : varied_) + "=" + (check.differs_at ? mutant_->input().text(*check.differs_at) : "nan");
    verdict_.witness = text + ": " + proved_outcome(mutant_->output(), original) + ", the mutant " + proved_outcome(mutant_->output(), check.value);
    verdict_.reason.clear();
    return false;
  }

  StairReference& reference_;
  const Library& mutant_library_;
  const std::string& varied_;
  StairVerdict& verdict_;
  std::optional<ScalarFunction> original_{}, mutant_{};
  std::vector<ScalarParameter> parameters_{};
  std::size_t sets_ = 0;
};

StairReference::Known& StairReference::known(const std::string& key) {
  const std::lock_guard guard(lock_);
  std::unique_ptr<Known>& found = known_[key];
  if (!found) found = std::make_unique<Known>();
  return *found;
}

const std::vector<SingleCall>& StairReference::singles(const BoundCall& call, const std::string& varied, const std::set<std::string>& read) {
  const std::lock_guard guard(lock_);
  auto& found = singles_[&call];
  if (!found) found = std::make_unique<std::vector<SingleCall>>(single_calls(library_, call.call(), varied, read));
  return *found;
}

StairVerdict StairReference::compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls) {
  StairVerdict verdict;
  if (calls.empty()) return verdict;
  const std::string varied = varied_operand(library_, calls.front()->call().op);
  const std::set<std::string> read = varied.empty() ? read_behind_accumulator({library_, profile_}, calls.front()->call()) : std::set<std::string>{};
  std::map<std::string, std::vector<const SingleCall*>> kinds;
  std::set<std::string> keys;
  for (const std::shared_ptr<const BoundCall>& one : calls) {
    if (varied.empty() && !same_accumulator(library_, mutant, profile_, one->call())) {
      verdict.reason = "a result sees many elements, and the accumulators differ";
      return verdict;
    }
    for (const SingleCall& single : singles(*one, varied, read))
      if (keys.insert(single.key).second) kinds[single.kind].push_back(&single);
  }
  std::size_t sets = 0;
  for (const auto& [kind, singles_of_kind] : kinds) {
    StairComparison comparison(*this, mutant, varied, verdict);
    if (!comparison.start(*singles_of_kind.front())) return verdict;
    const std::size_t compared = std::min(most_case_sets, singles_of_kind.size());
    for (std::size_t i = 0; i < compared; ++i) {
      const SingleCall* one = singles_of_kind[i * singles_of_kind.size() / compared];
      if (!comparison.compare(one->key, comparison.values_of(one->call))) return verdict;
    }
    const std::vector<std::vector<Real>> sweep = comparison.sweep();
    for (std::size_t i = 0; i < sweep.size(); ++i)
      if (!comparison.compare(kind + "#" + std::to_string(i), sweep[i])) return verdict;
    sets += comparison.sets();
    if (!verdict.reason.empty()) return verdict;
  }
  verdict.equal = sets > 0;
  if (verdict.equal) verdict.proof = (varied.empty() ? "stairs behind the accumulator, " : "stairs, ") + std::to_string(sets) + " parameter sets";
  return verdict;
}

}  // namespace tiebreak
