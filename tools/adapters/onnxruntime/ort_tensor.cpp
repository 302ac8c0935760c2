// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/onnxruntime/ort_tensor.hpp"

#include <array>
#include <string_view>

#include "interpreter/tensor/packed_codes.hpp"

namespace tiebreak::ort {
namespace {

struct Numbered {
  int number;
  std::string_view word;
};
constexpr std::array<Numbered, 23> numbered{{
    {1, "f32"},         {2, "u8"},   {3, "i8"},   {4, "u16"},     {5, "i16"},     {6, "i32"},       {7, "i64"},         {9, "bool"},
    {10, "f16"},        {11, "f64"}, {12, "u32"}, {13, "u64"},    {16, "bf16"},   {17, "f8e4m3fn"}, {18, "f8e4m3fnuz"}, {19, "f8e5m2"},
    {20, "f8e5m2fnuz"}, {21, "u4"},  {22, "i4"},  {23, "f4e2m1"}, {24, "f8e8m0"}, {25, "u2"},       {26, "i2"},
}};

}  // namespace

int type_number(const ElementType& element) {
  const std::string name = element.name();
  for (const Numbered& entry : numbered) {
    if (entry.word == name) return entry.number;
  }
  return 0;
}

Result<RawTensor> to_raw(const Tensor& tensor) {
  RawTensor raw{type_number(tensor.element()), tensor.shape()};
  if (raw.element_type == 0) return fail(Errc::unsupported, "ONNX has no type " + tensor.element().name());
  raw.bytes = codes_a_byte(tensor.element()) == 1 ? std::vector<std::byte>(tensor.bytes().begin(), tensor.bytes().end()) : pack_codes(tensor);
  return raw;
}

Result<Tensor> from_raw(const RawTensor& raw, const std::string& where) {
  std::string_view word;
  for (const Numbered& entry : numbered) {
    if (entry.number == raw.element_type) word = entry.word;
  }
  const auto element = ElementType::parse(word);
  if (!element) return fail(Errc::backend, "an answer of element type number " + std::to_string(raw.element_type), where);
  TensorType type{*element, raw.shape};
  if (codes_a_byte(*element) == 1) return Tensor::from_bytes(std::move(type), raw.bytes, where);
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  unpack_codes(raw.bytes, tensor);
  return std::move(tensor);
}

}  // namespace tiebreak::ort
