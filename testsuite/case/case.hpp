// SPDX-License-Identifier: Apache-2.0
// A case: a program, its inputs, and what is known of its outputs. Sources of every kind become cases.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"
#include "testsuite/compare/program_checks.hpp"

namespace tiebreak {

/// An expected output as a source states it, before its type is known: each element is a number, `undefined`, or `3 .. 4` (a set).
struct StatedOutput {
  std::string name;
  std::vector<std::string> elements;
  bool splat = false;  ///< one element stands for all
  std::string where{};
};

struct Case {
  std::string id;      ///< onnx.QuantizeLinear/ties/f32-u8
  std::string source;  ///< file it comes from
  Program program;
  std::vector<Tensor> inputs;  ///< in the order of program.inputs
  std::string description{};
  /// Expectations that stand in the source (node tests, hand-written cases, examples), by profile; "" holds for every profile.
  std::map<std::string, std::vector<Tensor>> literals{};
  std::map<std::string, std::vector<StatedOutput>> stated{};  ///< the same as text
  std::vector<ProgramCheck> checks{};                         ///< that stand in the program itself; they hold for every profile
  std::optional<std::vector<ResultTensor>> golden{};          ///< from a golden file, with its profile
  std::string golden_profile{};
  std::string expected_error{};     ///< constraint label that must be reported
  std::optional<Error> unusable{};  ///< a node test that cannot be read: counted with its reason, never run
};

/// Asked with a case's id before the case is made; false leaves it out without the cost of making it.
using CaseFilter = std::function<bool(const std::string& id)>;

/// Every op of a program once, in its order.
std::vector<std::string> ops_of(const Program& program);
/// The same with the ops of its operations' regions, sorted.
std::set<std::string> ops_with_regions(const Program& program);
/// Ops of a program, without repetition, joined by '+': onnx.QuantizeLinear, onnx.Conv+onnx.Relu.
std::string op_names(const Program& program);
/// Elements of all inputs.
std::int64_t input_elements(const Case& test);

}  // namespace tiebreak
