// SPDX-License-Identifier: Apache-2.0
// Equal or not, by all pairs: an elementwise op whose operands have few codes together is compared with its mutant on every tuple of them.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interpreter/evaluate/same_formula.hpp"
#include "testsuite/harness/score_parameters.hpp"

namespace tiebreak {

struct StairVerdict;

/// Elementwise operands with more bits than this have too many tuples.
constexpr int most_pair_bits = 17;

/// The original's side of one cell: its results serve all the mutants. May be asked by several threads.
class PairReference {
 public:
  PairReference(const Library& library, const Profile& profile) : library_(library), profile_(profile) {}

  /// The parameter sets of the calls and a fixed sweep. Neither equal nor a witness where the op is not elementwise in so few codes.
  StairVerdict compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls);

 private:
  struct Known {
    std::once_flag once{};
    bool taken = false;  ///< the original takes these parameters
    std::vector<ResultTensor> results{};
  };
  Known& known(const std::string& key);

  const Library& library_;
  const Profile& profile_;
  std::mutex lock_{};
  std::map<std::string, std::unique_ptr<Known>> known_{};
};

/// The call with every tuple of codes in its elementwise operands; an error where it has none, or too many.
Result<OpCall> with_all_pairs(const Library& library, OpCall call);

}  // namespace tiebreak
