// SPDX-License-Identifier: Apache-2.0
// How a semantics is named on a command line: a profile, or a profile with some choices taken otherwise.
#pragma once
#include <string>

#include <vector>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

struct Case;

/// `tflite-ref-double`, or `onnx:tie=away,requantize.code=two_stages`: choices of `op`, by their own name or `alias.choice`. The name of the result is
/// the word itself. Unknown profiles, choices and alternatives are errors with the nearest name.
Result<Profile> parse_semantics(const Library& library, const std::string& op, const std::string& word);

/// Whether the word takes choices otherwise: PROFILE:CHOICE=ALTERNATIVE.
bool changes_choices(const std::string& word);

/// The same for cases of any ops: a choice is changed in every op that has it, and must change what some case computes by: one that no formula of
/// these cases reads is refused (Errc::usage), with the choices on which that depends.
Result<Profile> semantics_of_cases(const Library& library, const std::vector<const Case*>& cases, const std::string& word);
Result<Profile> semantics_of_cases(const Library& library, const std::vector<Case>& cases, const std::string& word);

/// The profile with one choice of the op taken otherwise; `key` as of a profile (op/choice, op/alias.choice).
Profile with_choice(const Profile& profile, const std::string& key, const std::string& alternative);

}  // namespace tiebreak
