// SPDX-License-Identifier: Apache-2.0
// Values of a program that no input decides.
#pragma once
#include <map>

#include "testsuite/recover/facts.hpp"

namespace tiebreak::recover {

/// Constants, and small tensors that operations make of constants alone (a scalar that is broadcast, a scale that is reshaped).
class Constants {
 public:
  static Result<Constants> of(const Semantics& semantics, const Program& program);
  const Tensor* find(ValueId id) const;

 private:
  const Program* program_ = nullptr;
  std::map<ValueId, Tensor> made_{};
};

/// One number, where all elements are the same, or numbers along a single axis.
std::optional<Along> along(const Tensor& tensor);
Along one_number(const Real& number);

}  // namespace tiebreak::recover
