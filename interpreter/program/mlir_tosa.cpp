// SPDX-License-Identifier: Apache-2.0
// What TOSA's dialect writes in its own way: names in lower case, the type of shapes, enum values. Everything ends as the specification has it.
#include <algorithm>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::string_view tosa_dialect = "tosa.";

}  // namespace

bool starts_tosa(std::string_view name) { return name.starts_with(tosa_dialect); }

std::string tosa_name(std::string name) {
  std::transform(name.begin() + static_cast<std::ptrdiff_t>(tosa_dialect.size()), name.end(), name.begin() + static_cast<std::ptrdiff_t>(tosa_dialect.size()),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return name;
}

bool is_tosa_constant(std::string_view op) { return op == "tosa.CONST" || op == "tosa.CONST_SHAPE"; }

/// `!tosa.shape<3>`: three numbers, as the tensor of indices that a constant shape holds.
Result<MlirType> Parser::tosa_shape() {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("<", "'!tosa.shape'"));
  TIEBREAK_TRY(rank, cursor_.natural());
  TIEBREAK_CHECK(cursor_.expect(">", "the rank of a shape"));
  if (auto count = element_count({rank}); !count) return cursor_.error_at(at, count.error().code, count.error().what);
  return MlirType{MlirType::Kind::tensor, TensorType{*ElementType::parse("i64"), {rank}}};
}

/// `<DOUBLE_ROUND>` behind `#tosa.rounding_mode`; the pretty form has the word alone.
Result<Attribute> Parser::tosa_word() {
  TIEBREAK_CHECK(cursor_.expect("<", "an enum attribute"));
  const std::string word(cursor_.word());
  if (word.empty()) return cursor_.error("expected an enum value, found " + cursor_.found());
  TIEBREAK_CHECK(cursor_.expect(">", "an enum value"));
  return Attribute{word};
}

/// `tosa.const values(dense<3> : tensor<1xi8>)`, as later versions write what stood in properties.
Status Parser::tosa_values(Draft& draft) {
  const std::size_t at = cursor_.offset();
  TIEBREAK_CHECK(cursor_.expect("(", "'values'"));
  TIEBREAK_TRY(value, attribute());
  TIEBREAK_CHECK(cursor_.expect(")", "the values of a constant"));
  return set(draft.attributes, at, "values", std::move(value));
}

}  // namespace tiebreak::mlir
