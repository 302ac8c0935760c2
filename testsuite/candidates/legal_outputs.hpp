// SPDX-License-Identifier: Apache-2.0
// What is right for the outputs of a case where its profile leaves something open: an order (legal_results.hpp), or a choice between alternatives, each of
// which may stand in each element.
#pragma once
#include <memory>

#include "interpreter/orders/stated_set.hpp"
#include "testsuite/case/case.hpp"

namespace tiebreak {

/// Of one output.
struct LegalOutput {
  std::shared_ptr<const LegalResults> orders{};                     ///< of the op that computes it, or what follows from ops before it; none: nothing is open
  std::size_t result = 0;                                           ///< which of the results that are judged together
  std::vector<std::shared_ptr<const ResultTensor>> alternatives{};  ///< the output by other alternatives of open choices
  std::shared_ptr<StatedSet> set{};                                 ///< of a large output in place of `orders`: its elements are found when they are asked for
  std::string why{};                                                ///< of intervals, and where nothing is known

  /// `{77, 127}` with every member, `0.5 .. 0.75`, or `?`; the value alone where there is one.
  std::string text(std::int64_t index, const ResultTensor& computed) const;
  /// Of `orders` or of the set; nothing where there is neither.
  std::optional<LegalElement> element(std::int64_t index) const;
};

/// One entry an output, nothing where a profile leaves nothing open. With `any_order` the orders that the profile binds are open as well.
Result<std::vector<std::optional<LegalOutput>>> legal_outputs(const Semantics& semantics, const Case& test, bool any_order = false);

/// Where the elements of an answer stand among what is right for one output. Results of one op are judged together.
class Standings {
 public:
  /// `answers`: what was answered for each output, nullptr where it is not to be compared. All is kept by reference, and there is something open in the output.
  Standings(const std::vector<std::optional<LegalOutput>>& legal, const std::vector<const Tensor*>& answers, std::size_t output);
  Standing at(std::int64_t index) const;

 private:
  const LegalOutput& own_;
  const Tensor& answer_;
  std::vector<const Tensor*> results_;
};

/// Nested lists of these texts.
std::string legal_text(const LegalOutput& legal, const ResultTensor& computed);

}  // namespace tiebreak
