// SPDX-License-Identifier: Apache-2.0
// A case: a program, its inputs, and what is known of its outputs. Sources of every kind become cases.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

struct Case {
  std::string id;                       ///< onnx.QuantizeLinear/ties/f32-u8
  std::string source;                   ///< file it comes from
  Program program;
  std::vector<Tensor> inputs;           ///< in the order of program.inputs
  std::string description{};
  /// Expectations that stand in the source (node tests, hand-written cases, examples), by profile; "" holds for every profile.
  std::map<std::string, std::vector<Tensor>> literals{};
  std::optional<std::vector<ResultTensor>> golden{};  ///< from a golden file, with its profile
  std::string golden_profile{};
  std::string expected_error{};         ///< constraint label that must be reported
};

/// Reads a SOURCE: case file (.json), golden file (.h5), node-test folder, .onnx with inputs beside it, .mlir, spec page (.md or op name), or a
/// folder of such. Generators run here; everything is deterministic.
Result<std::vector<Case>> load_cases(const Library& library, const std::string& source);

}  // namespace tiebreak
