// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/read_attributes.hpp"

#include <algorithm>

namespace tiebreak::tflite {
namespace {

const OptionField* find_field(const Options& options, int number) {
  const auto found = std::ranges::find(options.fields, number, &OptionField::number);
  return found == options.fields.end() ? nullptr : &*found;
}

std::int64_t whole_of(const OptionField* field, std::int64_t otherwise) {
  if (field == nullptr) return otherwise;
  if (const auto* byte = std::get_if<std::int8_t>(&field->value)) return *byte;
  if (const auto* whole = std::get_if<std::int32_t>(&field->value)) return *whole;
  return otherwise;
}

Result<Attribute> word_at(std::int64_t number, std::span<const std::string_view> vocabulary, const FieldForm& form, const std::string& where) {
  if (number < 0 || static_cast<std::size_t>(number) >= vocabulary.size())
    return fail(Errc::unsupported, std::string(form.attribute) + " is number " + std::to_string(number) + ", which is not described", where);
  return Attribute{std::string(vocabulary[static_cast<std::size_t>(number)])};
}

Result<Attribute> attribute_of(const FieldForm& form, const OptionField* field, const std::string& where) {
  const std::int64_t whole = whole_of(field, form.otherwise);
  if (const auto vocabulary = words_of(form.kind); !vocabulary.empty()) return word_at(whole, vocabulary, form, where);
  switch (form.kind) {
    case FieldKind::truth:
    case FieldKind::stated:
    case FieldKind::float_truth: return Attribute{whole != 0};
    case FieldKind::real: {
      const auto* real = field == nullptr ? nullptr : std::get_if<float>(&field->value);
      return Attribute{Real::from_double(real == nullptr ? 0.0 : *real)};
    }
    default: return Attribute{Real(whole)};
  }
}

}  // namespace

Result<AttributeMap> attributes_of(const OperatorSchema& schema, const Options& options, bool hybrid, const std::string& where) {
  AttributeMap attributes;
  for (const FieldForm& form : schema.fields) {
    if (form.attribute.empty() || (form.kind == FieldKind::float_truth && !hybrid)) continue;
    TIEBREAK_TRY(attribute, attribute_of(form, find_field(options, form.number), where));
    attributes.emplace(form.attribute, std::move(attribute));
  }
  return attributes;
}

std::vector<std::int32_t> shape_in_options(const OperatorSchema& schema, const Options& options) {
  for (const FieldForm& form : schema.fields) {
    const OptionField* field = form.kind == FieldKind::new_shape ? find_field(options, form.number) : nullptr;
    if (field != nullptr) return std::get<std::vector<std::int32_t>>(field->value);
  }
  return {};
}

}  // namespace tiebreak::tflite
