// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/opencv/quantized_model.hpp"

#include <cstring>

namespace tiebreak::opencv {
namespace {

template <class Number>
void append(std::vector<std::byte>& bytes, Number number) {
  std::byte raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.insert(bytes.end(), raw, raw + sizeof(Number));
}

}  // namespace

QuantizedModel::QuantizedModel() { program_.name = "case"; }

ValueId QuantizedModel::value(const std::string& name) {
  for (std::size_t id = 0; id < program_.values.size(); ++id) {
    if (program_.values[id].name == name) return static_cast<ValueId>(id);
  }
  program_.values.push_back({name, {}, {}});
  return static_cast<ValueId>(program_.values.size() - 1);
}

void QuantizedModel::input(const std::string& name, const Shape& shape) {
  const ValueId id = value(name);
  program_.values[static_cast<std::size_t>(id)].type = TensorType{*ElementType::parse("f32"), shape, {}};
  program_.inputs.push_back(id);
}

Status QuantizedModel::constant(const std::string& name, const std::string& type, const Shape& shape, std::vector<std::byte> bytes) {
  TIEBREAK_TRY(tensor, Tensor::from_bytes({*ElementType::parse(type), shape, {}}, std::move(bytes), name));
  ProgramValue& made = program_.values[static_cast<std::size_t>(value(name))];
  made.type = tensor.type();
  made.constant = std::move(tensor);
  return {};
}

Status QuantizedModel::floats(const std::string& name, const Shape& shape, const std::vector<float>& values) {
  std::vector<std::byte> bytes;
  for (float number : values) append(bytes, number);
  return constant(name, "f32", shape, std::move(bytes));
}

Status QuantizedModel::codes(const std::string& name, const std::string& type, const Shape& shape, const std::vector<std::int32_t>& values) {
  std::vector<std::byte> bytes;
  for (std::int32_t number : values) {
    if (type == "i32") append(bytes, number);
    else append(bytes, static_cast<std::uint8_t>(number));
  }
  return constant(name, type, shape, std::move(bytes));
}

Status QuantizedModel::quantization(const std::string& name, const Quantization& quantization) {
  const auto shape_of = [](std::size_t count) { return count == 1 ? Shape{} : Shape{static_cast<std::int64_t>(count)}; };
  TIEBREAK_CHECK(floats(name + "_scale", shape_of(quantization.scales.size()), quantization.scales));
  return codes(name + "_zero_point", quantization.is_signed ? "i8" : "u8", shape_of(quantization.zero_points.size()), quantization.zero_points);
}

void QuantizedModel::operation(const std::string& op, const std::vector<std::string>& operands, const std::string& result, AttributeMap attributes) {
  Operation made;
  made.op = op;
  for (const std::string& name : operands) made.operands.push_back(value(name));
  made.results.push_back(value(result));
  made.attributes = std::move(attributes);
  made.version = 13;
  program_.operations.push_back(std::move(made));
}

Result<std::vector<std::byte>> QuantizedModel::finish(const std::string& name, const Shape& shape) {
  const ValueId id = value(name);
  program_.values[static_cast<std::size_t>(id)].type = TensorType{*ElementType::parse("f32"), shape, {}};
  program_.outputs.push_back(id);
  return write_onnx_model(program_);
}

}  // namespace tiebreak::opencv
