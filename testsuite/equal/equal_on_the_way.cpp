// SPDX-License-Identifier: Apache-2.0
// Values in the middle of two programs that are written in two ways and give the same.
#include <algorithm>

#include "testsuite/equal/output_comparison.hpp"
#include "testsuite/equal/program_parts.hpp"
#include "testsuite/equal/tally.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t few_elements = 64;
constexpr int tried_inputs = 4;
constexpr std::uint64_t few_combinations = 1 << 16;

const ResultTensor& result_of(const ProgramFormulas& formulas, const std::vector<ReachedCall>& calls, ValueId id) {
  const ProgramFormulas::Parts::Producer& producer = *formulas.parts().producers[static_cast<std::size_t>(id)];
  return calls[producer.operation].results[producer.result];
}

}  // namespace

Result<SharedValues> find_shared(ComparedPrograms& programs) {
  TIEBREAK_TRY(first_facts, facts_of(programs.first.semantics(), programs.a, programs.inputs));
  TIEBREAK_TRY(second_facts, facts_of(programs.second.semantics(), programs.b, programs.inputs));
  programs.first_facts = std::move(first_facts);
  programs.second_facts = std::move(second_facts);
  TIEBREAK_TRY(shared, shared_values(programs.first, programs.a, programs.second, programs.b, EqualOnTheWay(programs)));
  programs.latest = cuts_of(programs.first, programs.a, programs.first_facts, programs.b, programs.second_facts, shared, false);
  programs.heavy = cuts_of(programs.first, programs.a, programs.first_facts, programs.b, programs.second_facts, shared, true);
  return std::move(shared);
}

Status EqualOnTheWay::run() {
  is_run_ = true;
  PseudoRandom random(programs_.limits.seed);
  for (int i = 0; i < tried_inputs; ++i) {
    TIEBREAK_CHECK(programs_.first.library.stop().check());
    std::vector<Tensor> tensors = programs_.inputs.tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (programs_.inputs.roles[t] == InputRole::fixed) continue;
      const std::vector<std::uint64_t> codes = domain_of(programs_.inputs, {t, 0}).codes_at_ties({Real(1)});
      std::uint64_t code = codes[random.below(codes.size())];
      for (std::int64_t e = 0; e < tensors[t].size(); ++e) {
        tensors[t].set_code(e, code);
        if (programs_.inputs.roles[t] == InputRole::free) code = codes[random.below(codes.size())];
      }
    }
    auto a = reach_calls(programs_.first.semantics(), programs_.first.program, tensors);
    auto b = reach_calls(programs_.second.semantics(), programs_.second.program, tensors);
    if (!a || !b) continue;
    first_runs_.push_back(*std::move(a));
    second_runs_.push_back(*std::move(b));
  }
  return {};
}

Result<bool> EqualOnTheWay::agree_when_run(ValueId of_first, ValueId of_second) {
  if (!is_run_) TIEBREAK_CHECK(run());
  for (std::size_t i = 0; i < first_runs_.size(); ++i) {
    const ResultTensor &x = result_of(programs_.a, first_runs_[i], of_first), &y = result_of(programs_.b, second_runs_[i], of_second);
    if (!same_type(x.tensor.type(), y.tensor.type())) return false;
    for (std::int64_t e = 0; e < x.tensor.size(); ++e)
      if (!x.is_undefined(e) && !y.is_undefined(e) && !same_result(x.tensor.element(), x.tensor.code(e), y.tensor.code(e))) return false;
  }
  return true;
}

Result<bool> EqualOnTheWay::operator()(const SharedValues& so_far, ValueId of_first, ValueId of_second) {
  const auto v = static_cast<std::size_t>(of_first), w = static_cast<std::size_t>(of_second);
  const ProgramFormulas::Parts &a = programs_.a.parts(), &b = programs_.b.parts();
  if (!a.producers[v] || !b.producers[w] || a.varies[v] == 0 || b.varies[w] == 0) return false;
  if (!programs_.first_facts.open[v].empty() || !programs_.second_facts.open[w].empty()) return false;
  if (element_count(a.types[v].shape).value_or(0) > few_elements) return false;
  TIEBREAK_TRY(agree, agree_when_run(of_first, of_second));
  if (!agree) return false;
  ElementQuestion limits = programs_.limits;
  limits.samples = 0;
  limits.combinations = std::min(limits.combinations, few_combinations);
  const CutValues latest = cuts_of(programs_.first, programs_.a, programs_.first_facts, programs_.b, programs_.second_facts, so_far, false);
  for (const CutValues* cuts : {static_cast<const CutValues*>(nullptr), &latest}) {
    if (cuts != nullptr && cuts->empty()) continue;
    const auto classes = compare_by_elements(programs_, of_first, of_second, cuts, limits);
    TIEBREAK_CHECK(programs_.first.library.stop().check());
    if (classes && std::ranges::all_of(*classes, [](const ElementClass& one) { return one.verdict.verdict == Verdict::equal; })) return true;
  }
  return false;
}

}  // namespace tiebreak
