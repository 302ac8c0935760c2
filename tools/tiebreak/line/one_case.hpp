// SPDX-License-Identifier: Apache-2.0
// One case and one of its outputs, named on the command line.
#pragma once
#include "testsuite/case/case.hpp"
#include "tools/tiebreak/line/command.hpp"

namespace tiebreak::command {

/// The one case that `id` names among the selected ones. `profile` is preferred where a source has several.
Result<Case> find_case(const Library& library, const SelectionText& text, const std::string& id, const std::string& profile);
/// Number of the output called `name`; "" is the first.
Result<std::size_t> find_output(const Case& test, const std::string& name);

}  // namespace tiebreak::command
