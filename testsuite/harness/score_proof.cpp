// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/score_proof.hpp"

#include <algorithm>

#include "interpreter/evaluate/staircase.hpp"
#include "testsuite/harness/score_parameters.hpp"

namespace tiebreak {
namespace {

/// Functions that wrap or branch more often than this within one type are left unproved: a case kills their mutants more cheaply.
constexpr StaircaseLimits limits{.steps = 1 << 17, .table = 1 << 16, .pieces = 256};

/// The first input of least magnitude for which two stairs have different values.
std::optional<std::int64_t> first_difference_of(const Staircase& a, const Staircase& b) {
  std::optional<std::int64_t> best;
  const auto magnitude = [](std::int64_t v) { return v < 0 ? ~static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v); };
  const auto offer = [&](std::int64_t at) {
    if (!best || magnitude(at) < magnitude(*best)) best = at;
  };
  std::size_t i = 0, k = 0;
  while (i < a.starts.size() && k < b.starts.size()) {
    const std::int64_t first = std::max(a.starts[i], b.starts[k]);
    const std::int64_t end_a = i + 1 < a.starts.size() ? a.starts[i + 1] - 1 : a.input.last;
    const std::int64_t end_b = k + 1 < b.starts.size() ? b.starts[k + 1] - 1 : b.input.last;
    if (const std::int64_t last = std::min(end_a, end_b); a.values[i] != b.values[k]) offer(first > 0 ? first : last < 0 ? last : 0);
    if (end_a <= end_b) ++i;
    if (end_b <= end_a) ++k;
  }
  return best;
}

std::string outcome_text(const OrderedType& type, std::int64_t ordinal) {
  if (ordinal == outcome_undefined) return "undefined";
  return ordinal == outcome_nan ? "nan" : type.text(ordinal);
}

bool is_proof(const Staircase& stairs) { return stairs.proof != StairProof::sampled; }

/// Two functions of one call, and what is known of them so far.
class Pair {
 public:
  Pair(ScalarFunction original, ScalarFunction mutant, std::string varied)
      : original_(std::move(original)), mutant_(std::move(mutant)), varied_(std::move(varied)) {}

  const std::vector<ScalarParameter>& parameters() const { return original_.parameters(); }

  /// false: the original takes no such parameters.
  bool set(const std::vector<Real>& values) {
    const std::vector<ScalarParameter> names = original_.parameters();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!original_.set(names[i].name, values[i]) || !mutant_.set(names[i].name, values[i])) return false;
    return true;
  }

  /// Adds what these parameters show; false ends the comparison.
  bool compare(StairVerdict& verdict) {
    const Result<Staircase> a = staircase(original_, nullptr, limits);
    if (!a) return unproved(a.error().what);
    const Result<Staircase> b = staircase(mutant_, &*a, limits);
    if (!b) return unproved(b.error().what);
    if (const std::optional<std::int64_t> at = first_difference_of(*a, *b)) {
      verdict.witness = witness(a->input.text(*at), *a, a->at(*at), b->at(*at));
      return false;
    }
    if (a->at_nan != b->at_nan && a->at_nan && b->at_nan) {
      verdict.witness = witness("nan", *a, *a->at_nan, *b->at_nan);
      return false;
    }
    for (const Staircase* stairs : {&*a, &*b})
      if (!is_proof(*stairs)) return unproved(stairs->reason);
    return a->at_nan == b->at_nan || unproved("nan");
  }
  const std::string& why_not() const { return why_not_; }

 private:
  bool unproved(const std::string& reason) {
    if (why_not_.empty()) why_not_ = reason.empty() ? "not known to be monotone" : reason;
    return true;
  }

  std::string witness(const std::string& input, const Staircase& stairs, std::int64_t first, std::int64_t second) const {
    std::string text;
    for (const ScalarParameter& one : original_.parameters()) text += one.name + "=" + (one.type.is_integer() ? one.value.to_decimal() : one.value.to_hex_float()) + " ";
    return text + varied_ + "=" + input + ": " + outcome_text(stairs.output, first) + ", the mutant " + outcome_text(stairs.output, second);
  }

  ScalarFunction original_, mutant_;
  std::string varied_;
  std::string why_not_{};
};

/// Both functions of a call: of the varied operand, or of the accumulator where the op sums over many elements.
Result<Pair> pair_of(const Library& library, const Library& mutant, const Profile& profile, OpCall call, const std::string& varied) {
  if (!varied.empty()) {
    TIEBREAK_TRY(first, ScalarFunction::compile(library, profile, call, varied));
    TIEBREAK_TRY(second, ScalarFunction::compile(mutant, profile, call, varied));
    return Pair(std::move(first), std::move(second), varied);
  }
  // Windows and strides speak of larger shapes than one element; behind the accumulator they mean nothing.
  if (!ScalarFunction::compile_tail(library, profile, call)) call.attributes.clear();
  TIEBREAK_TRY(first, ScalarFunction::compile_tail(library, profile, call));
  TIEBREAK_TRY(second, ScalarFunction::compile_tail(mutant, profile, call));
  return Pair(std::move(first), std::move(second), "accumulator");
}

/// Operands that a result depends on behind the accumulator.
std::set<std::string> read_behind_accumulator(const Library& library, const Profile& profile, const OpCall& call) {
  std::set<std::string> none;
  for (OpCall one : single_calls(library, call, "", {"nothing"}, none)) {
    auto function = ScalarFunction::compile_tail(library, profile, one);
    if (!function) {
      one.attributes.clear();
      function = ScalarFunction::compile_tail(library, profile, one);
    }
    std::set<std::string> names{"nothing"};
    if (function)
      for (const ScalarParameter& parameter : function->parameters()) names.insert(parameter.name);
    return names;
  }
  return {"nothing"};
}

}  // namespace

StairVerdict compare_by_stairs(const Library& library, const Library& mutant, const Profile& profile,
                               const std::vector<std::shared_ptr<const BoundCall>>& calls) {
  StairVerdict verdict;
  const std::string varied = calls.empty() ? "" : varied_operand(library, calls.front()->call().op);
  std::set<std::string> known, read;
  std::size_t sets = 0;
  bool swept = false;
  for (const std::shared_ptr<const BoundCall>& one : calls) {
    if (varied.empty() && !same_accumulator(library, mutant, profile, one->call())) {
      verdict.reason = "a result sees many elements, and the accumulators differ";
      return verdict;
    }
    if (varied.empty() && read.empty()) read = read_behind_accumulator(library, profile, one->call());
    for (const OpCall& call : single_calls(library, one->call(), varied, read, known)) {
      Result<Pair> pair = pair_of(library, mutant, profile, call, varied);
      if (!pair) {
        verdict.reason = pair.error().what;
        return verdict;
      }
      ++sets;
      if (!pair->compare(verdict)) return verdict;
      const std::vector<std::vector<Real>> sweep = swept ? std::vector<std::vector<Real>>{} : parameter_sweep(pair->parameters());
      swept = true;
      for (const std::vector<Real>& values : sweep) {
        if (!pair->set(values)) continue;
        ++sets;
        if (!pair->compare(verdict)) return verdict;
      }
      if (verdict.reason = pair->why_not(); !verdict.reason.empty()) return verdict;
    }
  }
  verdict.equal = sets > 0;
  if (verdict.equal) verdict.proof = (varied.empty() ? "stairs behind the accumulator, " : "stairs, ") + std::to_string(sets) + " parameter sets";
  return verdict;
}

}  // namespace tiebreak
