// SPDX-License-Identifier: Apache-2.0
// The verdict on one answer, and the texts that go with it.
#pragma once
#include "testsuite/check/expectation.hpp"

namespace tiebreak {

/// Fills status, outputs, reason, inputs_of_first and explain of `report`, and with options.diagnose the diagnosis of what fails. Gives the answers of a
/// case that fails in values that could be compared, one for each output: a cause can be looked for. Else none.
std::vector<Tensor> judge(const Library& library, const Case& test, const Expectation& expectation, const BackendAnswer& answer, const CheckOptions& options,
                          CaseReport& report);

/// What becomes of a case that the backend did not answer with outputs.
CaseStatus status_without_outputs(BackendAnswer::Kind kind);

/// A case that conforms, or fails in nothing but values (`only_values`), becomes not_declared: what is expected of it is the page's own reading, which the
/// profile does not claim for `op`.
void note_not_declared(const std::string& profile, const std::string& op, bool only_values, CaseReport& report);

/// `x=0.35 y_scale=0x1.99999ap-4`: of elementwise ops the input elements that belong to an output element by broadcasting or by the
/// op's axis; of all others, where many inputs meet in one output, the inputs that are one value.
std::string inputs_at(const Library& library, const Case& test, const Shape& output_shape, std::int64_t index);

/// The command that judges exactly this case again.
std::string reproduce_command(const Case& test, const CheckOptions& options);
std::string explain_command(const Case& test, const std::string& output, std::int64_t index, const std::string& profile);
/// As a POSIX shell reads it back.
std::string shell_quoted(const std::string& word);

}  // namespace tiebreak
