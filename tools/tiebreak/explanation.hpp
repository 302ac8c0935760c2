// SPDX-License-Identifier: Apache-2.0
// What `explain` found for one element under each profile, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "interpreter/evaluate/explain_difference.hpp"
#include "testsuite/text/json_writer.hpp"

namespace tiebreak::command {

struct Explanation {
  std::string profile;
  std::vector<TraceStep> steps{};
  std::string value{};
  std::string exact{};     ///< before the last rounding, "" where there is none
  std::string distance{};  ///< to where that rounding turns
};

/// The exact value, and where it helps its decimal.
std::string step_value(const TraceStep& step);
/// Every step, one a line.
std::string explanation_text(const Explanation& explanation);
/// Two readings in two columns, or stacked where `width` is too narrow; then where they part, and by which choices.
std::string difference_text(const Explanation& first, const Explanation& second, const TraceDifference& difference, std::size_t width);

void write_explanation(JsonWriter& json, const Explanation& explanation);
void write_difference(JsonWriter& json, const Explanation& first, const Explanation& second, const TraceDifference& difference);

}  // namespace tiebreak::command
