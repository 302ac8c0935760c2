// SPDX-License-Identifier: Apache-2.0
// Counts as people read them: 4,294,967,296.
#pragma once
#include <fmt/format.h>

#include <string>

namespace tiebreak {

/// Of a whole number that is not negative, 128 bits included.
template <class Integer>
std::string grouped_digits(Integer number) {
  const std::string digits = fmt::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace tiebreak
