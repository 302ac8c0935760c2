// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/measured_totals.hpp"

#include <filesystem>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/diff/cast_pairs.hpp"
#include "testsuite/text/json_value.hpp"

namespace tiebreak {
namespace {

constexpr const char* measured_op = "quant.convert";

Result<ElementType> element_at(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(text, text_at(object, key));
  const std::optional<ElementType> type = ElementType::parse(text);
  if (!type) return fail(Errc::unknown_name, "unknown element type '" + text + "'", object.where + "/" + key);
  return *type;
}

Result<Profile> semantics_at(const Library& library, const JsonValue& object, const char* key) {
  TIEBREAK_TRY(word, text_at(object, key));
  return parse_semantics(library, measured_op, word);
}

Result<MeasuredTotal> total_of(const Library& library, const JsonValue& object) {
  TIEBREAK_CHECK(check_object(object, {"from", "to", "first", "second", "what"}));
  TIEBREAK_TRY(from, element_at(object, "from"));
  TIEBREAK_TRY(to, element_at(object, "to"));
  TIEBREAK_TRY(first, semantics_at(library, object, "first"));
  TIEBREAK_TRY(second, semantics_at(library, object, "second"));
  TIEBREAK_TRY(what, text_at(object, "what"));
  TIEBREAK_TRY(a, cast_function(library, first, {from, to, true}));
  TIEBREAK_TRY(b, cast_function(library, second, {from, to, true}));
  TIEBREAK_TRY(found, compare_functions(a, b));
  return MeasuredTotal{from.name(), to.name(), what, found.total, found.differing};
}

}  // namespace

Result<std::vector<MeasuredTotal>> measured_totals(const Library& library, const std::string& directory) {
  std::vector<MeasuredTotal> totals;
  const std::filesystem::path path = std::filesystem::path(directory) / "measured.json";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return totals;
  TIEBREAK_TRY(text, read_text_file(path.string()));
  TIEBREAK_TRY(root, parse_json(text, "spec/measured.json"));
  TIEBREAK_CHECK(check_object(root, {"conversions"}));
  TIEBREAK_TRY(list, array_at(root, "conversions"));
  for (const JsonValue& item : list->items) {
    TIEBREAK_TRY(total, total_of(library, item));
    totals.push_back(std::move(total));
  }
  return totals;
}

}  // namespace tiebreak
