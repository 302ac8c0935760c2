// SPDX-License-Identifier: Apache-2.0
// Inputs to ask a backend about, many at a time: one call whose i-th slice is the i-th question and whose i-th result element is the answer.
// Any of the questions can be taken out and asked alone.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "testsuite/case/op_program.hpp"

namespace tiebreak {

struct ProbeSet {
  std::string name;         ///< y_scale=0.1 y_zero_point=3
  OpInputs call;            ///< all questions at once
  std::vector<int> axes{};  ///< for each input the dimension along which the questions run, -1: shared by all
  int result_axis = 0;      ///< of stated result types
  std::int64_t count = 0;
};

/// The call that asks the chosen questions alone, in that order.
Result<OpInputs> chosen(const ProbeSet& set, std::span<const std::int64_t> indices);
Result<Case> case_of(const Library& library, OpInputs call, const std::string& id);

/// `x=0.35 y_scale=0.1 y_zero_point=3`: one question with everything that belongs to it. Long vectors are shortened to runs.
std::string probe_text(const ProbeSet& set, std::int64_t index);
/// The same of an input tensor: `127`, `[1 127*30]`.
std::string runs_text(const Tensor& tensor);

/// Results as plain codes, all nan alike. What the semantics leaves undefined is marked.
struct Outcomes {
  std::vector<std::uint64_t> codes{};
  std::vector<std::uint8_t> undefined{};
  std::size_t size() const { return codes.size(); }
};
Outcomes outcomes_of(const Tensor& tensor, const std::vector<std::uint8_t>& undefined);
/// All results of a case under a profile, one after the other. What cannot be evaluated is undefined throughout.
Result<std::vector<ResultTensor>> results_under(const Semantics& semantics, const Case& test);
Outcomes joined(const std::vector<ResultTensor>& results);

}  // namespace tiebreak
