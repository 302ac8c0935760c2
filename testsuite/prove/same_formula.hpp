// SPDX-License-Identifier: Apache-2.0
// A proof that two readings of an op give the same results for a call: their bound formulas are the same graph, up to conversions
// that change no value their argument can have.
#pragma once
#include <memory>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

enum class Likeness : std::uint8_t {
  identical,  ///< not one node differs: the change is not reached
  same,       ///< nodes differ; values cannot, for any values of these types
  unknown,    ///< the graphs do not show it; the results may be the same nevertheless
};

/// Whether the accumulators of the call (accumulator.hpp) have the same formula in both libraries, up to what changes no value.
bool same_accumulator(const Library& first, const Library& second, const Profile& profile, const OpCall& call, std::size_t result = 0);

/// A call with its bound formula, to be compared with other readings of its op.
class BoundCall {
 public:
  static Result<std::shared_ptr<const BoundCall>> bind(const Library& library, const Profile& profile, OpCall call);
  /// Binds the call in another library. An error of that is returned.
  Result<Likeness> likeness(const Library& other, const Profile& profile) const;
  /// The same proof, each case apart where it says more: a divisor is zero, finite, infinite or nan. Costs more.
  Result<bool> same_by_cases(const Library& other, const Profile& profile) const;
  const OpCall& call() const { return call_; }

 private:
  OpCall call_{};
  Formula formula_{};
};

}  // namespace tiebreak
