// SPDX-License-Identifier: Apache-2.0
// TensorProto and Tensor: every numeric data type, raw bytes and typed fields, sub-byte codes packed low bits first.
#include <array>
#include <bit>
#include <span>

#include "interpreter/program/onnx_proto.hpp"
#include "interpreter/tensor/packed_codes.hpp"

namespace tiebreak::onnx_format {
namespace {

struct DataType {
  int number;
  std::string_view word;
};
constexpr std::array<DataType, 23> data_types{{
    {1, "float"},       {2, "uint8"},           {3, "int8"},      {4, "uint16"},        {5, "int16"},
    {6, "int32"},       {7, "int64"},           {9, "bool"},      {10, "float16"},      {11, "double"},
    {12, "uint32"},     {13, "uint64"},         {16, "bfloat16"}, {17, "float8e4m3fn"}, {18, "float8e4m3fnuz"},
    {19, "float8e5m2"}, {20, "float8e5m2fnuz"}, {21, "uint4"},    {22, "int4"},         {23, "float4e2m1"},
    {24, "float8e8m0"}, {25, "uint2"},          {26, "int2"},
}};

Status wrong_size(const Tensor& tensor, std::size_t got, const char* unit, const std::string& where) {
  return fail(Errc::corrupt,
              "the tensor " + to_text(tensor.shape()) + " of " + tensor.element().name() + " does not match its data of " + std::to_string(got) + " " + unit,
              where);
}

Result<Tensor> from_raw(TensorType type, const std::string& raw, const std::string& where) {
  if (codes_a_byte(type.element) == 1) {
    const auto* first = reinterpret_cast<const std::byte*>(raw.data());
    return Tensor::from_bytes(std::move(type), std::vector<std::byte>(first, first + raw.size()), where);
  }
  const auto count = static_cast<std::uint64_t>(*element_count(type.shape));  // checked by the caller
  const auto share = static_cast<std::uint64_t>(codes_a_byte(type.element));
  if (raw.size() != (count + share - 1) / share) {
    return fail(Errc::corrupt,
                "the tensor " + to_text(type.shape) + " of " + type.element.name() + " does not match its data of " + std::to_string(raw.size()) + " bytes",
                where);
  }
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  unpack_codes(std::span(reinterpret_cast<const std::byte*>(raw.data()), raw.size()), tensor);
  return tensor;
}

/// One entry a code; integers must fit, floats are bits.
template <class Field, class Code>
Status fill(Tensor& tensor, const Field& field, Code code, const std::string& where) {
  if (static_cast<std::int64_t>(field.size()) != tensor.size()) return wrong_size(tensor, static_cast<std::size_t>(field.size()), "entries", where);
  for (int i = 0; i < field.size(); ++i) {
    const std::optional<std::uint64_t> found = code(field.Get(i));
    if (!found) return fail(Errc::corrupt, "entry " + std::to_string(i) + " is not a code of " + tensor.element().name(), where);
    tensor.set_code(i, *found);
  }
  return {};
}

Status fill_small(Tensor& tensor, const onnx::TensorProto& proto, const std::string& where) {
  const ElementType& element = tensor.element();
  const auto& field = proto.int32_data();
  if (codes_a_byte(element) > 1) {
    if (static_cast<std::size_t>(field.size()) != packed_size(tensor)) return wrong_size(tensor, static_cast<std::size_t>(field.size()), "packed bytes", where);
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(field.size()));
    for (std::int32_t entry : field) {
      if (entry < -128 || entry > 255) return fail(Errc::corrupt, "the packed byte " + std::to_string(entry) + " is out of range", where);
      bytes.push_back(static_cast<std::byte>(entry));
    }
    unpack_codes(bytes, tensor);
    return {};
  }
  return fill(
      tensor, field,
      [&element](std::int32_t entry) -> std::optional<std::uint64_t> {
        if (!element.is_float()) return element.encode(Real(static_cast<std::int64_t>(entry)));
        if (entry < 0 || (static_cast<std::uint64_t>(entry) >> element.bits()) != 0) return std::nullopt;
        return static_cast<std::uint64_t>(entry);
      },
      where);
}

Status fill_fields(Tensor& tensor, const onnx::TensorProto& proto, const std::string& where) {
  switch (proto.data_type()) {
    case 1:
      return fill(
          tensor, proto.float_data(), [](float v) { return std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(v)); }, where);
    case 11:
      return fill(
          tensor, proto.double_data(), [](double v) { return std::optional(std::bit_cast<std::uint64_t>(v)); }, where);
    case 7:
      return fill(
          tensor, proto.int64_data(), [](std::int64_t v) { return std::optional(static_cast<std::uint64_t>(v)); }, where);
    case 12:
    case 13: {
      const bool narrow = proto.data_type() == 12;
      return fill(
          tensor, proto.uint64_data(), [narrow](std::uint64_t v) { return narrow && v >> 32 ? std::nullopt : std::optional<std::uint64_t>(v); }, where);
    }
    default: return fill_small(tensor, proto, where);
  }
}

}  // namespace

std::optional<ElementType> element_of(std::int64_t data_type) {
  for (const DataType& known : data_types) {
    if (known.number == data_type) return ElementType::parse(known.word);
  }
  return std::nullopt;
}

int data_type_of(const ElementType& element) {
  for (const DataType& known : data_types) {
    if (element == *ElementType::parse(known.word)) return known.number;
  }
  return 0;
}

std::string shown(const std::string& name) {
  std::string text;
  for (char c : name.substr(0, 100)) text += c >= ' ' && c < 127 ? c : '?';
  return name.size() > 100 ? text + "..." : text;
}

Result<Tensor> read_tensor(const onnx::TensorProto& proto, const std::string& where) {
  const std::string place = where + ": tensor '" + shown(proto.name()) + "'";
  if (!proto.external_data().empty() || proto.data_location() == onnx::TensorProto::EXTERNAL) {
    return fail(Errc::unsupported, "external tensor data is not read", place, "save the model with its data inside");
  }
  if (proto.has_segment()) return fail(Errc::unsupported, "tensor segments are not supported", place);
  const auto element = element_of(proto.data_type());
  if (!element) return fail(Errc::unsupported, "the data type " + std::to_string(proto.data_type()) + " is not supported", place);
  TensorType type{*element, Shape(proto.dims().begin(), proto.dims().end())};
  auto count = element_count(type.shape);
  if (!count) return fail(count.error().code == Errc::limit ? Errc::limit : Errc::corrupt, count.error().what, place);
  if (proto.has_raw_data()) return from_raw(std::move(type), proto.raw_data(), place);
  const std::int64_t entries =
      std::int64_t{proto.float_data_size()} + proto.int32_data_size() + proto.int64_data_size() + proto.double_data_size() + proto.uint64_data_size();
  if (*count / 4 > entries) {  // before memory is taken for a shape that the file does not fill
    return fail(Errc::corrupt,
                "the tensor " + to_text(type.shape) + " of " + type.element.name() + " does not match its data of " + std::to_string(entries) + " entries",
                place);
  }
  TIEBREAK_TRY(tensor, Tensor::zeros(std::move(type)));
  TIEBREAK_CHECK(fill_fields(tensor, proto, place));
  return tensor;
}

Status write_tensor(const Tensor& tensor, const std::string& name, onnx::TensorProto& proto, const std::string& where) {
  const int number = data_type_of(tensor.element());
  if (number == 0) return fail(Errc::unsupported, "ONNX has no type for " + tensor.element().name(), where);
  proto.set_name(name);
  proto.set_data_type(number);
  for (std::int64_t dimension : tensor.shape()) proto.add_dims(dimension);
  if (codes_a_byte(tensor.element()) > 1) {
    const std::vector<std::byte> packed = pack_codes(tensor);
    proto.set_raw_data(packed.data(), packed.size());
  } else {
    proto.set_raw_data(tensor.bytes().data(), tensor.bytes().size());
  }
  return {};
}

}  // namespace tiebreak::onnx_format
