// SPDX-License-Identifier: Apache-2.0
// What the sequence LSTM of codes states of its values on the way: five tensors without data, of which the parameters alone count. The first four are the
// totals of the gates, where something normalizes them; the last is what the cell shows.
#pragma once
#include "interpreter/lite/model.hpp"
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak::tflite {

/// Adds `hidden_scale`, `hidden_zero_point` and, where the operator has coefficients of a normalization, `gate_scales`. Nothing of an operator with floats.
Status add_intermediates(const Model& graph, const ModelOperator& entry, const std::string& where, AttributeMap& attributes);
/// The other way round, in the order of the file. Errc::unsupported where an attribute is no number that the format holds.
Result<std::vector<std::optional<Quantization>>> parameters_of_intermediates(const AttributeMap& attributes);

}  // namespace tiebreak::tflite
