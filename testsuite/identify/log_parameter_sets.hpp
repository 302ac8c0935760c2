// SPDX-License-Identifier: Apache-2.0
// The parameters of a log, each set once, as functions of one number: of the one operand that varies, or of the accumulator.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/identify/observed_log.hpp"

namespace tiebreak {

struct OwnSetting {
  OpCall call{};             ///< every operand with one element, of a contraction its own tensors
  std::string varied{};      ///< an operand, or `accumulator`
  std::string parameters{};  ///< x_scale=1 y_scale=4 y_zero_point=3
  bool is_tail = false;

  std::string at(const std::string& value) const { return varied + "=" + value + (parameters.empty() ? "" : " ") + parameters; }
};

/// The inputs of a logged call that its caller varies: what does not stand under "parameters" and is neither a scale nor a zero point.
/// Places in test.inputs.
std::vector<std::size_t> varied_inputs(const Library& library, const LoggedCase& logged);

/// Empty where a result is no function of one number. Vectors of parameters give a setting for each channel; at most `most`, `all` says
/// whether these are all.
struct OwnSettings {
  std::vector<OwnSetting> sets{};
  bool all = true;
};
OwnSettings own_settings(const Library& library, const ObservedLog& log, std::size_t most);

/// Its stairs under a profile, within the range that the log states; nothing where it has none.
std::optional<Staircase> stairs_at(const Semantics& semantics, const OwnSetting& setting, const std::map<std::string, CallerRange>& ranges);

}  // namespace tiebreak
