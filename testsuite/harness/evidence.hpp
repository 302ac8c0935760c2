// SPDX-License-Identifier: Apache-2.0
// What was observed: cases with the outputs somebody saw. A candidate explains them, or there is a first element that it does not.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/harness/candidates.hpp"
#include "testsuite/harness/case.hpp"

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
};

/// One element that a candidate does not explain.
struct Witness {
  std::string inputs;
  std::string predicted;
  std::string answered;
};

struct Fit {
  std::size_t of = 0;          ///< elements observed
  std::size_t explained = 0;   ///< what is predicted, or left undefined
  std::size_t undefined = 0;   ///< of the explained ones, those the candidate leaves undefined
  std::optional<Witness> first{};
  bool explains_all() const { return explained == of; }
};

class Evidence {
 public:
  explicit Evidence(const Library& library) : library_(library) {}
  void add(Observation observation) { observations_.push_back(std::move(observation)); }
  const std::vector<Observation>& observations() const { return observations_; }
  std::size_t elements() const;

  Fit fit(const Profile& profile) const;
  /// Every element with its answer and what the profile predicts; at most `most`.
  std::vector<Witness> predictions(const Profile& profile, std::size_t most) const;
  /// Only whether everything is explained; stops at the first element that is not. What refuted the last profile is tried first.
  bool explains(const Profile& profile);

 private:
  Fit fit(const Profile& profile, const Observation& observation, bool until_first) const;
  const Library& library_;
  std::vector<Observation> observations_{};
  std::vector<std::size_t> order_{};
};

}  // namespace tiebreak
