// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/tensor_values.hpp"

namespace tiebreak::tflite {
namespace {

constexpr int narrowest_plain = 32;  // bits
constexpr std::int64_t most_state = std::int64_t{1} << 26;

}  // namespace

Result<TensorType> type_of(const ModelTensor& tensor, const std::string& where) {
  TensorType type{tensor.type.element, tensor.signature.empty() || tensor.constant ? tensor.type.shape : tensor.signature, {}};
  if (!tensor.quantization || !type.element.is_integer() || type.element.bits() >= narrowest_plain) return type;
  const Quantization& given = *tensor.quantization;
  QuantizedType parameters{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
  if (given.scales.size() > 1) {
    parameters.dimensions = {{given.axis, 1}};
    parameters.parameter_shape = {static_cast<std::int64_t>(given.scales.size())};
  }
  for (float scale : given.scales) parameters.scales.push_back({Real::from_double(scale)});
  for (std::int64_t zero_point : given.zero_points) parameters.zero_points.push_back({Real(zero_point)});
  TIEBREAK_CHECK(check_quantized_type(parameters, type.shape, where));
  type.quantized = std::move(parameters);
  return type;
}

Result<ProgramValue> value_of(const ModelTensor& tensor, std::string name, const std::string& where) {
  TIEBREAK_TRY(type, type_of(tensor, where));
  ProgramValue value{std::move(name), type};
  if (!tensor.constant) return value;
  value.constant = tensor.constant;
  value.constant->set_type(std::move(type));
  return value;
}

Result<Tensor> first_state(const TensorType& type, const std::string& where) {
  TIEBREAK_TRY(count, element_count(type.shape));
  if (count > most_state) return fail(Errc::limit, "a variable of more than 2^26 elements", where);
  TIEBREAK_TRY(state, Tensor::zeros(type));
  if (!type.quantized || type.element.bits() != 8 || !type.quantized->is_per_tensor()) return state;
  const auto code = type.element.encode(type.quantized->zero_points[0].value);
  for (std::int64_t i = 0; code && i < count; ++i) state.set_code(i, *code);
  return state;
}

}  // namespace tiebreak::tflite
