// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/documented_value.hpp"

#include <charconv>

#include "interpreter/program/program.hpp"
#include "testsuite/compare/difference.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

Result<Real> literal_value(const std::string& text, const ElementType& type, const std::string& where) {
  TIEBREAK_TRY(tensor, parse_literal(text, TensorType{type, {}, std::nullopt}, where));
  return tensor.value(0);
}

JudgedElement distance_of(const Real& documented, const Real& computed, const ElementType& type) {
  JudgedElement judged;
  judged.unit = type.is_float() ? "ulp" : "LSB";
  const auto stated = type.encode(documented);
  const auto found = type.encode(computed);
  if (stated && found) judged.distance = decimal_text(difference(*found, *stated, type));
  return judged;
}

}  // namespace

Result<Real> half_of_last_digit(const std::string& text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos || text.find_first_of("xX") != std::string::npos) return Real(0);
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  std::int64_t scale = 0;
  if (exponent < text.size()) {
    const char* first = text.data() + exponent + 1;
    if (first < text.data() + text.size() && *first == '+') ++first;
    auto [end, code] = std::from_chars(first, text.data() + text.size(), scale);
    if (code != std::errc{} || end != text.data() + text.size()) return fail(Errc::syntax, "'" + text + "' is not a number");
  }
  TIEBREAK_TRY(unit, power(Real(10), scale - static_cast<std::int64_t>(exponent - point - 1)));
  return unit / Real(2);
}

Result<JudgedElement> judge_element(const std::string& text, const ElementType& type, const Real& computed, bool undefined, const std::string& where) {
  if (undefined) return JudgedElement{text == "undefined" ? Agreement::exact : Agreement::open, "", ""};
  if (text == "undefined") return JudgedElement{};
  if (const std::size_t dots = text.find(" .. "); dots != std::string::npos) {
    TIEBREAK_TRY(least, literal_value(text.substr(0, dots), type, where));
    TIEBREAK_TRY(greatest, literal_value(text.substr(dots + 4), type, where));
    return JudgedElement{least <= computed && computed <= greatest ? Agreement::exact : Agreement::differs, "", ""};
  }
  TIEBREAK_TRY(documented, literal_value(text, type, where));
  if (documented.identical(computed)) return JudgedElement{Agreement::exact, "", ""};
  const bool zeros = documented.is_zero() && computed.is_zero();  // the sign of zero is no matter of digits
  if (type.is_float() && documented.is_finite() && computed.is_finite() && !zeros) {
    TIEBREAK_TRY(printed, Real::parse(text));
    TIEBREAK_TRY(half, half_of_last_digit(text));
    if (abs(printed - computed) <= half) return JudgedElement{Agreement::as_printed, "", ""};
  }
  return distance_of(documented, computed, type);
}

}  // namespace tiebreak
