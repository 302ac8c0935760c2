// SPDX-License-Identifier: Apache-2.0
// What a case must give under a profile, and whether its source agrees.
#pragma once
#include <functional>
#include <memory>
#include <set>

#include "testsuite/check/check.hpp"

namespace tiebreak {

struct Expectation {
  std::vector<ResultTensor> outputs{};
  bool ill_formed = false;           ///< the constraint that the case names was reported
  std::string contradiction{};       ///< the source states other values for this very profile: the case is invalid
  std::vector<std::string> notes{};  ///< the source states other values for no profile in particular
  /// An output again, with the exact values of these elements, or of all; nothing where they cannot be had. None: the case is evaluated once more for them.
  std::function<std::optional<ResultTensor>(std::size_t output, std::shared_ptr<const std::set<std::int64_t>> elements)> with_exact_values{};
};
Result<Expectation> expect(const Semantics& semantics, const Case& test, const EvaluateOptions& options);

/// Whether `what` (of a constraint error) reports the label `C15`, as a word of its own.
bool names_label(const std::string& what, const std::string& label);

/// Sentence about the first element in which `computed` differs from `stated`, "" if none does. NaN equals NaN.
std::string first_difference(const ResultTensor& computed, const ResultTensor& stated);

}  // namespace tiebreak
