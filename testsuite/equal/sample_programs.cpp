// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/sample_programs.hpp"

#include <algorithm>

#include "testsuite/equal/tally.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak {
namespace {

/// Constants of a program that may be the width of a step.
void add_widths(const Program& program, std::vector<Real>& widths) {
  for (const ProgramValue& value : program.values) {
    if (!value.constant || !value.constant->element().is_float() || value.constant->size() == 0 || widths.size() > 12) continue;
    const Real number = value.constant->value(0);
    if (number.is_finite() && !number.is_zero()) widths.push_back(abs(number));
  }
}

/// One draw of all inputs.
std::vector<Tensor> drawn(const SampledInputs& inputs, const std::vector<std::vector<std::uint64_t>>& candidates, PseudoRandom& random) {
  std::vector<Tensor> tensors = inputs.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (inputs.roles[i] == InputRole::fixed) continue;
    std::uint64_t code = candidates[i][random.below(candidates[i].size())];
    for (std::int64_t e = 0; e < tensors[i].size(); ++e) {
      tensors[i].set_code(e, code);
      if (inputs.roles[i] == InputRole::free) code = candidates[i][random.below(candidates[i].size())];
    }
  }
  return tensors;
}

/// Tensors of other sizes differ, whatever stands in them.
void count_sizes(const ResultTensor& a, const ResultTensor& b, const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles,
                 ElementVerdict& verdict) {
  ++verdict.inputs;
  ++verdict.differing;
  if (verdict.witness) return;
  verdict.witness = witness_at(tensors, roles, 0);
  verdict.witness->first = to_text(a.tensor.type());
  verdict.witness->second = to_text(b.tensor.type());
}

void count(const ResultTensor& a, const ResultTensor& b, const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles, ElementVerdict& verdict) {
  if (!same_type(a.tensor.type(), b.tensor.type())) return count_sizes(a, b, tensors, roles, verdict);
  const ElementType& type = a.tensor.element();
  bool is_smaller = !verdict.witness || witness_at(tensors, roles, 0).magnitude < verdict.witness->magnitude;
  for (std::int64_t e = 0; e < a.tensor.size(); ++e) {
    ++verdict.inputs;
    if (a.is_undefined(e) || b.is_undefined(e)) {
      ++verdict.undefined;
      continue;
    }
    if (same_result(type, a.tensor.code(e), b.tensor.code(e))) continue;
    count_difference(a.tensor, b.tensor, e, verdict);
    if (!is_smaller) continue;
    is_smaller = false;  // all elements have the same inputs
    verdict.witness = witness_of(tensors, roles, a, b, e);
  }
}

}  // namespace

Result<ElementVerdict> sample_programs(const ProgramSide& first, const ProgramSide& second, const SampledInputs& inputs) {
  std::vector<Real> widths{Real(1)};
  add_widths(first.program, widths);
  add_widths(second.program, widths);
  std::vector<std::vector<std::uint64_t>> candidates;
  for (const LeafDomain& domain : inputs.domains) candidates.push_back(domain.codes_at_ties(widths));
  ElementVerdict verdict{.way = "inputs at ties and beside them", .counted = false};
  PseudoRandom random(inputs.limits.seed);
  const bool nothing_varies = std::ranges::all_of(inputs.roles, [](InputRole role) { return role == InputRole::fixed; });
  std::uint64_t runs = 0;
  while (static_cast<std::uint64_t>(verdict.inputs) < inputs.limits.samples && runs++ < inputs.limits.samples) {
    const std::vector<Tensor> tensors = drawn(inputs, candidates, random);
    const auto a = evaluate(first.semantics(), first.program, tensors);
    const auto b = evaluate(second.semantics(), second.program, tensors);
    TIEBREAK_CHECK(first.library.stop().check());
    if (!a || !b) {
      ++verdict.refused;
      continue;
    }
    count((*a)[inputs.output], (*b)[inputs.output], tensors, inputs.roles, verdict);
    if (nothing_varies) break;
  }
  verdict.verdict = verdict.differing > 0 ? Verdict::differ : nothing_varies ? Verdict::equal : Verdict::undecided;
  return unless_empty(std::move(verdict));
}

}  // namespace tiebreak
