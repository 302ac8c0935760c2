// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/shared_values.hpp"

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
  const std::vector<int>& all() const { return of_; }
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

/// Numbers every value of the first program, and finds those of the second among them.
class Numbering {
 public:
  Numbering(const ProgramSide& first, const ProgramFormulas& first_formulas, const ProgramSide& second, const ProgramFormulas& second_formulas,
            const EqualValues& equal)
      : first_(first),
        second_(second),
        a_(first.program),
        b_(second.program),
        formulas_(first_formulas),
        others_(second_formulas),
        equal_(equal),
        of_a_(a_),
        of_b_(b_) {}

  Result<SharedValues> all() {
    for (std::size_t i = 0; i < a_.inputs.size(); ++i) of_a_[a_.inputs[i]] = of_b_[b_.inputs[i]] = next_++;
    number_first();
    number_constants();
    for (std::size_t o = 0; o < b_.operations.size(); ++o) {
      const Operation* same = same_operation(o);
      const Operation& operation = b_.operations[o];
      for (std::size_t r = 0; r < operation.results.size(); ++r) {
        if (operation.results[r] < 0) continue;
        of_b_[operation.results[r]] = same != nullptr && same->results[r] >= 0 ? of_a_[same->results[r]] : next_++;
        if (same == nullptr) TIEBREAK_CHECK(find_equal(operation.results[r]));
      }
    }
    return SharedValues{of_a_.all(), of_b_.all(), shown_};
  }

 private:
  void number_first() {
    for (std::size_t v = 0; v < a_.values.size(); ++v)
      if (a_.values[v].constant) of_a_[static_cast<ValueId>(v)] = next_++;
    for (const Operation& operation : a_.operations)
      for (const ValueId id : operation.results)
        if (id >= 0) of_a_[id] = next_++;
  }

  void number_constants() {
    for (std::size_t v = 0; v < b_.values.size(); ++v) {
      if (!b_.values[v].constant) continue;
      int& number = of_b_[static_cast<ValueId>(v)];
      for (std::size_t w = 0; w < a_.values.size() && number < 0; ++w)
        if (a_.values[w].constant && equal_tensors(&*a_.values[w].constant, &*b_.values[v].constant)) number = of_a_[static_cast<ValueId>(w)];
      if (number < 0) number = next_++;
    }
  }

  const Operation* same_operation(std::size_t o) {
    const Operation& operation = b_.operations[o];
    const std::vector<int> operands = of_b_.of(operation.operands);
    for (std::size_t p = 0; p < a_.operations.size(); ++p) {
      const Operation& other = a_.operations[p];
      if (other.op == operation.op && other.version == operation.version && operation.regions.empty() && other.regions.empty() &&
          of_a_.of(other.operands) == operands && other.results.size() == operation.results.size() && same_attributes(other.attributes, operation.attributes) &&
          same_types(formulas_.calls()[p].results, others_.calls()[o].results) && read_alike(first_, formulas_, p, second_))
        return &other;
    }
    return nullptr;
  }

  /// The latest value of the first program that is shown to be equal: it has the longest way behind it.
  Status find_equal(ValueId id) {
    if (!equal_ || std::ranges::find(b_.outputs, id) != b_.outputs.end()) return {};  // an output's own verdict says more
    for (std::size_t p = a_.operations.size(); p-- > 0;)
      for (const ValueId candidate : a_.operations[p].results) {
        if (candidate < 0 || !same_type(formulas_.type_of(candidate), others_.type_of(id))) continue;
        TIEBREAK_TRY(found, equal_({of_a_.all(), of_b_.all(), shown_}, candidate, id));
        if (!found) continue;
        of_b_[id] = of_a_[candidate];
        shown_ = true;
        return {};
      }
    return {};
  }

  const ProgramSide &first_, &second_;
  const Program &a_, &b_;
  const ProgramFormulas &formulas_, &others_;
  const EqualValues& equal_;
  Numbers of_a_, of_b_;
  int next_ = 0;
  bool shown_ = false;
};

}  // namespace

Result<SharedValues> shared_values(const ProgramSide& first, const ProgramFormulas& first_formulas, const ProgramSide& second,
                                   const ProgramFormulas& second_formulas, const EqualValues& equal) {
  return Numbering(first, first_formulas, second, second_formulas, equal).all();
}

}  // namespace tiebreak
