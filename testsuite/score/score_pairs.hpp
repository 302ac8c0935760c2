// SPDX-License-Identifier: Apache-2.0
// Equal or not, by all pairs: an elementwise op whose operands have few codes together is compared with its mutant on every tuple of them.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "testsuite/prove/same_formula.hpp"
#include "testsuite/score/score_parameters.hpp"

namespace tiebreak {

struct StairVerdict;

/// The original's side of one cell: its results serve all the mutants. May be asked by several threads.
class PairReference {
 public:
  PairReference(const Library& library, const Profile& profile) : library_(library), profile_(profile) {}

  /// The parameter sets of the calls and a fixed sweep. Neither equal nor a witness where the op is not elementwise in so few codes.
  StairVerdict compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls);
  /// Every tuple of codes, where the result depends on codes alone: neither op nor mutant reads a scale, a zero point or another operand. That is all there is.
  StairVerdict compare_codes(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls);

 private:
  struct Known {
    std::once_flag once{};
    bool taken = false;  ///< the original takes these parameters
    std::vector<ResultTensor> results{};
  };
  Known& known(const std::string& key);
  /// nullopt: the original does not take the call. What differs stands in the verdict.
  std::optional<bool> equal(const Library& mutant, const OpCall& call, const std::string& key, StairVerdict& verdict);

  const Library& library_;
  const Profile& profile_;
  std::mutex lock_{};
  std::map<std::string, std::unique_ptr<Known>> known_{};
};

}  // namespace tiebreak
