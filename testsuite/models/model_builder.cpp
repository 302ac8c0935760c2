// SPDX-License-Identifier: Apache-2.0
#include "testsuite/models/model_builder.hpp"

namespace tiebreak::models {
namespace {

TensorType type_of(const char* word, Shape shape) { return {*ElementType::parse(word), std::move(shape), {}}; }

void set(Tensor& tensor, std::int64_t index, const Real& value) { tensor.set_code(index, tensor.element().encode(value).value_or(0)); }

Real as_f32(double value) { return Real::from_double(static_cast<double>(static_cast<float>(value))); }

}  // namespace

Attribute number(std::int64_t value) { return Attribute{Real(value)}; }
Attribute numbers(const std::vector<std::int64_t>& values) { return Attribute::integers(values); }

ValueId ModelBuilder::define(const std::string& name, std::optional<TensorType> type, std::optional<Tensor> constant) {
  program_.values.push_back({name, std::move(type), std::move(constant)});
  return static_cast<ValueId>(program_.values.size()) - 1;
}

ValueId ModelBuilder::input(const std::string& name, const char* type, Shape shape) {
  program_.inputs.push_back(define(name, type_of(type, std::move(shape))));
  return program_.inputs.back();
}

ValueId ModelBuilder::floats(const std::string& name, Shape shape, const std::vector<double>& values) {
  Tensor tensor = *Tensor::zeros(type_of("f32", std::move(shape)));
  for (std::int64_t i = 0; i < tensor.size(); ++i) set(tensor, i, as_f32(values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]));
  return define(name, tensor.type(), tensor);
}

ValueId ModelBuilder::whole(const std::string& name, const char* type, Shape shape, const std::vector<std::int64_t>& values) {
  Tensor tensor = *Tensor::zeros(type_of(type, std::move(shape)));
  for (std::int64_t i = 0; i < tensor.size(); ++i) set(tensor, i, Real(values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]));
  return define(name, tensor.type(), tensor);
}

ValueId ModelBuilder::drawn(const std::string& name, const char* type, Shape shape, std::int64_t least, std::int64_t greatest) {
  Tensor tensor = *Tensor::zeros(type_of(type, std::move(shape)));
  const auto count = static_cast<std::uint64_t>(greatest - least + 1);
  for (std::int64_t i = 0; i < tensor.size(); ++i) set(tensor, i, Real(least + static_cast<std::int64_t>(random_.below(count))));
  return define(name, tensor.type(), tensor);
}

ValueId ModelBuilder::drawn_floats(const std::string& name, Shape shape, double least, double greatest) {
  constexpr std::uint64_t steps = std::uint64_t{1} << 20;
  Tensor tensor = *Tensor::zeros(type_of("f32", std::move(shape)));
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    set(tensor, i, as_f32(least + (greatest - least) * static_cast<double>(random_.below(steps)) / static_cast<double>(steps)));
  return define(name, tensor.type(), tensor);
}

Quantization ModelBuilder::quantization(const std::string& name, double scale, const char* type, std::int64_t zero_point) {
  return {floats(name + "_scale", {}, {scale}), whole(name + "_zero_point", type, {}, {zero_point})};
}

std::vector<ValueId> ModelBuilder::add_several(const std::string& op, const std::vector<std::string>& names, std::vector<ValueId> operands,
                                               AttributeMap attributes) {
  const bool is_microsoft = op.starts_with("microsoft.");
  Operation operation{is_microsoft ? op : "onnx." + op,           std::move(operands), {}, std::move(attributes), is_microsoft ? 1 : opset_,
                      program_.file + ": node '" + names[0] + "'"};
  for (const std::string& name : names) operation.results.push_back(define(name, std::nullopt));
  program_.operations.push_back(operation);
  return operation.results;
}

ValueId ModelBuilder::add(const std::string& op, const std::string& name, std::vector<ValueId> operands, AttributeMap attributes) {
  return add_several(op, {name}, std::move(operands), std::move(attributes))[0];
}

ValueId ModelBuilder::quantized_and_back(const std::string& name, ValueId value, const Quantization& quantization) {
  const ValueId codes = add("QuantizeLinear", name + "_q", {value, quantization.scale, quantization.zero_point});
  return add("DequantizeLinear", name + "_dq", {codes, quantization.scale, quantization.zero_point});
}

Program ModelBuilder::finish(std::vector<ValueId> outputs) {
  program_.outputs = std::move(outputs);
  return std::move(program_);
}

}  // namespace tiebreak::models
