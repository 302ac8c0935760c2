// SPDX-License-Identifier: Apache-2.0
// The report of `bits`, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "interpreter/orders/accumulator_range.hpp"

namespace tiebreak::command {

struct BitsSubject {
  std::string id, profile;
  std::vector<OperandRange> ranges;
};
std::string bits_text(const BitsSubject& subject, const AccumulatorReport& report, bool channels);
std::string bits_json(const BitsSubject& subject, const AccumulatorReport& report);

}  // namespace tiebreak::command
