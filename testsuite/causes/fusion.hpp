// SPDX-License-Identifier: Apache-2.0
// Runtimes replace several operations of a program by one. What is known of that stands as rules in spec/fusions/, and here a program
// becomes what such a runtime makes of it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

/// `y = onnx.MatMul(a, b)`: names stand for values.
struct FusionStep {
  std::string result;
  std::string op;
  std::vector<std::string> operands{};
};

/// The last step of the pattern gives what the fused operation gives. A value between two steps has no other reader and is no output.
struct Fusion {
  std::string system;  ///< as in profiles
  std::vector<FusionStep> pattern{};
  FusionStep fused{};
  std::string attributes{};  ///< name of the step whose attributes the fused operation has; "" for none
  std::string place{};       ///< spec/fusions/onnxruntime.json:/fusions/0
  /// `onnx.DequantizeLinear, onnx.MatMul and onnx.QuantizeLinear`: the pattern's ops, each once.
  std::string ops_text() const;
};

/// The rules of a spec folder, by file name; none where it has none.
Result<std::vector<Fusion>> read_fusions(const std::string& directory);

struct FusedProgram {
  Program program{};
  std::vector<const Fusion*> used{};  ///< each rule once
};
/// Every place that a rule fits is replaced, the last operation first, by the first rule that fits there. Without any the program is as it
/// was. `follows`: of a runtime that follows some of the rules, which.
FusedProgram fused(Program program, const std::vector<Fusion>& rules, const std::function<bool(const Fusion&)>& follows = {});

}  // namespace tiebreak
