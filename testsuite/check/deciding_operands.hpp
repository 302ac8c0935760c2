// SPDX-License-Identifier: Apache-2.0
// The inputs behind one element of an output, for people: those that belong to it, and what decides it where many inputs contribute to it.
#pragma once
#include <optional>
#include <string>

#include "interpreter/orders/deciding_values.hpp"
#include "testsuite/case/op_program.hpp"

namespace tiebreak {

class DecidingOperands {
 public:
  /// All three must outlive this. Of programs with several operations only the inputs are shown.
  DecidingOperands(const Semantics& semantics, const Case& test, std::size_t output);
  DecidingOperands(const DecidingOperands&) = delete;  // the values look at the call
  DecidingOperands& operator=(const DecidingOperands&) = delete;

  /// `x_scale=0.5 w_scale=0.25 B=-12 accumulator=1203`: as inputs_at, and then the values of the element's channel, row or block, and its
  /// sum.
  std::string at(const Shape& shape, std::int64_t index) const;

 private:
  const Library& library_;
  const Case& test_;
  std::optional<CallOfOutput> call_{};
  std::optional<DecidingValues> values_{};
};

}  // namespace tiebreak
