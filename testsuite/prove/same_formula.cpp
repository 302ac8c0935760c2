// SPDX-License-Identifier: Apache-2.0
#include "testsuite/prove/same_formula.hpp"

#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/ranges/accumulator.hpp"
#include "testsuite/prove/formula_comparison.hpp"
#include "testsuite/prove/zero_cases.hpp"

namespace tiebreak {
namespace {

bool compare(const Formula& a, const Formula& b, bool simplify, const std::set<std::string>& zero_facts, bool by_cases = false) {
  if (!same_places(a.geometry, b.geometry)) return false;
  FormulaComparison comparison(a, b, simplify);
  comparison.assume_zero(zero_facts);
  return comparison.equal_results(by_cases ? comparison.splits() : std::vector<ProofSplit>{});
}

}  // namespace

bool same_accumulator(const Library& first, const Library& second, const Profile& profile, const OpCall& call, std::size_t result) {
  const Result<Formula> a = bind({first, profile}, call), b = bind({second, profile}, call);
  if (!a || !b || result >= a->results.size() || result >= b->results.size()) return false;
  const auto one = accumulator_of(*a, a->results[result].node), other = accumulator_of(*b, b->results[result].node);
  if (!one || !other || !(one->type == other->type)) return false;
  FormulaComparison comparison(*a, *b, true);
  comparison.assume_zero(zero_by_constraint(first, call.op));
  return comparison.equal(one->node, other->node, !one->type.is_integer());
}

Result<std::shared_ptr<const BoundCall>> BoundCall::bind(const Semantics& semantics, OpCall call) {
  auto bound = std::make_shared<BoundCall>();
  bound->call_ = std::move(call);
  TIEBREAK_TRY(formula, tiebreak::bind(semantics, bound->call_));
  bound->formula_ = std::move(formula);
  return std::shared_ptr<const BoundCall>(std::move(bound));
}

Result<bool> BoundCall::same_by_cases(const Semantics& other) const {
  TIEBREAK_TRY(formula, tiebreak::bind(other, call_));
  return compare(formula_, formula, true, zero_by_constraint(other.library, call_.op), true);
}

Result<Likeness> BoundCall::likeness(const Semantics& other) const {
  TIEBREAK_TRY(formula, tiebreak::bind(other, call_));
  if (compare(formula_, formula, false, {})) return Likeness::identical;
  return compare(formula_, formula, true, zero_by_constraint(other.library, call_.op)) ? Likeness::same : Likeness::unknown;
}

}  // namespace tiebreak
