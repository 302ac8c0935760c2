// SPDX-License-Identifier: Apache-2.0
// From a float program, a recipe and parameters to the forms of a quantized program.
#pragma once
#include <memory>

#include "testsuite/calibrate/calibrate.hpp"
#include "testsuite/quantize/forms.hpp"

namespace tiebreak {

struct QuantizedForms {
  std::shared_ptr<const Program> program{};  ///< the float program, in the operator set of the forms
  Plan plan;                                 ///< of it
  std::map<Form, WrittenForm> forms{};
  ParameterSet parameters{};  ///< what the forms use: activations, weights, biases
};

/// The forms of the program. `derivation`: the semantics of parameters, weight codes and bias codes. What the float program states in annotations goes with
/// the values; with `annotates` each value that gets parameters states these.
Result<QuantizedForms> quantize_program(const Semantics& derivation, const Program& program, const Recipe& recipe, const ParameterSet& parameters,
                                        bool annotates = false);

/// A program of ONNX operators in the forms of opset `opset`: axes of Squeeze, ReduceSum and others as operands. Errc::unsupported where an operator has no
/// form there that means the same.
Result<Program> raise_opset(const Program& program, int opset);
/// Who chooses ranges: a provider of calibrate, by its word.
struct MeasureOptions {
  std::string provider = "min_max";
  ProviderOptions program{};
};
/// Parameters of every f32 input and result from the batches, with codes as the recipe says. Scales are f32, as every form stores them. The errors are those
/// of calibrate().
Result<ParameterSet> measured_parameters(const Semantics& semantics, const Semantics& derivation, const Program& program, const Recipe& recipe,
                                         const std::vector<Batch>& batches, const MeasureOptions& measure = {});
/// What stands where and why: tiebreak.quantize/1.
std::string quantize_report_json(const QuantizedForms& made, const std::string& model);
std::string quantize_report_text(const QuantizedForms& made);

}  // namespace tiebreak
