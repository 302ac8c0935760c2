// SPDX-License-Identifier: Apache-2.0
// Beyond the profiles: semantics one choice away, combinations of alternatives that explain what no profile does, and how explanations relate.
#pragma once
#include <string>
#include <vector>

#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/candidates/probes.hpp"

namespace tiebreak {

/// Every candidate that differs from `base` in one choice.
std::vector<Candidate> neighbours(const Library& library, const Candidate& base, const std::vector<OpChoice>& choices);

/// The candidates that explain the most, best first.
std::vector<Candidate> nearest_candidates(const Evidence& evidence, const std::vector<Candidate>& candidates, std::size_t most);

/// The choices of which some alternative changes some prediction of some base on the observed inputs.
std::vector<OpChoice> reached_choices(const Library& library, const Evidence& evidence, const std::vector<Candidate>& bases,
                                      const std::vector<OpChoice>& choices);

struct SearchResult {
  std::vector<Candidate> explaining{};  ///< at most 128
  std::string tried{};                  ///< `214 single changes of onnx, reference`
};
/// One level of the search; a product beyond `limit` members is left out, and said to be.
SearchResult search_combinations(Evidence& evidence, const std::vector<Candidate>& bases, const std::vector<OpChoice>& choices, SearchLevel level,
                                 std::size_t limit);

/// How each candidate relates to the first over the pool.
struct Relations {
  std::vector<std::string> texts{};
  std::vector<bool> certain{};          ///< some input of the pool gives two different results
  std::vector<std::string> deciding{};  ///< such inputs
};
Result<Relations> relations_to_first(const Library& library, const std::vector<Candidate>& candidates, const std::vector<ProbeSet>& pool);
/// `not separated by the pool: equal on 12000 inputs of 40 parameter sets`.
std::string relation_text(Separation separation, const ProbePlan& plan);

}  // namespace tiebreak
