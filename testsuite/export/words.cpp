// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/words.hpp"

#include <fmt/format.h>

#include <vector>

namespace tiebreak {
namespace {

/// f32 or f64: 32 or 64; of others 0.
int c_float_bits(const ElementType& element) {
  for (const char* word : {"f32", "f64"})
    if (element == *ElementType::parse(word)) return element.bits();
  return 0;
}

std::string integer_literal(const ElementType& element, const Real& value) {
  const bool is_long = element.storage_bytes() == 8;
  if (element.integer().is_signed) {
    const std::int64_t number = *value.to_int64();
    if (number == INT64_MIN) return "INT64_MIN";
    return is_long ? fmt::format("INT64_C({})", number) : fmt::format("{}", number);
  }
  const std::uint64_t number = *value.to_uint64();
  if (is_long) return fmt::format("UINT64_C({})", number);
  return fmt::format("{}{}", number, element.storage_bytes() == 4 ? "u" : "");
}

std::string float_literal(const Real& value, int bits) {
  if (value.is_nan()) return "NAN";
  if (value.is_infinite()) return value.is_negative() ? "-INFINITY" : "INFINITY";
  return value.to_hex_float() + (bits == 32 ? "f" : "");
}

/// Bits of nans. Where the largest exponent has an infinity, every magnitude above it is one; other formats have few.
struct NanCodes {
  std::uint64_t magnitude = 0, infinity = 0;  ///< 0: the codes are listed
  std::vector<std::uint64_t> listed{};
};

NanCodes nan_codes(const ElementType& element) {
  NanCodes codes;
  if (!element.is_float() || !element.floating().has_nan()) return codes;
  if (element.floating().has_infinity()) {
    codes.magnitude = (std::uint64_t{1} << (element.bits() - 1)) - 1;
    codes.infinity = *element.encode(Real::infinity());
    return codes;
  }
  for (std::uint64_t code = 0; code < std::uint64_t{1} << element.bits(); ++code)
    if (element.decode(code).is_nan()) codes.listed.push_back(code);
  return codes;
}

template <class Number>
std::string nan_condition(const ElementType& element, const std::string& word, const Number& number) {
  const NanCodes codes = nan_codes(element);
  if (codes.infinity != 0) return fmt::format("({} & {}) > {}", word, number(codes.magnitude), number(codes.infinity));
  std::string text;
  for (std::uint64_t code : codes.listed) text += fmt::format("{}{} == {}", text.empty() ? "" : " || ", word, number(code));
  return text;
}

}  // namespace

bool is_c_number(const ElementType& element) { return !element.is_float() || c_float_bits(element) != 0; }

std::string c_type(const ElementType& element) {
  if (const int bits = c_float_bits(element); bits != 0) return bits == 32 ? "float" : "double";
  const bool is_signed = element.is_integer() && element.integer().is_signed;
  return fmt::format("{}int{}_t", is_signed ? "" : "u", 8 * element.storage_bytes());
}

std::string storage_text(const ElementType& element) {
  if (!is_c_number(element)) return fmt::format("{}, each as its bits in a {}", element.name(), c_type(element));
  if (element.bits() == 8 * element.storage_bytes()) return element.name();
  return fmt::format("{}, each in {} {}", element.name(), c_type(element).starts_with("i") ? "an" : "a", c_type(element));
}

std::string c_literal(const Tensor& tensor, std::int64_t index) {
  const ElementType& element = tensor.element();
  if (!is_c_number(element)) return "0x" + hex_word(tensor, index) + (element.storage_bytes() == 4 ? "u" : "");
  if (element.is_float()) return float_literal(tensor.value(index), element.bits());
  if (element.is_boolean()) return tensor.code(index) != 0 ? "1" : "0";
  return integer_literal(element, tensor.value(index));
}

std::string hex_word(const Tensor& tensor, std::int64_t index) { return fmt::format("{:0{}x}", tensor.code(index), (tensor.element().bits() + 3) / 4); }

std::string nan_condition_c(const ElementType& element, const std::string& word) {
  return nan_condition(element, word,
                       [&](std::uint64_t code) { return element.bits() > 32 ? fmt::format("UINT64_C(0x{:x})", code) : fmt::format("0x{:x}u", code); });
}

std::string nan_condition_verilog(const ElementType& element, const std::string& word) {
  return nan_condition(element, word, [&](std::uint64_t code) { return fmt::format("{}'h{:x}", element.bits(), code); });
}

std::string comment_text(const std::string& text) {
  std::string out;
  for (char c : text) {
    const char before = out.empty() ? ' ' : out.back();
    const bool is_mark = (c == '/' && before == '*') || (c == '*' && before == '/');
    out += c < ' ' || c > '~' || c == '\\' || is_mark ? '?' : c;
  }
  return out;
}

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

}  // namespace tiebreak
