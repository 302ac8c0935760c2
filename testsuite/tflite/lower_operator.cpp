// SPDX-License-Identifier: Apache-2.0
// An operator of family `tflite`: operands, attributes and parameters as the format has them, so that one form serves all.
#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/float_format.hpp"
#include "testsuite/tflite/graph.hpp"
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t ranks_of_builtin = 7;
constexpr std::string_view activations[] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6"};
constexpr std::string_view paddings[] = {"SAME", "VALID"};

template <std::size_t N>
Result<std::int8_t> place_of(const std::string& word, const std::string_view (&words)[N], std::string_view attribute) {
  const auto found = std::ranges::find(words, word);
  if (found == std::end(words)) return fail(Errc::unsupported, std::string(attribute) + " " + word);
  return static_cast<std::int8_t>(found - std::begin(words));
}

Result<float> as_float(const Real& value) {
  const auto rounded = round_to(value, *find_float_format("f32"));
  if (!rounded) return fail(Errc::unsupported, "a number that is no f32");
  return std::bit_cast<float>(static_cast<std::uint32_t>(*encode(*rounded, *find_float_format("f32"))));
}

Result<OptionField> field_of(const FieldForm& form, const Attribute& attribute) {
  if (form.kind == FieldKind::activation || form.kind == FieldKind::padding) {
    const std::string word = attribute.as_string().value_or("");
    TIEBREAK_TRY(place, form.kind == FieldKind::padding ? place_of(word, paddings, form.attribute) : place_of(word, activations, form.attribute));
    return OptionField{form.number, place};
  }
  if (const bool* truth = std::get_if<bool>(&attribute.value)) return OptionField{form.number, static_cast<std::int8_t>(*truth)};
  if (form.kind == FieldKind::truth) return OptionField{form.number, static_cast<std::int8_t>(attribute.as_integer().value_or(0))};
  if (form.kind == FieldKind::whole) {
    const auto whole = attribute.as_integer();
    if (!whole || *whole != static_cast<std::int32_t>(*whole)) return fail(Errc::unsupported, std::string(form.attribute) + " that is no int32");
    return OptionField{form.number, static_cast<std::int32_t>(*whole)};
  }
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value); tensor != nullptr && tensor->size() == 1) {
    TIEBREAK_TRY(value, as_float(tensor->value(0)));
    return OptionField{form.number, value};
  }
  const Real* number = std::get_if<Real>(&attribute.value);
  if (number == nullptr) return fail(Errc::unsupported, std::string(form.attribute) + " that is no number");
  TIEBREAK_TRY(value, as_float(*number));
  return OptionField{form.number, value};
}

Result<Options> options_of(const OperatorForm& form, const OpCall& call, const LowerOptions& options) {
  Options table{form.table, {}};
  for (const FieldForm& field : form.fields) {
    const bool declines = form.decline == Decline::activation && field.kind == FieldKind::activation && options.builtin_kernels;
    const auto found = call.attributes.find(std::string(field.attribute));
    const bool given = found != call.attributes.end() && !found->second.is_none();
    if (field.kind == FieldKind::result_type) {
      table.fields.push_back({field.number, static_cast<std::int8_t>(call.result.element.name() == "i64" ? 4 : 2)});
      continue;
    }
    OptionField value{field.number, std::int8_t{0}};
    if (given) {
      TIEBREAK_TRY(read, field_of(field, found->second));
      value = read;
    }
    if (declines && value.value == OptionField{0, std::int8_t{0}}.value) value.value = sign_bit;
    else if (declines) return fail(Errc::unsupported, "the delegate takes this activation, so that the builtin kernel is not reached");
    if (given || declines) table.fields.push_back(value);
  }
  return table;
}

/// None where the tensor has none.
Result<std::optional<Quantization>> parameters_of(const TensorType& type) {
  if (!type.quantized) return std::optional<Quantization>{};
  Quantization parameters;
  if (type.quantized->dimensions.size() > 1 || std::ranges::any_of(type.quantized->dimensions, [](const auto& dimension) { return dimension.block != 1; }))
    return fail(Errc::unsupported, "parameters in blocks");
  if (!type.quantized->dimensions.empty()) parameters.axis = type.quantized->dimensions[0].axis;
  for (const Scale& scale : type.quantized->scales) {
    TIEBREAK_TRY(value, as_float(scale.value));
    if (!std::isfinite(value) || value <= 0) return fail(Errc::unsupported, "TensorFlow Lite has positive finite scales only");
    parameters.scales.push_back(value);
  }
  for (const ZeroPoint& zero_point : type.quantized->zero_points) {
    const auto code = type.element.encode(zero_point.value);
    if (!code) return fail(Errc::unsupported, "a zero point that is no code");
    const int unused = 64 - type.element.bits();
    parameters.zero_points.push_back(type.element.integer().is_signed ? static_cast<std::int64_t>(*code << unused) >> unused
                                                                      : static_cast<std::int64_t>(*code));
  }
  return std::optional<Quantization>{parameters};
}

/// Ones in front, up to seven dimensions: beyond the delegate's.
Shape long_shape(const Shape& shape) {
  Shape longer(ranks_of_builtin - std::min(shape.size(), ranks_of_builtin), 1);
  longer.insert(longer.end(), shape.begin(), shape.end());
  return longer;
}

bool have_one_shape(const OpCall& call) {
  return std::ranges::all_of(call.operands,
                             [&](const auto& operand) { return !operand || !operand->type().quantized || operand->shape() == call.result.shape; });
}

/// The bias has the product of the scales of the tensor and the filter before it, which is what the format says of it.
Result<Quantization> bias_parameters(const std::vector<ModelTensor>& tensors, const std::vector<int>& inputs, std::int64_t count) {
  Quantization product{{1.0f}, {}, 0};
  for (int index : inputs) {
    const auto& parameters = tensors[static_cast<std::size_t>(index)].quantization;
    if (!parameters) continue;
    const std::size_t most = std::max(product.scales.size(), parameters->scales.size());
    std::vector<float> scales;
    for (std::size_t i = 0; i < most; ++i)
      scales.push_back(product.scales[product.scales.size() == 1 ? 0 : i] * parameters->scales[parameters->scales.size() == 1 ? 0 : i]);
    product.scales = scales;
  }
  if (product.scales.size() != 1 && product.scales.size() != static_cast<std::size_t>(count))
    return fail(Errc::unsupported, "a bias of another extent than the scales");
  if (std::ranges::any_of(product.scales, [](float scale) { return !std::isnormal(scale); }))
    return fail(Errc::unsupported, "the product of both scales is no scale");
  product.zero_points.assign(product.scales.size(), 0);
  return product;
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
  if (form.limit == ScaleLimit::sum) fits = std::ranges::all_of(ratios, [](float ratio) { return within(ratio, 0x1p-10f, 0x1p8f); });
  if (form.limit == ScaleLimit::product && ratios.size() == 2) fits = within(ratios[0] * ratios[1] * result->scales[0], 0x1p-16f, 0x1p8f);
  if (form.limit == ScaleLimit::slopes) {
    const float alpha = table.fields.empty() ? 0.0f : std::get<float>(table.fields[0].value);
    fits = within(ratios[0], 0x1p-8f, 0x1p7f) && within(std::abs(ratios[0] * alpha), 0x1p-8f, 0x1p7f);
  }
  return fits ? Status{} : fail(Errc::unsupported, "the delegate does not take these scales together");
}

int version_of(const OperatorForm& form, const OpCall& call) {
  const bool has_int8 = std::ranges::any_of(call.operands, [](const auto& operand) { return operand && operand->element().name() == "i8"; });
  return has_int8 ? form.int8_version : 1;
}

}  // namespace

Result<Lowered> lower_operator(const OpCall& call, const LowerOptions& options) {
  const std::string word = call.op.substr(call.op.find('.') + 1);
  const auto form = std::ranges::find(operator_forms(), word, &OperatorForm::word);
  if (form == operator_forms().end()) return fail(Errc::unsupported, "TensorFlow Lite has no operator " + word);
  const bool is_long = options.builtin_kernels && form->decline == Decline::ranks && have_one_shape(call);
  const bool runtime_numbers = options.builtin_kernels && form->decline == Decline::runtime_numbers;
  const bool runtime_filter = options.builtin_kernels && form->decline == Decline::runtime_filter;
  Graph graph(options);
  std::vector<int> inputs;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) {
      inputs.push_back(-1);
      continue;
    }
    Tensor tensor = *call.operands[i];
    const std::string name = "x" + std::to_string(i);
    TIEBREAK_TRY(parameters, parameters_of(tensor.type()));
    const bool numbers = !parameters && tensor.element().is_integer();
    tensor.set_type({tensor.element(), tensor.shape(), {}});
    if (static_cast<int>(i) == form->bias) {
      TIEBREAK_TRY(unit, bias_parameters(graph.tensors(), inputs, tensor.size()));
      inputs.push_back(graph.constant(name, tensor, unit));
    } else if ((numbers && !runtime_numbers) || (static_cast<int>(i) == form->filter && !runtime_filter)) {
      inputs.push_back(graph.constant(name, tensor, parameters));
    } else {
      if (is_long && tensor.shape() == call.result.shape) {
        TIEBREAK_TRY(longer, reshaped(tensor, long_shape(tensor.shape())));
        tensor = std::move(longer);
      }
      TIEBREAK_TRY(index, graph.bytes(name, tensor, parameters));
      inputs.push_back(index);
    }
  }
  while (!inputs.empty() && inputs.back() < 0) inputs.pop_back();
  if (form->bias == static_cast<int>(inputs.size()) && !options.absent_bias) {  // models have one, and some readers want it
    const std::int64_t count = call.result.shape.empty() ? 1 : call.result.shape.back();
    TIEBREAK_TRY(zeros, Tensor::zeros({*ElementType::parse(call.result.element.name() == "i16" ? "i64" : "i32"), {count}, {}}));
    TIEBREAK_TRY(unit, bias_parameters(graph.tensors(), inputs, count));
    inputs.push_back(graph.constant("bias", zeros, unit));
  }
  TIEBREAK_TRY(parameters, parameters_of(call.result));
  const int result = graph.value("y", {call.result.element, is_long ? long_shape(call.result.shape) : call.result.shape, {}}, parameters);
  TIEBREAK_TRY(table, options_of(*form, call, options));
  if (!options.builtin_kernels) TIEBREAK_CHECK(check_scales(*form, graph, inputs, parameters, table));
  graph.node(form->builtin, version_of(*form, call), std::move(inputs), result, std::move(table));
  return graph.finish_bytes(result, call.result);
}

}  // namespace tiebreak::tflite
