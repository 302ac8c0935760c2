// SPDX-License-Identifier: Apache-2.0
// Two readings of one result element side by side: which steps belong together, where the values part, and which choice makes the difference.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// Steps of two traces that belong together; -1: this side has no such step.
struct TraceRow {
  int first = -1, second = -1;
  bool is_pair() const { return first >= 0 && second >= 0; }
};

/// Both traces in order. Steps are paired by formula and place, by formula, or as the outcome of the same choice; their order is kept and as many
/// as possible are paired. The last steps, the results, always are.
std::vector<TraceRow> align(const std::vector<TraceStep>& first, const std::vector<TraceStep>& second);

/// A choice that the two sides read differently.
struct ReadingDifference {
  std::string key;            ///< of the profile: onnx.QLinearConv/requantize.code
  std::string first, second;  ///< alternatives; "" where that side does not meet the choice
  std::string alone{};        ///< the first side's result with this one reading changed to the second's; "" where that cannot be
};

struct TraceDifference {
  std::vector<TraceStep> first{}, second{};
  std::vector<TraceRow> rows{};
  std::optional<std::size_t> parts{};  ///< the first row of two steps with different values
  std::string first_result{}, second_result{};
  std::vector<ReadingDifference> readings{};  ///< by key
  bool same_value(const TraceRow& row) const;
};

/// The calls differ only in operands that were computed under the two profiles.
struct TracedCall {
  const Profile& profile;
  const OpCall& call;
};
Result<TraceDifference> explain_difference(const Library& library, const TracedCall& first, const TracedCall& second, std::size_t result, std::int64_t element);

/// Every choice that the formula of a call meets, by profile key, and the alternative it takes.
Result<std::map<std::string, std::string>> readings_of(const Semantics& semantics, const OpCall& call);

}  // namespace tiebreak
