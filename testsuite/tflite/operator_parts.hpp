// SPDX-License-Identifier: Apache-2.0
// An operator of the family in its parts: options, parameters, version. A single op is made of them as a model of one operator, a program as one of many.
#pragma once
#include "testsuite/tflite/graph.hpp"
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {

Result<Options> options_of(const OperatorForm& form, const OpCall& call, const LowerOptions& options);
/// None where the tensor has none.
Result<std::optional<Quantization>> parameters_of(const TensorType& type);
/// The bias has the product of the scales of the tensor and the filter before it, which is what the format says of it.
Result<Quantization> bias_parameters(const std::vector<ModelTensor>& tensors, const std::vector<int>& inputs, std::int64_t count);
/// Tensors for what an operator with codes states of its values on the way; none for another one.
Result<std::vector<int>> intermediates_of(Graph& graph, const OperatorForm& form, const OpCall& call);
int version_of(const OperatorForm& form, const OpCall& call);

}  // namespace tiebreak::tflite
