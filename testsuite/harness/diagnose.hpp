// SPDX-License-Identifier: Apache-2.0
// Why a case fails: which semantics gives exactly what the backend gave, and in which clause it parts from the expected one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

struct Case;

struct DiagnosedClause {
  std::string choice;    ///< tie, requantize.code; with several ops in the program onnx.QLinearConv/requantize.code
  std::string expected;  ///< alternative in force
  std::string found;     ///< alternative that explains
  std::string place;     ///< spec/onnx/QuantizeLinear.md:37, of the latter
};

struct Diagnosis {
  bool explains = false;               ///< every output element
  std::string name;                    ///< a profile, or `onnx but tie=away`; "" where nothing was evaluated
  std::vector<std::string> members{};  ///< profiles with the same choices
  std::size_t explained = 0, of = 0;   ///< elements, of the best if nothing explains all
  std::vector<DiagnosedClause> clauses{};
  std::size_t observed = 0;            ///< elements that differ from what was expected
  std::size_t predicted = 0;           ///< elements in which the explanation differs from it, on the same inputs
  std::string domain{};                ///< of scalar ops: the rate over every input, at the first parameters of the case
  std::string cut{};                   ///< what was left out to bound the work
};

/// `answers`: one for each output, of the expected type and shape. The work is bounded by the size of the case. Of profiles that explain as much
/// the one that the backend declares is named, where it declares one.
Diagnosis diagnose(const Library& library, const Profile& expected, const Case& test, const std::vector<ResultTensor>& expectation,
                   const std::vector<Tensor>& answers, const std::string& declared = "");

/// Lines for people, without indentation: the cause, the clauses, the rates.
std::vector<std::string> to_lines(const Diagnosis& diagnosis);
/// `onednn-x64`, `tie=away`, `not explained`: for counting.
std::string cause_word(const Diagnosis& diagnosis);

}  // namespace tiebreak
