// SPDX-License-Identifier: Apache-2.0
// A case with everything that stands behind its outputs, computed.
#pragma once
#include "testsuite/case/case.hpp"
#include "testsuite/export/exported.hpp"

namespace tiebreak {

/// Inputs, constants and expected outputs, then what stands behind each operation's results: accumulators, multipliers and shifts, tables. Names are given.
/// Tensors without elements are left out, with a note. Errors: the case cannot be used, is ill-formed on purpose (Errc::usage), or cannot be evaluated.
Result<ExportedCase> collect_case(const Semantics& semantics, const Case& test);

/// Whether no output has an element.
bool has_no_output(const ExportedCase& exported);
/// Whether the profile leaves every element of every output undefined, so that there is nothing to hold an implementation against.
bool has_nothing_defined(const ExportedCase& exported);

}  // namespace tiebreak
