// SPDX-License-Identifier: Apache-2.0
// A value of one program against a value of the other, element by element, by every way that leads over all inputs; what is left is looked for differences.
#pragma once
#include <vector>

#include "testsuite/equal/cut_values.hpp"

namespace tiebreak {

/// Two programs with all that is known of them.
struct ComparedPrograms {
  const ProgramSide &first, &second;
  const ProgramFormulas &a, &b;
  const ProgramInputs& inputs;
  const ElementQuestion& limits;  ///< without domains
  ValueFacts first_facts{}, second_facts{};
  CutValues latest{}, heavy{};
};

/// Fills in what follows the first five: facts of all values, those that are shared, where programs may be cut.
Result<SharedValues> find_shared(ComparedPrograms& programs);

/// Elements with one pair of formulas up to which leaves they read, each compared once. `cuts` may be nullptr; `limits` without domains. Errc::unsupported,
/// Errc::limit where some element has no formula.
Result<std::vector<ElementClass>> compare_by_elements(const ComparedPrograms& programs, ValueId of_first, ValueId of_second, const CutValues* cuts,
                                                      const ElementQuestion& limits);

/// All classes of an output.
Result<std::vector<ElementClass>> compare_output(const ComparedPrograms& programs, std::size_t output);

/// Values to be called equal on the way: those of few elements, that agree wherever both programs are tried.
class EqualOnTheWay {
 public:
  explicit EqualOnTheWay(const ComparedPrograms& programs) : programs_(programs) {}
  Result<bool> operator()(const SharedValues& so_far, ValueId of_first, ValueId of_second);

 private:
  Result<bool> agree_when_run(ValueId of_first, ValueId of_second);
  Status run();
  const ComparedPrograms& programs_;
  std::vector<std::vector<ReachedCall>> first_runs_{}, second_runs_{};
  bool is_run_ = false;
};

}  // namespace tiebreak
