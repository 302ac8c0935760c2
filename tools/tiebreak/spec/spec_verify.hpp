// SPDX-License-Identifier: Apache-2.0
// tiebreak spec verify, a part of `spec`.
#pragma once
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

void add_spec_verify(Verb& group);

/// The page of this installation that a page, an op or a file is; else an error with the nearest name.
Result<const Page*> named_page(const Library& library, const std::string& word);

}  // namespace tiebreak::command
