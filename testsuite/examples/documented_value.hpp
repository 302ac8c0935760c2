// SPDX-License-Identifier: Apache-2.0
// Whether a computed element is the one that a text prints. Texts print floats with few digits, so a decimal holds as printed
// where it is the computed value to the digits it has (docs/spec-verify.md states the rule).
#pragma once
#include <cstdint>
#include <string>

#include "interpreter/tensor/element_type.hpp"

namespace tiebreak {

enum class Agreement : std::uint8_t {
  exact,
  as_printed,
  open,  ///< the semantics leaves the element undefined, so that any value agrees
  differs,
};

struct JudgedElement {
  Agreement agreement = Agreement::differs;
  std::string distance{};  ///< documented - computed, in `unit`; of what differs
  std::string unit{};      ///< ulp or LSB
};

/// `text` is a number, `true`, `false`, bits in hex, `undefined`, or `3 .. 4`.
Result<JudgedElement> judge_element(const std::string& text, const ElementType& type, const Real& computed, bool undefined, const std::string& where);

/// Half a unit of the last printed digit: 0.05 for `1.5`, 5e+10 for `1.63312e+16`; 0 for whole numbers, hex and words.
Result<Real> half_of_last_digit(const std::string& text);

}  // namespace tiebreak
