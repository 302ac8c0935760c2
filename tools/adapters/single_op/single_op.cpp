// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/single_op/single_op.hpp"

#include <bit>
#include <cmath>

namespace tiebreak {
namespace {

float stored_f32(std::uint64_t code) { return std::bit_cast<float>(static_cast<std::uint32_t>(code)); }

/// The value of a 16-bit float code with these field widths.
float widened(std::uint64_t code, int exponent_bits, int fraction_bits, int bias) {
  const auto fraction = static_cast<float>(code & ((1U << fraction_bits) - 1));
  const int field = static_cast<int>(code >> fraction_bits) & ((1 << exponent_bits) - 1);
  const float sign = (code >> 15 & 1U) != 0 ? -1.0f : 1.0f;
  if (field == (1 << exponent_bits) - 1) return sign * (fraction == 0 ? HUGE_VALF : std::nanf(""));
  const float one = field == 0 ? 0.0f : std::ldexp(1.0f, fraction_bits);
  return sign * std::ldexp(one + fraction, (field == 0 ? 1 : field) - bias - fraction_bits);
}

Status resolve_padding(const SingleOp& op, const Shape& x, ConvolutionAttributes& geometry) {
  const std::size_t rank = geometry.kernel.size();
  const auto found = op.attributes.find("auto_pad");
  const std::string word = found == op.attributes.end() || found->second.is_none() ? "NOTSET" : found->second.as_string().value_or("");
  if (word == "NOTSET") {
    const auto pads = op.integers("pads", std::vector<std::int64_t>(2 * rank, 0));
    if (pads.size() != 2 * rank) return fail(Errc::type, "pads has " + std::to_string(pads.size()) + " numbers, not two an axis");
    geometry.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
    geometry.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    return {};
  }
  if (word != "VALID" && word != "SAME_UPPER" && word != "SAME_LOWER") return fail(Errc::type, "auto_pad '" + word + "' is none of ONNX's");
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t stride = geometry.strides[axis], extent = x[axis + 2];
    const std::int64_t reach = (geometry.kernel[axis] - 1) * geometry.dilations[axis] + 1;
    const std::int64_t total = word == "VALID" ? 0 : std::max<std::int64_t>(0, ((extent + stride - 1) / stride - 1) * stride + reach - extent);
    const std::int64_t smaller = total / 2;
    geometry.pads_begin.push_back(word == "SAME_LOWER" ? total - smaller : smaller);
    geometry.pads_end.push_back(word == "SAME_LOWER" ? smaller : total - smaller);
  }
  return {};
}

}  // namespace

std::string plain_name(const std::string& name) { return name.starts_with("%") ? name.substr(1) : name; }

Result<Program> program_of(const ExchangeCase& request) {
  TIEBREAK_TRY(parsed, parse_mlir(request.program, request.id, 1, &request.constants));
  if (parsed.functions.size() != 1) return fail(Errc::unsupported, "the program has several functions", request.id);
  return std::move(parsed.functions[0]);
}

Result<std::vector<Tensor>> inputs_of(const Program& program, const ExchangeCase& request) {
  std::vector<Tensor> tensors;
  for (ValueId id : program.inputs) {
    const std::string name = plain_name(program.values[static_cast<std::size_t>(id)].name);
    const ExchangeTensor* found = nullptr;
    for (const ExchangeTensor& input : request.inputs) {
      if (plain_name(input.name) == name) found = &input;
    }
    if (found == nullptr) return fail(Errc::type, "the request has no input '" + name + "'", request.id);
    tensors.push_back(found->tensor);
  }
  return tensors;
}

Result<SingleOp> single_op(const ExchangeCase& request) {
  TIEBREAK_TRY(program, program_of(request));
  TIEBREAK_TRY(inputs, inputs_of(program, request));
  if (program.operations.size() != 1) return fail(Errc::unsupported, "only programs of one operation are run", request.id);
  const Operation& operation = program.operations[0];
  SingleOp op{operation.op, operation.version, operation.attributes};
  std::vector<std::optional<Tensor>> values(program.values.size());
  for (std::size_t id = 0; id < values.size(); ++id) values[id] = program.values[id].constant;
  for (std::size_t index = 0; index < inputs.size(); ++index) values[static_cast<std::size_t>(program.inputs[index])] = inputs[index];
  for (ValueId id : operation.operands) op.operands.push_back(id < 0 ? std::nullopt : values[static_cast<std::size_t>(id)]);
  if (program.outputs != operation.results) return fail(Errc::unsupported, "the program returns something else than its operation", request.id);
  for (ValueId id : program.outputs) {
    const ProgramValue& value = program.values[static_cast<std::size_t>(id)];
    op.outputs.push_back({plain_name(value.name), value.type});
  }
  return op;
}

const Tensor* SingleOp::operand(std::size_t index) const { return index < operands.size() && operands[index].has_value() ? &*operands[index] : nullptr; }

Result<const Tensor*> SingleOp::required(std::size_t index, const std::string& name) const {
  if (operand(index) == nullptr) return fail(Errc::type, "operand '" + name + "' is missing");
  return operand(index);
}

Result<TensorType> SingleOp::output_type(std::size_t index) const {
  if (index >= outputs.size() || !outputs[index].type) return fail(Errc::unsupported, "the program does not state the type of its result");
  return *outputs[index].type;
}

std::int64_t SingleOp::integer(const std::string& attribute, std::int64_t otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.as_integer().value_or(otherwise);
}

std::vector<std::int64_t> SingleOp::integers(const std::string& attribute, std::vector<std::int64_t> otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.as_integers().value_or(otherwise);
}

Result<std::vector<std::int32_t>> codes_of(const Tensor& tensor) {
  const ElementType& element = tensor.element();
  if (!element.is_integer() || element.bits() > 32) return fail(Errc::unsupported, "elements of type " + element.name());
  std::vector<std::int32_t> codes;
  const std::uint64_t sign = std::uint64_t{1} << (element.bits() - 1);
  for (std::int64_t index = 0; index < tensor.size(); ++index) {
    const std::uint64_t code = tensor.code(index);
    const std::uint64_t extended = element.integer().is_signed ? (code ^ sign) - sign : code;
    codes.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(extended)));
  }
  return codes;
}

Result<std::vector<float>> floats_of(const Tensor& tensor) {
  const std::string name = tensor.element().name();
  std::vector<float> values;
  for (std::int64_t index = 0; index < tensor.size(); ++index) {
    const std::uint64_t code = tensor.code(index);
    if (name == "f32") {
      values.push_back(stored_f32(code));
    } else if (name == "f16") {
      values.push_back(widened(code, 5, 10, 15));
    } else if (name == "bf16") {
      values.push_back(stored_f32(code << 16));
    } else {
      return fail(Errc::unsupported, "elements of type " + name);
    }
  }
  return values;
}

Result<ConvolutionAttributes> convolution_attributes(const SingleOp& op, const Shape& x, const Shape& w) {
  if (x.size() < 3 || x.size() != w.size()) return fail(Errc::type, "x and w are not of one rank of at least 3");
  ConvolutionAttributes geometry;
  const std::size_t rank = x.size() - 2;
  geometry.kernel.assign(w.begin() + 2, w.end());
  geometry.groups = op.integer("group", 1);
  geometry.strides = op.integers("strides", std::vector<std::int64_t>(rank, 1));
  geometry.dilations = op.integers("dilations", std::vector<std::int64_t>(rank, 1));
  if (geometry.strides.size() != rank || geometry.dilations.size() != rank) return fail(Errc::type, "strides and dilations need one number an axis");
  if (geometry.groups < 1 || x[1] % geometry.groups != 0 || w[0] % geometry.groups != 0 || x[1] / geometry.groups != w[1]) {
    return fail(Errc::type, "channels do not fit the groups");
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (geometry.strides[axis] < 1 || geometry.dilations[axis] < 1) return fail(Errc::type, "strides and dilations start at 1");
  }
  TIEBREAK_CHECK(resolve_padding(op, x, geometry));
  return geometry;
}

}  // namespace tiebreak
