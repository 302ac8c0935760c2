// SPDX-License-Identifier: Apache-2.0
// What a node of a formula is worth in one cell: undefined, a truth value, an exact number, or a number known to any precision.
#pragma once
#include <variant>

#include "interpreter/exact/computable.hpp"
#include "interpreter/exact/real.hpp"

namespace tiebreak {

struct Undefined {};

class Value {
 public:
  Value() = default;                                 ///< undefined
  Value(bool truth) : state_(truth) {}               // NOLINT: the three kinds convert
  Value(Real number) : state_(std::move(number)) {}  // NOLINT
  /// A computable that is exact becomes its number.
  Value(Computable number) : state_(Undefined{}) {  // NOLINT
    if (number.is_exact()) state_ = number.exact();
    else state_ = std::move(number);
  }
  bool is_undefined() const { return state_.index() == 0; }
  bool is_truth() const { return state_.index() == 1; }
  bool is_number() const { return state_.index() == 2; }
  bool is_computable() const { return state_.index() == 3; }
  bool truth() const { return std::get<1>(state_); }
  const Real& number() const { return std::get<2>(state_); }
  /// Exact or not: the number as a computable.
  Computable computable() const { return is_number() ? Computable(number()) : std::get<3>(state_); }

 private:
  std::variant<Undefined, bool, Real, Computable> state_{};
};

}  // namespace tiebreak
