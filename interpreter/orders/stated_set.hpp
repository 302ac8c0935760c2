// SPDX-License-Identifier: Apache-2.0
// A result that is a set any.F(a, b) with nothing behind it: both ends of it, of as many elements as somebody asks for.
#pragma once
#include <memory>
#include <optional>

#include "interpreter/fast/fast_evaluator.hpp"
#include "interpreter/orders/legal_results.hpp"

namespace tiebreak {

/// Whether the result of a formula is one set, of each cell by itself.
bool is_set_alone(const Formula& formula, const FormulaResult& result);
/// From the ends of a set; unknown where one of them is no number.
LegalElement set_element(const Value& low, const Value& high);

/// Of a call with one result, element by element: an answer that differs in few places of a large tensor needs no more. Where they lie close together the
/// elements between them are computed as well, many at once.
class StatedSet {
 public:
  /// Nothing where the result is no such set. The call is kept.
  static Result<std::shared_ptr<StatedSet>> of(const Semantics& semantics, OpCall call);
  StatedSet(const StatedSet&) = delete;
  StatedSet& operator=(const StatedSet&) = delete;

  LegalElement at(std::int64_t element);
  /// Whether another value than the computed one is right for it, where machine numbers decide that: the kind and the ends of at() do always.
  std::optional<bool> holds(const Tensor& answer, std::int64_t element);

 private:
  StatedSet() = default;

  /// Both ends of some elements from `first` on.
  struct Ends {
    std::int64_t first = 0, count = 0;
    const Column *low = nullptr, *high = nullptr;
  };
  bool find(std::int64_t element);
  bool compute(std::int64_t first, std::int64_t count);

  OpCall call_{};
  Formula formula_{};
  std::unique_ptr<FastEvaluator> evaluator_{};
  Ends ends_{};
  std::int64_t asked_ = -1, asked_count_ = 0, ahead_ = 1;  ///< the last one that was asked for, how many of these, and how many are computed at once
};

}  // namespace tiebreak
