// SPDX-License-Identifier: Apache-2.0
// An operator of family `tflite`: operands, attributes and parameters as the format has them, so that one form serves all.
#include <algorithm>
#include <cmath>

#include "interpreter/lite/tensor_values.hpp"
#include "testsuite/tflite/operator_parts.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t ranks_of_builtin = 7, most_data = 31;

/// Ones in front, up to seven dimensions: beyond the delegate's.
Shape long_shape(const Shape& shape) {
  Shape longer(ranks_of_builtin - std::min(shape.size(), ranks_of_builtin), 1);
  longer.insert(longer.end(), shape.begin(), shape.end());
  return longer;
}

bool is_data(const OperatorForm& form, std::size_t position) { return (form.data >> std::min(position, most_data) & 1U) != 0; }

/// Of what the operator computes with, not of what steers it.
bool have_one_shape(const OperatorForm& form, const OpCall& call) {
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const auto& operand = call.operands[i];
    if (operand && (operand->type().quantized || operand->element().is_float() || is_data(form, i)) && operand->shape() != call.result.shape) return false;
  }
  return true;
}

bool within(float ratio, float least, float limit) { return ratio >= least && ratio < limit; }

/// The delegate leaves nodes beyond its limits to the builtin kernel.
Status check_scales(const OperatorForm& form, const Graph& graph, const std::vector<int>& inputs, const std::optional<Quantization>& result,
                    const Options& table) {
  if (form.limit == ScaleLimit::none || !result) return {};
  std::vector<float> ratios;
  for (int index : inputs) {
    const auto& parameters = graph.tensors()[static_cast<std::size_t>(index)].quantization;
    if (parameters) ratios.push_back(parameters->scales[0] / result->scales[0]);
  }
  if (ratios.empty()) return {};
  bool fits = true;
  if (form.limit == ScaleLimit::factor) {
    const auto& input = graph.tensors()[static_cast<std::size_t>(inputs[0])].quantization;
    const auto& filter = graph.tensors()[static_cast<std::size_t>(inputs[static_cast<std::size_t>(form.filter)])].quantization;
    fits = !input || !filter || input->scales[0] * *std::ranges::max_element(filter->scales) / result->scales[0] < 0x1p8f;
  }
  if (form.limit == ScaleLimit::sum) fits = std::ranges::all_of(ratios, [](float ratio) { return within(ratio, 0x1p-10f, 0x1p8f); });
  if (form.limit == ScaleLimit::product && ratios.size() == 2) fits = within(ratios[0] * ratios[1] * result->scales[0], 0x1p-16f, 0x1p8f);
  if (form.limit == ScaleLimit::slopes) {
    const float alpha = table.fields.empty() ? 0.0f : std::get<float>(table.fields[0].value);
    fits = within(ratios[0], 0x1p-8f, 0x1p7f) && within(std::abs(ratios[0] * alpha), 0x1p-8f, 0x1p7f);
  }
  return fits ? Status{} : fail(Errc::unsupported, "the delegate does not take these scales together");
}

bool has_long_shape(const OperatorForm& form, const OpCall& call, const LowerOptions& options) {
  const bool by_ranks = form.decline == Decline::ranks || (form.decline == Decline::beta && !call.result.element.is_float());
  return options.builtin_kernels && by_ranks && have_one_shape(form, call);
}

/// The delegate takes more of floats than of codes.
Status check_floats(const OperatorForm& form, const OpCall& call, const LowerOptions& options) {
  if (!options.builtin_kernels || !call.result.element.is_float() || call.operands.empty() || !call.operands[0] || !call.operands[0]->element().is_float())
    return {};
  if (form.data == 0 && form.decline == Decline::ranks && !have_one_shape(form, call))
    return fail(Errc::unsupported, "the delegate takes floats of several shapes, so that the builtin kernel is not reached");
  const auto beta = call.attributes.find("beta");
  if (form.decline == Decline::beta && beta != call.attributes.end() && beta->second.as_integer() == 1)
    return fail(Errc::unsupported, "the delegate takes floats with this factor, so that the builtin kernel is not reached");
  return {};
}

/// A filter of four bits cannot come in as bytes, and stays a constant: then a bias that is none keeps the delegate away.
Result<int> bias_at(Graph& graph, const OperatorForm& form, const OpCall& call, const std::string& name, const Tensor& bias, const std::vector<int>& inputs) {
  if (bias.element().is_float()) return graph.constant(name, bias, {});
  TIEBREAK_TRY(unit, bias_parameters(graph.tensors(), inputs, bias.size()));
  const std::size_t filter = static_cast<std::size_t>(std::max(form.filter, 0));
  const bool narrow_filter = filter < call.operands.size() && call.operands[filter] && call.operands[filter]->element().bits() < 8;
  if (narrow_filter && graph.options().builtin_kernels) return graph.bytes(name, bias, unit);
  return graph.constant(name, bias, unit);
}

/// The tensor of the operand at this position: a constant, a state, or what the host gives. `inputs` are the tensors before it.
Result<int> operand_at(Graph& graph, const OperatorForm& form, const OpCall& call, std::size_t position, const std::vector<int>& inputs) {
  const LowerOptions& options = graph.options();
  const int place = static_cast<int>(position);
  Tensor tensor = *call.operands[position];
  const std::string name = "x" + std::to_string(position);
  TIEBREAK_TRY(parameters, parameters_of(tensor.type()));
  const bool numbers = !parameters && tensor.element().is_integer() && !is_data(form, position);
  tensor.set_type({tensor.element(), tensor.shape(), {}});
  if (place == form.bias) return bias_at(graph, form, call, name, tensor, inputs);
  if (form.is_constant(position)) return graph.constant(name, tensor, parameters);
  if (form.is_state(position)) {
    TIEBREAK_TRY(first, first_state(call.operands[position]->type(), name));
    if (!std::ranges::equal(tensor.bytes(), first.bytes())) return fail(Errc::unsupported, "a state that is not zero");
    return graph.variable(name, tensor.type(), parameters);
  }
  const bool runtime_numbers = options.builtin_kernels && form.decline == Decline::runtime_numbers;
  const bool runtime_filter = options.builtin_kernels && form.decline == Decline::runtime_filter && tensor.element().bits() >= 8;
  if ((numbers && !runtime_numbers) || (place == form.filter && !runtime_filter)) return graph.constant(name, tensor, parameters);
  if (has_long_shape(form, call, options) && tensor.shape() == call.result.shape) {
    TIEBREAK_TRY(longer, reshaped(tensor, long_shape(tensor.shape())));
    tensor = std::move(longer);
  }
  return graph.bytes(name, tensor, parameters);
}

}  // namespace

Result<Lowered> lower_operator(const OpCall& call, const LowerOptions& options) {
  const std::string word = call.op.substr(call.op.find('.') + 1);
  const auto form = std::ranges::find(operator_forms(), word, &OperatorForm::word);
  if (form == operator_forms().end()) return fail(Errc::unsupported, "TensorFlow Lite has no operator " + word);
  TIEBREAK_CHECK(check_floats(*form, call, options));
  const bool is_long = has_long_shape(*form, call, options);
  Graph graph(options);
  std::vector<int> inputs;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) {
      inputs.push_back(-1);
      continue;
    }
    TIEBREAK_TRY(index, operand_at(graph, *form, call, i, inputs));
    inputs.push_back(index);
  }
  while (!inputs.empty() && inputs.back() < 0) inputs.pop_back();
  if (form->bias == static_cast<int>(inputs.size()) && !options.absent_bias) {  // models have one, and some readers want it
    const std::int64_t count = call.result.shape.empty() ? 1 : call.result.shape.back();
    const std::string unit = call.result.element.is_float() ? call.result.element.name() : call.result.element.name() == "i16" ? "i64" : "i32";
    TIEBREAK_TRY(zeros, Tensor::zeros({*ElementType::parse(unit), {count}, {}}));
    TIEBREAK_TRY(index, bias_at(graph, *form, call, "bias", zeros, inputs));
    inputs.push_back(index);
  }
  TIEBREAK_TRY(parameters, parameters_of(call.result));
  const int result = graph.value("y", {call.result.element, is_long ? long_shape(call.result.shape) : call.result.shape, {}}, parameters);
  TIEBREAK_TRY(table, options_of(*form, call, options));
  std::vector<int> outputs{result};
  std::vector<TensorType> results{call.result};
  for (const TensorType& type : call.further) {
    TIEBREAK_TRY(own, parameters_of(type));
    outputs.push_back(graph.value("y" + std::to_string(outputs.size()), {type.element, type.shape, {}}, own));
    results.push_back(type);
  }
  const bool is_delegates = !options.builtin_kernels && call.result.element.bits() == 8;  // it takes no codes of 16 bits
  if (is_delegates) TIEBREAK_CHECK(check_scales(*form, graph, inputs, parameters, table));
  TIEBREAK_TRY(intermediates, intermediates_of(graph, *form, call));
  graph.node(form->builtin, version_of(*form, call), std::move(inputs), outputs, std::move(table));
  graph.lowered().model.operators.back().intermediates = std::move(intermediates);
  return graph.finish_bytes(outputs, results);
}

}  // namespace tiebreak::tflite
