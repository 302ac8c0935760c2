// SPDX-License-Identifier: Apache-2.0
#include "testsuite/tflite/graph.hpp"

#include <bit>
#include <cmath>

namespace tiebreak::tflite {
namespace {

constexpr std::int64_t offset_of_unsigned = 128;
constexpr int version_with_unsigned = 2;
constexpr int table_of_cast = 37;
constexpr std::int8_t number_of_bool = 6, number_of_u8 = 3;

const ElementType u8 = *ElementType::parse("u8");
const ElementType i8 = *ElementType::parse("i8");

Quantization moved(Quantization parameters, std::int64_t offset) {
  for (std::int64_t& zero_point : parameters.zero_points) zero_point += offset;
  return parameters;
}

/// The codes of i8 as those of u8, 128 higher, or back: the top bit changes.
Result<Tensor> with_other_sign(const Tensor& tensor, const ElementType& element) {
  TIEBREAK_TRY(result, Tensor::zeros({element, tensor.shape(), {}}));
  for (std::int64_t i = 0; i < tensor.size(); ++i) result.set_code(i, tensor.code(i) ^ 0x80U);
  return result;
}

bool is_host_type(const ElementType& element) { return element.name() == "u8" || element.name() == "i32" || element.name() == "f32"; }

/// One element of the type has as many of u8 along a last dimension, which BITCAST takes away; one byte has none.
TensorType bytes_of(const TensorType& type) {
  TensorType bytes{u8, type.shape, {}};
  if (type.element.bits() > 8) bytes.shape.push_back(type.element.bits() / 8);
  return bytes;
}

std::size_t byte_count(const TensorType& type) {
  const auto zeros = Tensor::zeros(type);
  return zeros ? zeros->bytes().size() : 0;
}

Status check_scale(float scale) {
  if (std::isfinite(scale) && scale > 0) return {};
  return fail(Errc::unsupported, "TensorFlow Lite has positive finite scales only");
}

std::int64_t integer_of(const Tensor& tensor, std::int64_t index) {
  const std::uint64_t code = tensor.code(index);
  if (!tensor.element().integer().is_signed) return static_cast<std::int64_t>(code);
  const int unused = 64 - tensor.element().bits();
  return static_cast<std::int64_t>(code << unused) >> unused;
}

}  // namespace

std::vector<std::int64_t> numbers(const OpCall& call, const std::string& name, std::vector<std::int64_t> otherwise) {
  const auto found = call.attributes.find(name);
  return found == call.attributes.end() ? otherwise : found->second.as_integers().value_or(otherwise);
}

bool is_eight_bits(const ElementType& element) { return element.is_integer() && element.bits() == 8; }

Result<int> Graph::input(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization) {
  if (tensor.size() == 0) return fail(Errc::unsupported, "empty tensors");
  const bool is_moved = options_.unsigned_host && tensor.element().name() == "i8";
  if (!is_moved) {
    lowered_.inputs.push_back(tensor);
    lowered_.model.inputs.push_back(value(name, tensor.type(), std::move(quantization)));
    return lowered_.model.inputs.back();
  }
  TIEBREAK_TRY(host, with_other_sign(tensor, u8));
  const int outside = value(name + "_u8", host.type(), moved(*quantization, offset_of_unsigned));
  const int inside = value(name, tensor.type(), std::move(quantization));
  lowered_.inputs.push_back(std::move(host));
  lowered_.model.inputs.push_back(outside);
  node(Builtin::quantize, version_with_unsigned, {outside}, inside);
  return inside;
}

Result<int> Graph::bytes(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization) {
  if (tensor.size() == 0) return fail(Errc::unsupported, "empty tensors");
  const TensorType plain{tensor.element(), tensor.shape(), {}};
  if (!options_.unsigned_host || is_host_type(tensor.element())) {
    TIEBREAK_TRY(given, Tensor::from_bytes(plain, {tensor.bytes().begin(), tensor.bytes().end()}, name));
    lowered_.inputs.push_back(std::move(given));
    lowered_.model.inputs.push_back(value(name, plain, std::move(quantization)));
    return lowered_.model.inputs.back();
  }
  const TensorType host = bytes_of(plain);
  TIEBREAK_TRY(given, Tensor::from_bytes(host, {tensor.bytes().begin(), tensor.bytes().end()}, name));
  lowered_.inputs.push_back(std::move(given));
  const int outside = value(name + "_bytes", host, std::nullopt);
  const int inside = value(name, plain, std::move(quantization));
  lowered_.model.inputs.push_back(outside);
  if (tensor.element().is_boolean()) node(Builtin::cast, 1, {outside}, inside, {table_of_cast, {{0, number_of_u8}, {1, number_of_bool}}});
  else node(Builtin::bitcast, 1, {outside}, inside);
  return inside;
}

int Graph::constant(const std::string& name, const Tensor& tensor, std::optional<Quantization> quantization) {
  return lowered_.model.add({name, tensor.type(), std::move(quantization), tensor});
}

int Graph::value(const std::string& name, const TensorType& type, std::optional<Quantization> quantization) {
  return lowered_.model.add({name, {type.element, type.shape, {}}, std::move(quantization), {}});
}

int Graph::variable(const std::string& name, const TensorType& type, std::optional<Quantization> quantization) {
  ModelTensor tensor{name, {type.element, type.shape, {}}, std::move(quantization), {}};
  tensor.variable = true;
  return lowered_.model.add(std::move(tensor));
}

void Graph::node(Builtin builtin, int version, std::vector<int> inputs, int output, Options options) {
  node(builtin, version, std::move(inputs), std::vector<int>{output}, std::move(options));
}

void Graph::node(Builtin builtin, int version, std::vector<int> inputs, std::vector<int> outputs, Options options) {
  lowered_.model.operators.push_back({builtin, version, std::move(inputs), std::move(outputs), std::move(options)});
}

Result<Lowered> Graph::finish(int output, TensorType result, bool channels_last) {
  const ModelTensor inside = lowered_.model.tensors[static_cast<std::size_t>(output)];
  if (options_.unsigned_host && inside.type.element.name() == "i8") {
    const int outside = value(inside.name + "_u8", {u8, inside.type.shape, {}}, moved(*inside.quantization, offset_of_unsigned));
    node(Builtin::quantize, version_with_unsigned, {output}, outside);
    output = outside;
  }
  lowered_.model.outputs = {output};
  lowered_.result = std::move(result);
  lowered_.channels_last = channels_last;
  return std::move(lowered_);
}

int Graph::as_bytes(int output) {
  const ModelTensor inside = lowered_.model.tensors[static_cast<std::size_t>(output)];
  if (inside.type.element.is_boolean()) {
    const int outside = value(inside.name + "_u8", {u8, inside.type.shape, {}}, std::nullopt);
    node(Builtin::cast, 1, {output}, outside, {table_of_cast, {{0, number_of_bool}, {1, number_of_u8}}});
    return outside;
  }
  // LiteRT hands out what lay in a result of its own type before, where its shape is known only when the model runs: codes of u8 go through i8, floats of
  // builtin kernels through bytes.
  if (!options_.unsigned_host || (inside.type.element.name() == "f32" && !options_.builtin_kernels)) return output;
  if (inside.type.element.name() == "u8") {
    const int signed_codes = value(inside.name + "_i8", {i8, inside.type.shape, {}}, std::nullopt);
    node(Builtin::bitcast, 1, {output}, signed_codes);
    output = signed_codes;
  }
  const int outside = value(inside.name + "_bytes", bytes_of(inside.type), std::nullopt);
  node(Builtin::bitcast, 1, {output}, outside);
  return outside;
}

Result<Lowered> Graph::finish_bytes(int output, TensorType result) { return finish_bytes(std::vector<int>{output}, {std::move(result)}); }

Result<Lowered> Graph::finish_bytes(const std::vector<int>& outputs, const std::vector<TensorType>& results) {
  for (int output : outputs) lowered_.model.outputs.push_back(as_bytes(output));
  lowered_.result = results.front();
  lowered_.further.assign(results.begin() + 1, results.end());
  lowered_.as_bytes = true;
  return std::move(lowered_);
}

Result<Tensor> operand(const OpCall& call, std::size_t index) {
  if (index >= call.operands.size() || !call.operands[index]) return fail(Errc::unsupported, "operand " + std::to_string(index) + " is absent");
  return *call.operands[index];
}

Result<Quantization> parameters(const OpCall& call, std::size_t scale, std::size_t zero_point, const ElementType& element, int axis) {
  TIEBREAK_TRY(scales, operand(call, scale));
  if (scales.element().name() != "f32") return fail(Errc::unsupported, "scales of " + scales.element().name());
  Quantization result;
  result.axis = scales.size() == 1 ? 0 : axis;
  for (std::int64_t i = 0; i < scales.size(); ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(scales.code(i)));
    TIEBREAK_CHECK(check_scale(value));
    result.scales.push_back(value);
  }
  result.zero_points.assign(result.scales.size(), 0);
  if (zero_point >= call.operands.size() || !call.operands[zero_point]) return result;
  const Tensor& zero_points = *call.operands[zero_point];
  if (!zero_points.element().is_integer() || zero_points.element().bits() > 32)
    return fail(Errc::unsupported, "zero points of " + zero_points.element().name());
  if (zero_points.size() != 1 && zero_points.size() != scales.size()) return fail(Errc::unsupported, "another number of zero points than of scales");
  const std::int64_t least = element.integer().is_signed ? -(std::int64_t{1} << (element.bits() - 1)) : 0;
  const std::int64_t greatest = least + (std::int64_t{1} << element.bits()) - 1;
  for (std::size_t i = 0; i < result.zero_points.size(); ++i) {
    result.zero_points[i] = integer_of(zero_points, zero_points.size() == 1 ? 0 : static_cast<std::int64_t>(i));
    if (result.zero_points[i] < least || result.zero_points[i] > greatest) return fail(Errc::unsupported, "a zero point outside of the storage type");
  }
  return result;
}

Result<Quantization> whole_parameters(const OpCall& call, std::size_t scale, std::size_t zero_point, const ElementType& element) {
  TIEBREAK_TRY(result, parameters(call, scale, zero_point, element, 0));
  if (result.scales.size() != 1) return fail(Errc::unsupported, "parameters per axis for this operand");
  return result;
}

Result<Quantization> weight_parameters(const QuantizedType& type, int axis, std::int64_t count) {
  const bool one = type.is_per_tensor();
  if (!one && (type.scales.size() != static_cast<std::size_t>(count) || type.dimensions.size() != 1 || type.dimensions[0].axis != axis))
    return fail(Errc::unsupported, "weights with other scales than one, or one a column or channel of the result");
  Quantization result;
  for (const Scale& scale : type.scales) {
    const auto code = ElementType::parse("f32")->encode(scale.value);
    if (!code) return fail(Errc::unsupported, "a scale that is no f32");
    result.scales.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(*code)));
  }
  for (const ZeroPoint& zero_point : type.zero_points)
    if (!zero_point.value.is_zero()) return fail(Errc::unsupported, "int8 weights with a zero point");
  result.zero_points.assign(result.scales.size(), 0);
  return result;
}

Result<Tensor> transposed(const Tensor& tensor, const std::vector<int>& order) {
  Shape shape;
  for (int axis : order) shape.push_back(tensor.shape()[static_cast<std::size_t>(axis)]);
  TIEBREAK_TRY(result, Tensor::zeros({tensor.element(), shape, {}}));
  Shape index(shape.size(), 0);
  std::vector<std::int64_t> stride(tensor.shape().size(), 1);
  for (std::size_t axis = stride.size(); axis-- > 1;) stride[axis - 1] = stride[axis] * tensor.shape()[axis];
  for (std::int64_t at = 0; at < result.size(); ++at) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < order.size(); ++axis) from += index[axis] * stride[static_cast<std::size_t>(order[axis])];
    result.set_code(at, tensor.code(from));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

Result<Tensor> reshaped(const Tensor& tensor, const Shape& shape) {
  return Tensor::from_bytes({tensor.element(), shape, {}}, {tensor.bytes().begin(), tensor.bytes().end()}, "reshaped");
}

Result<Tensor> result_of(const Lowered& lowered, const Tensor& answer) {
  Tensor result = answer;
  if (lowered.as_bytes) {
    if (answer.bytes().size() != byte_count(lowered.result)) return fail(Errc::backend, "the model answered with the shape " + to_text(answer.shape()));
    return Tensor::from_bytes(lowered.result, {answer.bytes().begin(), answer.bytes().end()}, "the answer");
  }
  if (result.element().name() != lowered.result.element.name()) {
    if (result.element().name() != "u8" || lowered.result.element.name() != "i8")
      return fail(Errc::backend, "the model answered with " + result.element().name() + " instead of " + lowered.result.element.name());
    TIEBREAK_TRY(moved_back, with_other_sign(result, i8));
    result = std::move(moved_back);
  }
  if (lowered.channels_last) {
    if (result.shape().size() != 4) return fail(Errc::backend, "the model answered with " + std::to_string(result.shape().size()) + " dimensions instead of 4");
    TIEBREAK_TRY(channels_first, transposed(result, {0, 3, 1, 2}));
    result = std::move(channels_first);
  }
  TIEBREAK_TRY(count, element_count(lowered.result.shape));
  if (count != result.size()) return fail(Errc::backend, "the model answered with the shape " + to_text(answer.shape()));
  return reshaped(result, lowered.result.shape);
}

}  // namespace tiebreak::tflite
