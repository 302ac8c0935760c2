// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/same_operations.hpp"

#include <algorithm>
#include <map>

#include "testsuite/prove/formula_comparison.hpp"
#include "testsuite/prove/same_formula.hpp"

namespace tiebreak {
namespace {

/// Values of both programs by number: the same number, the same value.
class Numbers {
 public:
  explicit Numbers(const Program& program) : of_(program.values.size(), -1) {}
  int& operator[](ValueId id) { return of_[static_cast<std::size_t>(id)]; }
  std::vector<int> of(const std::vector<ValueId>& ids) const {
    std::vector<int> numbers;
    for (const ValueId id : ids) numbers.push_back(id < 0 ? -1 : of_[static_cast<std::size_t>(id)]);
    return numbers;
  }

 private:
  std::vector<int> of_;
};

bool same_attributes(const AttributeMap& a, const AttributeMap& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.first == y.first && to_text(x.second) == to_text(y.second); });
}

/// The same results for the same operands under both profiles.
bool read_alike(const ProgramSide& first, const ProgramFormulas& formulas, std::size_t operation, const ProgramSide& second) {
  if (&first.library == &second.library && first.profile.hash == second.profile.hash) return true;
  if (!formulas.holds_for_all_values(operation)) return false;
  const OpCall& call = formulas.calls()[operation].call;
  const auto bound = BoundCall::bind(first.semantics(), call);
  if (!bound) return false;
  const auto likeness = (*bound)->likeness(second.semantics());
  return likeness && *likeness != Likeness::unknown;
}

bool same_types(const std::vector<ResultTensor>& a, const std::vector<ResultTensor>& b) {
  return std::ranges::equal(a, b, [](const ResultTensor& x, const ResultTensor& y) { return same_type(x.tensor.type(), y.tensor.type()); });
}

}  // namespace

std::vector<bool> same_operations(const ProgramSide& first, const ProgramFormulas& first_formulas, const ProgramSide& second,
                                  const ProgramFormulas& second_formulas) {
  const Program &a = first.program, &b = second.program;
  Numbers of_a(a), of_b(b);
  int next = 0;
  for (std::size_t i = 0; i < a.inputs.size(); ++i) of_a[a.inputs[i]] = of_b[b.inputs[i]] = next++;
  for (std::size_t v = 0; v < a.values.size(); ++v)
    if (a.values[v].constant) of_a[static_cast<ValueId>(v)] = next++;
  for (const Operation& operation : a.operations)
    for (const ValueId id : operation.results)
      if (id >= 0) of_a[id] = next++;
  for (std::size_t v = 0; v < b.values.size(); ++v) {
    if (!b.values[v].constant) continue;
    for (std::size_t w = 0; w < a.values.size() && of_b[static_cast<ValueId>(v)] < 0; ++w)
      if (a.values[w].constant && equal_tensors(&*a.values[w].constant, &*b.values[v].constant)) of_b[static_cast<ValueId>(v)] = of_a[static_cast<ValueId>(w)];
    if (of_b[static_cast<ValueId>(v)] < 0) of_b[static_cast<ValueId>(v)] = next++;
  }
  for (std::size_t o = 0; o < b.operations.size(); ++o) {
    const Operation& operation = b.operations[o];
    const std::vector<int> operands = of_b.of(operation.operands);
    const Operation* same = nullptr;
    for (std::size_t p = 0; p < a.operations.size() && same == nullptr; ++p) {
      const Operation& other = a.operations[p];
      if (other.op == operation.op && other.version == operation.version && operation.regions.empty() && other.regions.empty() &&
          of_a.of(other.operands) == operands && other.results.size() == operation.results.size() && same_attributes(other.attributes, operation.attributes) &&
          same_types(first_formulas.calls()[p].results, second_formulas.calls()[o].results) && read_alike(first, first_formulas, p, second))
        same = &other;
    }
    for (std::size_t r = 0; r < operation.results.size(); ++r)
      if (operation.results[r] >= 0) of_b[operation.results[r]] = same != nullptr && same->results[r] >= 0 ? of_a[same->results[r]] : next++;
  }
  std::vector<bool> same;
  for (std::size_t i = 0; i < a.outputs.size(); ++i) same.push_back(of_a[a.outputs[i]] == of_b[b.outputs[i]]);
  return same;
}

}  // namespace tiebreak
