// SPDX-License-Identifier: Apache-2.0
// A profile with some choices taken otherwise, as a text that another process reads: PROFILE:KEY=ALTERNATIVE,... with the keys of profiles, which
// name one choice each, whatever op is at hand.
#pragma once
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// The name alone of a profile of the library. Of another, which is called PROFILE:..., what it binds otherwise than that profile.
std::string changed_profile_text(const Semantics& semantics);

/// The profile that such a text means. Unknown profiles, keys and alternatives are errors with the nearest name.
Result<Profile> read_changed_profile(const Library& library, const std::string& text);

}  // namespace tiebreak
