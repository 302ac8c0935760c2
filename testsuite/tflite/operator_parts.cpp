// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/operator_parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/exact/float_format.hpp"
#include "interpreter/lite/intermediates.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::int8_t number_of_i32 = 2, number_of_i64 = 4;

Result<std::int8_t> place_of(const std::string& word, std::span<const std::string_view> words, std::string_view attribute) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return fail(Errc::unsupported, std::string(attribute) + " " + word);
  return static_cast<std::int8_t>(found - words.begin());
}

Result<float> as_float(const Real& value) {
  const auto rounded = round_to(value, *find_float_format("f32"));
  if (!rounded) return fail(Errc::unsupported, "a number that is no f32");
  return std::bit_cast<float>(static_cast<std::uint32_t>(*encode(*rounded, *find_float_format("f32"))));
}

Result<OptionField> field_of(const FieldForm& form, const Attribute& attribute) {
  if (const auto words = words_of(form.kind); !words.empty()) {
    TIEBREAK_TRY(place, place_of(attribute.as_string().value_or(""), words, form.attribute));
    return OptionField{form.number, place};
  }
  if (const bool* truth = std::get_if<bool>(&attribute.value)) return OptionField{form.number, static_cast<std::int8_t>(*truth)};
  if (form.kind == FieldKind::truth || form.kind == FieldKind::stated || form.kind == FieldKind::float_truth)
    return OptionField{form.number, static_cast<std::int8_t>(attribute.as_integer().value_or(0))};
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

}  // namespace

Result<Options> options_of(const OperatorForm& form, const OpCall& call, const LowerOptions& options) {
  Options table{form.table, {}};
  const bool by_activation = form.decline == Decline::activation || (form.decline == Decline::float_activation && call.result.element.is_float());
  for (const FieldForm& field : form.fields) {
    const bool declines = by_activation && field.kind == FieldKind::activation && options.builtin_kernels;
    const auto found = call.attributes.find(std::string(field.attribute));
    const bool given = found != call.attributes.end() && !found->second.is_none();
    if (field.kind == FieldKind::result_type) {
      table.fields.push_back({field.number, call.result.element.name() == "i64" ? number_of_i64 : number_of_i32});
      continue;
    }
    if (field.kind == FieldKind::bias_type) {
      const std::size_t bias = static_cast<std::size_t>(form.bias);
      const bool is_short = bias < call.operands.size() && call.operands[bias] && call.operands[bias]->element().name() == "i32";
      if (is_short && call.result.element.name() == "i16") table.fields.push_back({field.number, number_of_i32});
      continue;
    }
    OptionField value{field.number, std::int8_t{0}};
    if (given) {
      TIEBREAK_TRY(read, field_of(field, found->second));
      value = read;
    }
    if (declines && value.value == OptionField{0, std::int8_t{0}}.value) value.value = sign_bit;
    else if (declines) return fail(Errc::unsupported, "the delegate takes this activation, so that the builtin kernel is not reached");
    if (given || declines || field.kind == FieldKind::stated) table.fields.push_back(value);
  }
  return table;
}

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

Result<std::vector<int>> intermediates_of(Graph& graph, const OperatorForm& form, const OpCall& call) {
  std::vector<int> tensors;
  if (!form.has_intermediates || call.result.element.is_float()) return tensors;
  TIEBREAK_TRY(parameters, parameters_of_intermediates(call.attributes));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool is_last = i + 1 == parameters.size();
    const TensorType type{*ElementType::parse(is_last ? "i8" : "i16"), {}, {}};
    tensors.push_back(graph.value("intermediate_" + std::to_string(i), type, std::move(parameters[i])));
  }
  return tensors;
}

int version_of(const OperatorForm& form, const OpCall& call) {
  const bool has_int8 = std::ranges::any_of(call.operands, [](const auto& operand) { return operand && operand->element().name() == "i8"; });
  const auto activation = call.attributes.find("fused_activation_function");
  const bool is_fused = activation != call.attributes.end() && activation->second.as_string().value_or("NONE") != "NONE";
  if (form.activation_version != 0 && is_fused) return form.activation_version;
  return has_int8 ? form.int8_version : form.version;
}

}  // namespace tiebreak::tflite
