// SPDX-License-Identifier: Apache-2.0
// Candidates put to the backend, a few at a time: which is the first that still fails as the case does?
#pragma once
#include <optional>

#include "testsuite/check/expectation.hpp"
#include "testsuite/reduce/reduce.hpp"

namespace tiebreak {

class ReductionQuestions {
 public:
  ReductionQuestions(const Semantics& semantics, Backend& backend, const ReduceOptions& options)
      : library_(semantics.library), profile_(semantics.profile), backend_(backend), options_(options) {}

  struct Answer {
    Case test;
    Expectation expectation{};
    CaseReport report{};
    std::vector<ExchangeTensor> outputs{};
  };
  /// The verdict on one case.
  Result<Answer> ask(const Case& test);
  /// Makes candidates one after the other and asks them in batches; the first that fails within `wanted` becomes the case. A candidate that
  /// was asked before, has no expectation, or cannot be made (nullopt) is passed over without a question.
  using Maker = std::function<std::optional<Case>(std::size_t index)>;
  std::optional<std::size_t> first_alike(std::size_t count, const Maker& make, const FailureKind& wanted, Case& test);
  /// Whether the profile says what the case gives.
  bool is_possible(const Case& test) const;
  bool is_over() const;
  std::size_t asked() const { return asked_; }

 private:
  std::vector<Answer> judge_all(std::vector<Answer> batch);
  const Library& library_;
  const Profile& profile_;
  Backend& backend_;
  const ReduceOptions& options_;
  std::size_t asked_ = 0;
  std::set<std::string> seen_{};
};

}  // namespace tiebreak
