// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/cut_witness.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "testsuite/equal/output_comparison.hpp"
#include "testsuite/equal/program_parts.hpp"
#include "testsuite/equal/tally.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak {
namespace {

constexpr int most_trials = 4000;
constexpr std::size_t most_visits = 1 << 16;

/// The input elements that an element of a value depends on; all of an operand's where its places are not known.
class Dependence {
 public:
  explicit Dependence(const ProgramFormulas::Parts& parts) : parts_(parts) {}
  void add(ValueId id, std::int64_t element) {
    const auto v = static_cast<std::size_t>(id);
    if (parts_.constants[v] || visited_.size() > most_visits || !visited_.insert({id, element}).second) return;
    if (const auto input = parts_.input_of[v]) {
      leaves_.insert({*input, parts_.roles[*input] == InputRole::shared ? 0 : element});
      return;
    }
    if (parts_.producers[v]) add_operands(*parts_.producers[v], element);
  }
  std::vector<Leaf> leaves() const { return {leaves_.begin(), leaves_.end()}; }

 private:
  void add_operands(const ProgramFormulas::Parts::Producer& producer, std::int64_t element) {
    const ProgramFormulas::Parts::BoundOperation& bound = parts_.operations[producer.operation];
    const Operation& operation = parts_.program->operations[producer.operation];
    const std::size_t part = bound.formulas.size() > 1 ? producer.result : 0;
    if (bound.unusable || bound.formulas[part].results[bound.formulas.size() > 1 ? 0 : producer.result].per_item) {
      for (const ValueId id : operation.operands)
        for (std::int64_t e = 0, n = size_of(id); e < n; ++e) add(id, e);
      return;
    }
    const Formula& formula = bound.formulas[part];
    std::vector<std::int64_t> cell(formula.geometry.cell_extents.size()), item(formula.geometry.item_extents.size());
    unravel(formula.results[bound.formulas.size() > 1 ? 0 : producer.result].single ? 0 : element, formula.geometry.cell_extents, cell);
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, formula.geometry.items()); ++i) {
      unravel(i, formula.geometry.item_extents, item);
      for (std::size_t s = 0; s < formula.sources.size(); ++s) {
        const int operand = bound.operand_of[part][s];
        if (operand < 0) continue;
        const std::int64_t offset = formula.sources[s].access.offset(cell, item);
        if (offset >= 0) add(operation.operands[static_cast<std::size_t>(operand)], offset);
      }
    }
  }

  std::int64_t size_of(ValueId id) const { return id < 0 ? 0 : element_count(parts_.types[static_cast<std::size_t>(id)].shape).value_or(0); }

  const ProgramFormulas::Parts& parts_;
  std::set<std::pair<ValueId, std::int64_t>> visited_{};
  std::set<Leaf> leaves_{};
};

class Search {
 public:
  Search(const ComparedPrograms& programs, std::size_t output, const CutWitness& wanted)
      : programs_(programs), output_(output), wanted_(wanted), random_(programs.limits.seed), tensors_(programs.inputs.tensors) {}

  Result<std::optional<ElementWitness>> run() {
    choose_leaves();
    TIEBREAK_TRY(start, distance());
    double best = start;
    for (int trial = 0; trial < most_trials; ++trial) {
      TIEBREAK_CHECK(programs_.first.library.stop().check());
      if (trial == 0 || reached_) {
        if (auto found = difference()) return found;
      }
      if (free_.empty()) break;
      const Leaf& leaf = free_[random_.below(free_.size())];
      const std::uint64_t before = tensors_[leaf.input].code(leaf.element);
      set(leaf, drawn(leaf));
      TIEBREAK_TRY(now, distance());
      reached_ = now <= best;
      if (reached_) best = now;
      else set(leaf, before);
    }
    return std::optional<ElementWitness>{};
  }

 private:
  void choose_leaves() {
    const std::size_t inputs = tensors_.size();
    Dependence dependence(programs_.a.parts());
    std::set<Leaf> held;
    for (const auto& [leaf, value] : wanted_.witness.inputs) {
      if (leaf.input >= inputs) {
        dependence.add(wanted_.cuts->of_first[leaf.input - inputs], leaf.element);
        continue;
      }
      const ElementType& type = tensors_[leaf.input].element();
      set(leaf, type.is_boolean() ? (value.is_zero() ? 0 : 1) : type.encode(value).value_or(0));
      held.insert(leaf);
    }
    for (const Leaf& leaf : dependence.leaves())
      if (!held.contains(leaf)) free_.push_back(leaf);
    for (const Leaf& leaf : free_)
      if (!candidates_.contains(leaf.input)) candidates_[leaf.input] = domain_of(programs_.inputs, leaf).codes_at_ties({Real(1)});
  }

  /// Small types anywhere, others where roundings are decided.
  std::uint64_t drawn(const Leaf& leaf) {
    const LeafDomain domain = domain_of(programs_.inputs, leaf);
    const int bits = domain.type.element.bits();
    if (domain.codes.empty() && !domain.type.quantized && bits <= 16 && !domain.type.element.is_boolean()) return random_.below(std::uint64_t{1} << bits);
    const std::vector<std::uint64_t>& codes = candidates_.at(leaf.input);
    return codes[random_.below(codes.size())];
  }

  void set(const Leaf& leaf, std::uint64_t code) {
    Tensor& tensor = tensors_[leaf.input];
    if (programs_.inputs.roles[leaf.input] != InputRole::shared) tensor.set_code(leaf.element, code);
    else
      for (std::int64_t e = 0; e < tensor.size(); ++e) tensor.set_code(e, code);
  }

  /// How far the cuts' values are from those wanted; infinite where the programs refuse the inputs.
  Result<double> distance() {
    const auto calls = reach_calls(programs_.first.semantics(), programs_.first.program, tensors_);
    if (!calls) {
      TIEBREAK_CHECK(programs_.first.library.stop().check());
      return HUGE_VAL;
    }
    double sum = 0;
    for (const auto& [leaf, value] : wanted_.witness.inputs) {
      if (leaf.input < tensors_.size()) continue;
      const auto v = static_cast<std::size_t>(wanted_.cuts->of_first[leaf.input - tensors_.size()]);
      const ProgramFormulas::Parts::Producer& producer = *programs_.a.parts().producers[v];
      const ResultTensor& result = (*calls)[producer.operation].results[producer.result];
      if (leaf.element >= result.tensor.size() || result.is_undefined(leaf.element)) return HUGE_VAL;
      const Real here = result.tensor.value(leaf.element);
      if (here.identical(value)) continue;
      const double apart = here.is_finite() && value.is_finite() ? std::fabs((here - value).to_double()) : HUGE_VAL;
      sum += std::max(apart, 1e-300);
    }
    return sum;
  }

  /// Both programs, run.
  std::optional<ElementWitness> difference() {
    const auto a = evaluate(programs_.first.semantics(), programs_.first.program, tensors_);
    const auto b = evaluate(programs_.second.semantics(), programs_.second.program, tensors_);
    if (!a || !b) return std::nullopt;
    const ResultTensor &x = (*a)[output_], &y = (*b)[output_];
    const std::int64_t e = wanted_.element;
    if (e >= x.tensor.size() || e >= y.tensor.size() || x.is_undefined(e) || y.is_undefined(e)) return std::nullopt;
    if (same_result(x.tensor.element(), x.tensor.code(e), y.tensor.code(e))) return std::nullopt;
    return witness_of(tensors_, programs_.inputs.roles, x, y, e);
  }

  const ComparedPrograms& programs_;
  std::size_t output_;
  const CutWitness& wanted_;
  PseudoRandom random_;
  std::vector<Tensor> tensors_;
  std::vector<Leaf> free_{};
  std::map<std::size_t, std::vector<std::uint64_t>> candidates_{};
  bool reached_ = false;
};

}  // namespace

Result<std::optional<ElementWitness>> inputs_at(const ComparedPrograms& programs, std::size_t output, const CutWitness& wanted) {
  return Search(programs, output, wanted).run();
}

}  // namespace tiebreak
