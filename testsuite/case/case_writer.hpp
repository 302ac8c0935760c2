// SPDX-License-Identifier: Apache-2.0
// A case as the text of a case file (docs/cases.md), with every value written out.
#pragma once
#include "testsuite/case/case.hpp"

namespace tiebreak {

/// What the profile expects stands in the file, so that whoever reads it later sees if that has changed; not what PROFILE:CHOICE=ALTERNATIVE
/// expects, which a file has no name for. `name` is the case's own part of its id. Where the op form cannot say the same, the program is written.
std::string case_file_text(const Library& library, const Case& test, const std::string& name, const std::string& profile,
                           const std::vector<ResultTensor>& expected);

}  // namespace tiebreak
