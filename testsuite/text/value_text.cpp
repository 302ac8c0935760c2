// SPDX-License-Identifier: Apache-2.0
#include "testsuite/text/value_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace tiebreak {

std::string value_text(const Real& v) {
  if (!v.is_finite() || v.is_whole()) return v.to_string();
  std::string decimal = v.to_decimal(9);
  if (Result<Real> read = Real::parse(decimal); read && read->identical(v)) return decimal;
  return v.to_hex_float();
}

std::string bits_text(const Tensor& tensor, std::int64_t index) {
  constexpr const char* digits = "0123456789abcdef";
  std::uint64_t code = tensor.code(index);
  std::string text = "0x";
  for (int nibble = (tensor.element().bits() + 3) / 4 - 1; nibble >= 0; --nibble) text += digits[(code >> (4 * nibble)) & 15u];
  return text;
}

std::string index_text(const Shape& shape, std::int64_t index) {
  std::string text;
  for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
    text = std::to_string(*extent > 0 ? index % *extent : 0) + (text.empty() ? "" : ", ") + text;
    if (*extent > 0) index /= *extent;
  }
  return "[" + text + "]";
}

std::string tensor_text(const Tensor& tensor, const std::vector<std::uint8_t>& undefined) {
  return nested_text(tensor.shape(), [&](std::int64_t i) -> std::string {
    if (!undefined.empty() && undefined[static_cast<std::size_t>(i)] != 0) return "undefined";
    if (tensor.element().is_boolean()) return tensor.code(i) != 0 ? "true" : "false";
    return value_text(tensor.value(i));
  });
}

std::string nested_text(const Shape& shape, const std::function<std::string(std::int64_t)>& element) {
  if (shape.empty()) return element(0);
  std::int64_t size = 1;
  for (std::int64_t extent : shape) size *= extent;
  if (size == 0) return "[]";
  std::string text;
  for (std::int64_t i = 0; i < size; ++i) {
    // A list opens (closes) at every depth whose block of elements begins (ends) here.
    std::string opened, closed;
    std::int64_t block = 1;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
      block *= *extent;
      if (i % block == 0) opened += '[';
      if ((i + 1) % block == 0) closed += ']';
    }
    text += (i == 0 ? "" : ", ") + opened + element(i) + closed;
  }
  return text;
}

std::string decimal_text(double v, int digits) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, std::chars_format::general, digits);
  return code == std::errc{} ? std::string(buffer.data(), end) : "?";
}

}  // namespace tiebreak
