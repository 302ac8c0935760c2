// SPDX-License-Identifier: Apache-2.0
// How a semantics is named on a command line: a profile, or a profile with some choices taken otherwise.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// `tflite-ref-double`, or `onnx:tie=away,requantize.code=two_stages`: choices of `op`, by their own name or `alias.choice`. The name of the result is
/// the word itself. Unknown profiles, choices and alternatives are errors with the nearest name.
Result<Profile> parse_semantics(const Library& library, const std::string& op, const std::string& word);

/// The profile with one choice of the op taken otherwise; `key` as of a profile (op/choice, op/alias.choice).
Profile with_choice(const Profile& profile, const std::string& key, const std::string& alternative);

}  // namespace tiebreak
