// SPDX-License-Identifier: Apache-2.0
// Two functions of one number over every input of its type: by their stairs, or by runs of equal steps where there are none.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stairs/function_difference.hpp"
#include "interpreter/stairs/staircase.hpp"

namespace tiebreak {

struct FunctionPair {
  Disagreement disagreement{};
  std::uint64_t steps = 0;                      ///< stairs of the first function
  std::optional<FunctionDifference> classes{};  ///< where results are too many for stairs, or wrap: counted by class instead
  std::vector<std::string> proofs{};            ///< how the stairs are known
};

inline std::uint64_t capped(Wide number) { return number > Wide{UINT64_MAX} ? UINT64_MAX : static_cast<std::uint64_t>(number); }

/// A function that has too many stairs, or none.
inline bool has_no_stairs(const Error& error) { return error.code == Errc::limit || error.code == Errc::unsupported; }

/// `undefined`, `nan`, or the value.
std::string outcome_text(const OrderedType& type, std::int64_t outcome);
std::string outcome_text(const Value& outcome);

/// Errc::limit, Errc::unsupported where neither is known.
Result<FunctionPair> compare_pair(ScalarFunction& first, ScalarFunction& second);

}  // namespace tiebreak
