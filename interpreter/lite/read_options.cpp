// SPDX-License-Identifier: Apache-2.0
// The options of an operator, by the table that the writer has, too. A field that nobody knows changes what the operator means, so that it is refused.
#if __has_include(<flatbuffers/flatbuffers.h>)
#include <algorithm>

#include "interpreter/lite/operators.hpp"
#include "interpreter/lite/read_parts.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t most_numbers = 64;

Status read_field(const FlatTable& table, const FieldForm& form, Options& options) {
  const Field field{form.number, form.attribute.empty() ? "options" : form.attribute.data()};
  switch (form.kind) {
    case FieldKind::whole: {
      TIEBREAK_TRY(value, table.number<std::int32_t>(field, 0));
      options.fields.push_back({form.number, value});
      return {};
    }
    case FieldKind::real: {
      TIEBREAK_TRY(value, table.number<float>(field, 0));
      options.fields.push_back({form.number, value});
      return {};
    }
    case FieldKind::new_shape: {
      TIEBREAK_TRY(value, table.numbers<std::int32_t>(field, most_numbers));
      options.fields.push_back({form.number, std::move(value)});
      return {};
    }
    case FieldKind::unread: return {};
    case FieldKind::zero: {
      TIEBREAK_TRY(value, table.number<std::int8_t>(field, 0));
      if (value != 0)
        return fail(Errc::unsupported, "field " + std::to_string(form.number) + " of its options is " + std::to_string(value) + ", which is not described",
                    table.where());
      return {};
    }
    default: {
      TIEBREAK_TRY(value, table.number<std::int8_t>(field, 0));
      options.fields.push_back({form.number, value});
      return {};
    }
  }
}

}  // namespace

Result<Options> read_options(const FlatTable& table, Builtin builtin) {
  Options options;
  TIEBREAK_TRY(kind, table.number<std::uint8_t>(of_operator::options_table, 0));
  TIEBREAK_TRY(found, table.table(of_operator::options, table.where()));
  TIEBREAK_TRY(second, table.number<std::uint8_t>(of_operator::options_table_2, 0));
  const OperatorSchema* schema = find_schema(builtin);
  options.table = kind;
  if (schema == nullptr) return options;
  if (second != 0 || (kind != 0 && kind != schema->table))
    return fail(Errc::corrupt,
                "its options are of table " + std::to_string(second != 0 ? second : kind) + ", those of the operator of table " + std::to_string(schema->table),
                table.where());
  if (!found || kind == 0) return options;
  for (int number : found->present()) {
    const auto form = std::ranges::find(schema->fields, number, &FieldForm::number);
    if (form == schema->fields.end())
      return fail(Errc::unsupported, "its options have a field " + std::to_string(number) + ", of which nothing is known", table.where());
    TIEBREAK_CHECK(read_field(*found, *form, options));
  }
  return options;
}

}  // namespace tiebreak::tflite
#endif
