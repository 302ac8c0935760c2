// SPDX-License-Identifier: Apache-2.0
#include "testsuite/sources/case_table.hpp"

#include "testsuite/case/literal_text.hpp"
#include "testsuite/sources/case_input.hpp"

namespace tiebreak {
namespace {

Result<Shape> shape_member(const JsonValue& value) {
  TIEBREAK_TRY(written, array_at(value, "shape"));
  Shape shape;
  for (const JsonValue& extent : written->items) {
    TIEBREAK_TRY(number, integer_of(extent));
    shape.push_back(number);
  }
  return shape;
}

Status set_element(Tensor& tensor, std::int64_t index, const JsonValue& written) {
  const ElementType& type = tensor.element();
  if (written.is(JsonValue::Kind::boolean)) return tensor.set_code(index, written.truth ? 1 : 0), Status{};
  if (type.is_float() && type.bits() <= 8) {
    TIEBREAK_TRY(code, integer_of(written));
    return tensor.set_code(index, static_cast<std::uint64_t>(code)), Status{};
  }
  // Printed from a value of the type, perhaps with fewer digits than it has: the nearest value is meant, of whole numbers, too.
  const std::string text =
      type.is_float() && written.text.find('.') == std::string::npos && written.text.find('e') == std::string::npos ? written.text + ".0" : written.text;
  TIEBREAK_TRY(value, element_value(text, type, written.where));
  const auto code = type.encode(value);
  if (!code) return fail(Errc::type, written.text + " is no value of " + std::string(type.name()), written.where);
  return tensor.set_code(index, *code), Status{};
}

}  // namespace

TableReader table_reader(const JsonValue& root) {
  if (is_model_table(root)) return read_model_table;
  if (is_operator_table(root)) return read_operator_table;
  if (is_program_table(root)) return read_program_table;
  if (is_kind_table(root)) return read_kind_table;
  if (is_section_table(root)) return read_section_table;
  return nullptr;
}

Result<ElementType> table_type(const std::string& word, const std::string& where) {
  static const std::vector<std::pair<std::string, std::string>> prefixes{{"bfloat", "bf"}, {"float8", "f8"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}};
  std::string name = word;
  for (const auto& [long_word, short_word] : prefixes)
    if (word.starts_with(long_word)) {
      name = short_word + word.substr(long_word.size());
      break;
    }
  if (const auto type = ElementType::parse(name)) return *type;
  return fail(Errc::unsupported, "the element type '" + word + "' is not known", where);
}

Result<Tensor> table_tensor(const JsonValue& value) {
  TIEBREAK_TRY(written_type, member(value, "dtype"));
  TIEBREAK_TRY(type, table_type(written_type->text, written_type->where));
  TIEBREAK_TRY(shape, shape_member(value));
  TIEBREAK_TRY(tensor, Tensor::zeros(TensorType{type, shape}));
  const JsonValue* fill = value.find("fill");
  if (fill == nullptr) {
    TIEBREAK_TRY(data, member(value, "data"));
    if (data->is(JsonValue::Kind::array)) {
      if (static_cast<std::int64_t>(data->items.size()) != tensor.size()) return fail(Errc::type, "the shape and the number of elements differ", value.where);
      for (std::int64_t i = 0; i < tensor.size(); ++i) TIEBREAK_CHECK(set_element(tensor, i, data->items[static_cast<std::size_t>(i)]));
      return std::move(tensor);
    }
    if (data->is(JsonValue::Kind::object)) return fail(Errc::unsupported, "numbers that are left out of the table", value.where);
    fill = data;
  }
  for (std::int64_t i = 0; i < tensor.size(); ++i) TIEBREAK_CHECK(set_element(tensor, i, *fill));
  return std::move(tensor);
}

}  // namespace tiebreak
