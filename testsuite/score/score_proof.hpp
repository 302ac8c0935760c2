// SPDX-License-Identifier: Apache-2.0
// Equal or not, by stairs: an op that is a function of one number is compared with its mutant over the whole of that number's type.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/prove/same_formula.hpp"
#include "testsuite/score/score_pairs.hpp"
#include "testsuite/score/score_parameters.hpp"

namespace tiebreak {

struct StairVerdict {
  bool equal = false;
  std::string proof{};    ///< of equal: `stairs, 93 parameter sets`
  std::string witness{};  ///< an input with different results, if there is one
  std::string reason{};   ///< of neither: why stairs say nothing
};

/// The original's side of one cell: what is found of it once serves all its mutants. May be asked by several threads.
class StairReference {
 public:
  StairReference(const Library& library, const Profile& profile) : library_(library), profile_(profile), pairs_(library, profile) {}

  /// The parameter sets of the calls and a fixed sweep. Neither equal nor a witness where the op is no function of one number.
  StairVerdict compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls);
  PairReference& pairs() { return pairs_; }  ///< for ops of several numbers

 private:
  friend class StairComparison;
  struct Known {
    std::once_flag once{};
    bool taken = false;  ///< the original takes these parameters
    std::shared_ptr<const Staircase> stairs{};
    std::string reason{};  ///< why there are none
  };
  Known& known(const std::string& key);
  const std::vector<SingleCall>& singles(const BoundCall& call, const std::string& varied, const std::set<std::string>& read);

  const Library& library_;
  const Profile& profile_;
  PairReference pairs_;
  std::mutex lock_{};
  std::map<std::string, std::unique_ptr<Known>> known_{};
  std::map<const BoundCall*, std::unique_ptr<std::vector<SingleCall>>> singles_{};
};

}  // namespace tiebreak
