// SPDX-License-Identifier: Apache-2.0
// Literals as text: short ones as numbers that read back exactly, longer ones as raw bytes in hex.
#include <charconv>
#include <cstring>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/program/mlir_print.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::int64_t readable_elements = 16;
constexpr std::size_t readable_digits = 14;  // a longer decimal says less than the bits

std::string hex_digits(std::uint64_t code, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  for (int i = digits - 1; i >= 0; --i, code >>= 4) text[static_cast<std::size_t>(i)] = "0123456789ABCDEF"[code & 15];
  return text;
}

std::string float_text(const ElementType& element, std::uint64_t code) {
  const Real value = element.decode(code);
  const std::string bits = "0x" + hex_digits(code, (element.bits() + 3) / 4);
  if (!value.is_finite()) return bits;
  std::string text;
  if ((element.is_float() && is_binary32(element.floating()))) {  // the shortest decimal that rounds to this float
    char buffer[40];
    text.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value.to_double())).ptr);
    if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  } else {
    text = scale_text(value);
  }
  return text.size() <= readable_digits || (element.is_float() && is_binary64(element.floating())) ? text : bits;
}

std::string element_code_text(const Tensor& tensor, std::int64_t index) {
  const ElementType& element = tensor.element();
  if (element.is_boolean()) return tensor.code(index) != 0 ? "true" : "false";
  return element.is_float() ? float_text(element, tensor.code(index)) : tensor.value(index).to_string();
}

std::string list_text(const Tensor& tensor, std::size_t depth, std::int64_t& index) {
  if (depth == tensor.shape().size()) return element_code_text(tensor, index++);
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[depth]; ++i) text += (i ? ", " : "") + list_text(tensor, depth + 1, index);
  return text + "]";
}

std::string raw_text(const Tensor& tensor) {
  std::string text = "\"0x";
  for (std::byte byte : tensor.bytes()) text += hex_digits(std::to_integer<std::uint64_t>(byte), 2);
  return text + "\"";
}

/// All elements are the first one: the bytes, moved by an element, are the same.
bool is_splat(const Tensor& tensor) {
  const auto bytes = tensor.bytes();
  const auto element = static_cast<std::size_t>(tensor.element().storage_bytes());
  return tensor.size() > 1 && std::memcmp(bytes.data(), bytes.data() + element, bytes.size() - element) == 0;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += std::string("\\") + c;
    } else if (byte < 32 || byte == 127) {
      result += "\\" + hex_digits(byte, 2);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string dense_text(const Tensor& tensor) {
  TensorType type = tensor.type();
  type.quantized.reset();
  std::string text;
  if (tensor.size() == 0) {
    text = "";
  } else if (is_splat(tensor)) {
    text = element_code_text(tensor, 0);
  } else if (tensor.size() > readable_elements && !tensor.element().is_boolean()) {
    text = raw_text(tensor);
  } else {
    std::int64_t index = 0;
    text = list_text(tensor, 0, index);
  }
  return "dense<" + text + "> : " + to_text(type);
}

}  // namespace tiebreak::mlir
