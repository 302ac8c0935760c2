// SPDX-License-Identifier: Apache-2.0
// An observed call of one op that is one formula. Of such a semantics can be judged without computing all that it gives: at a few elements, where it is refuted
// by them, or by another one that binds to the same formula.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/formula/formula.hpp"
#include "interpreter/semantics/library.hpp"
#include "testsuite/candidates/observed_cases.hpp"

namespace tiebreak {

class OneFormula {
 public:
  /// Nothing where the observation is of another kind.
  static std::shared_ptr<OneFormula> of(const Library& library, const Observation& observation);
  OneFormula() = default;
  OneFormula(const OneFormula&) = delete;  // formulas look at the call
  OneFormula& operator=(const OneFormula&) = delete;

  /// Nothing where the call does not bind.
  std::optional<Formula> bind(const Semantics& semantics) const;

  /// Whether the formula gives something else than was answered, or nothing, at one of the elements that the observation calls telling. What costs too much is
  /// not looked at.
  bool is_refuted_early(const Formula& formula, const Observation& observation);

  /// What was found of a semantics with this formula; of all its elements, if that is asked for.
  const Fit* known(const Formula& formula, bool of_all) const;
  /// `of_all`: the fit did not end at the first element that is not explained.
  void remember(Formula formula, Fit fit, bool of_all);

 private:
  struct Known {
    Formula formula{};
    Fit fit{};
    bool of_all = false;
  };
  struct Place {
    std::int64_t element = 0, cell = 0, item = 0;
  };
  const std::vector<Place>& places_of(const Formula& formula, const Observation& observation, std::size_t output);

  OpCall call_{};
  std::vector<Known> known_{};
  std::map<std::size_t, std::vector<Place>> places_{};  ///< of the telling elements of results with an element an item
};

}  // namespace tiebreak
