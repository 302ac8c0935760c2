// SPDX-License-Identifier: Apache-2.0
// What was observed: cases with the outputs somebody saw. A candidate explains them, or there is a first element that it does not.
// Semantics that leave an element undefined never explain the number that was answered there.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/candidates/candidates.hpp"
#include "testsuite/case/case.hpp"

namespace tiebreak {

struct Observation {
  Case test;
  std::vector<ResultTensor> answers{};  ///< one for each output; what the answerer itself calls undefined is marked
  /// For each output and element 1 where it does not count: nobody saw it, or other code computed it. Empty: all count.
  std::vector<std::vector<std::uint8_t>> left_out{};
  bool counts(std::size_t output, std::int64_t element) const {
    return output >= left_out.size() || left_out[output].empty() || left_out[output][static_cast<std::size_t>(element)] == 0;
  }
  std::size_t counted(std::size_t output) const;  ///< elements of an output that do
  /// The inputs behind one element of an output, for people.
  std::function<std::string(std::size_t output, std::int64_t element)> inputs{};
  /// For each output, then for each element: 1 where nothing was asked for, as the expected semantics leaves it undefined. A candidate that
  /// leaves it so, too, is not judged by it; one that states a value is.
  std::vector<std::vector<std::uint8_t>> unstated{};
  /// For each output elements at which a semantics is looked at first, before all that it gives is computed: those that many give otherwise. None are left out,
  /// unstated, or undefined in the answer. Empty: all is computed at once.
  std::vector<std::vector<std::int64_t>> telling{};
  bool is_unstated(std::size_t output, std::int64_t element) const {
    return output < unstated.size() && !unstated[output].empty() && unstated[output][static_cast<std::size_t>(element)] != 0;
  }
};

/// What becomes of a candidate that leaves an answered element undefined.
enum class OpenElement : std::uint8_t {
  passed_over,  ///< a system may do there what it likes: the candidate is judged by the other elements
  refuted,      ///< a cause of the number is looked for, and this is none
};

/// One element that a candidate does not explain.
struct Witness {
  std::string inputs;
  std::string predicted;
  std::string answered;
};

struct Fit {
  std::size_t of = 0;              ///< elements observed
  std::size_t explained = 0;       ///< predicted as they were answered
  std::size_t undefined = 0;       ///< passed over: a number was answered, the candidate leaves it undefined
  std::optional<Witness> first{};  ///< of what is not explained
  bool is_refuted() const { return explained + undefined != of; }
  /// No answer refutes it, and some answer is its own.
  bool explains_all() const { return !is_refuted() && explained > 0; }
};

/// Elements of one output of which both state a value, and not the same one.
std::size_t count_different(const ResultTensor& a, const ResultTensor& b);

class OneFormula;

class Evidence {
 public:
  explicit Evidence(const Library& library, OpenElement open = OpenElement::passed_over) : library_(library), open_(open) {}
  void add(Observation observation) { observations_.push_back(std::move(observation)); }
  const std::vector<Observation>& observations() const { return observations_; }
  std::size_t elements() const;

  Fit fit(const Profile& profile) const;
  /// Every element with its answer and what the profile predicts; at most `most`.
  std::vector<Witness> predictions(const Profile& profile, std::size_t most) const;
  /// Only whether everything is explained; stops at the first element that is not. What refuted the last profile is tried first.
  bool explains(const Profile& profile);
  /// Whether some answer contradicts the profile. One that leaves every answer undefined is not refuted, and explains nothing.
  bool refutes(const Profile& profile);

 private:
  Fit fit_until_refuted(const Profile& profile);
  Fit fit(const Profile& profile, std::size_t place, bool until_first) const;
  Fit whole_fit(const Profile& profile, const Observation& observation, bool until_first) const;
  std::optional<Witness> first_answer() const;
  const Library& library_;
  OpenElement open_;
  std::vector<Observation> observations_{};
  std::vector<std::size_t> order_{};
  mutable std::vector<std::shared_ptr<OneFormula>> formulas_{};  ///< of the first observations; nullptr: another kind
};

}  // namespace tiebreak
