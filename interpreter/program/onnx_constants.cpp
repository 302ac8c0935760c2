// SPDX-License-Identifier: Apache-2.0
// What a Constant node holds: a tensor, a number or a list of them.
#include "interpreter/program/onnx_proto.hpp"

namespace tiebreak::onnx_format {
namespace {

/// value_int, value_ints: i64. value_float, value_floats: f32.
Result<Tensor> numbers(const std::string& name, const Attribute& attribute, const std::string& where) {
  const bool whole = name.starts_with("value_int");
  if (!whole && !name.starts_with("value_float")) return fail(Errc::unsupported, "a Constant of '" + shown(name) + "' is not supported", where);
  const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
  const AttributeList single{attribute};
  const AttributeList& items = list ? *list : single;
  TensorType type{*ElementType::parse(whole ? "i64" : "f32"), {}};
  if (list) type.shape = {static_cast<std::int64_t>(items.size())};
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Real* number = std::get_if<Real>(&items[i].value);
    const auto code = number ? tensor.element().encode(*number) : std::nullopt;
    if (!code) return fail(Errc::corrupt, "a Constant's '" + shown(name) + "' does not hold numbers of its type", where);
    tensor.set_code(static_cast<std::int64_t>(i), *code);
  }
  return tensor;
}

}  // namespace

Result<Tensor> constant_of(AttributeMap& attributes, const std::string& where) {
  if (attributes.size() != 1) return fail(Errc::corrupt, "a Constant has one attribute and one output", where);
  auto& [name, attribute] = *attributes.begin();
  if (Tensor* tensor = std::get_if<Tensor>(&attribute.value)) return std::move(*tensor);
  return numbers(name, attribute, where);
}

}  // namespace tiebreak::onnx_format
