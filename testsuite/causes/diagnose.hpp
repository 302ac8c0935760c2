// SPDX-License-Identifier: Apache-2.0
// Why a case fails: which semantics gives exactly what the backend gave, and in which clause it parts from the expected one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/causes/common_cause.hpp"

namespace tiebreak {

struct Diagnosis {
  bool explains = false;               ///< every output element
  std::string name;                    ///< a profile, or `onnx but tie=away`; "" where nothing was evaluated
  std::vector<std::string> members{};  ///< others that give the same by the same clauses, the named one first
  std::size_t explained = 0, of = 0;   ///< elements, of the best if nothing explains all
  std::vector<DiagnosedClause> clauses{};
  std::size_t observed = 0;   ///< elements that differ from what was expected
  std::size_t predicted = 0;  ///< elements in which the explanation differs from it, on the same inputs
  std::string domain{};       ///< of scalar ops: the rate over every input, at the first parameters of the case
  std::string cut{};          ///< what was left out to bound the work
};

/// Looked for in this case alone. `answers`: one for each output, of the expected type and shape. The work is bounded by the size of the case. A
/// profile that the backend declares is named first, where it explains the case.
Diagnosis diagnose(const Semantics& expected, const Case& test, const std::vector<ResultTensor>& expectation, const std::vector<Tensor>& answers,
                   const std::string& declared = "");

/// Of one of the cases that a cause explains.
Diagnosis diagnosis_by(const Semantics& expected, const FailingCase& failing, const FoundCause& cause);
/// Of a case without a cause: what comes nearest.
Diagnosis diagnosis_without_cause(const Semantics& expected, const FailingCase& failing);

/// Lines for people, without indentation: the cause in words, the clauses, the rates.
std::vector<std::string> to_lines(const Diagnosis& diagnosis);
/// `onednn-x64`, `tie=away`, `not explained`: for counting.
std::string cause_word(const Diagnosis& diagnosis);

}  // namespace tiebreak
