// SPDX-License-Identifier: Apache-2.0
// What decides one element of a result beside its data: the scale, zero point or bias of its channel or block, and the sum before it is
// scaled.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

struct DecidingValue {
  std::string name;  ///< of an operand, a fact (x.scale), `accumulator` of a sum of integers, else `sum`, `max` ...
  Real value{};
};

/// A call bound once, to be asked about many elements. Operands of which the element sees several values (what a sum runs over) are left
/// out, and so is what the element's formula does not meet under this profile.
class DecidingValues {
 public:
  /// The library and the call must outlive this.
  static Result<DecidingValues> bind_to(const Library& library, const Profile& profile, const OpCall& call, std::size_t result);
  DecidingValues(DecidingValues&&) noexcept;
  DecidingValues& operator=(DecidingValues&&) noexcept;
  ~DecidingValues();

  /// In the order of the formula, each name once. Errc::usage for an element that the result has not.
  Result<std::vector<DecidingValue>> at(std::int64_t element) const;

 private:
  struct Bound;
  explicit DecidingValues(std::unique_ptr<Bound> bound);
  std::unique_ptr<Bound> bound_;
};

}  // namespace tiebreak
