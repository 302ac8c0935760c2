// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/element_numbers.hpp"

#include <string_view>

namespace tiebreak::tflite {
namespace {

/// In the order of their numbers: our word, "" where there is none, and the schema's.
constexpr std::pair<std::string_view, std::string_view> types[] = {
    {"f32", "FLOAT32"}, {"f16", "FLOAT16"}, {"i32", "INT32"},  {"u8", "UINT8"},    {"i64", "INT64"},     {"", "STRING"},    {"bool", "BOOL"},
    {"i16", "INT16"},   {"", "COMPLEX64"},  {"i8", "INT8"},    {"f64", "FLOAT64"}, {"", "COMPLEX128"},   {"u64", "UINT64"}, {"", "RESOURCE"},
    {"", "VARIANT"},    {"u32", "UINT32"},  {"u16", "UINT16"}, {"i4", "INT4"},     {"bf16", "BFLOAT16"}, {"i2", "INT2"},    {"u4", "UINT4"}};

}  // namespace

std::optional<int> number_of(const ElementType& element) {
  const std::string name = element.name();
  for (std::size_t number = 0; number < std::size(types); ++number)
    if (types[number].first == name) return static_cast<int>(number);
  return std::nullopt;
}

std::optional<ElementType> element_of(int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= std::size(types)) return std::nullopt;
  const std::string_view word = types[static_cast<std::size_t>(number)].first;
  return word.empty() ? std::nullopt : ElementType::parse(word);
}

std::string type_word(int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= std::size(types)) return std::to_string(number);
  return std::string(types[static_cast<std::size_t>(number)].second);
}

}  // namespace tiebreak::tflite
