// SPDX-License-Identifier: Apache-2.0
// Numbers of statistics as text: rounded once from the exact number, to a stated count of digits.
#pragma once
#include <string>

#include "interpreter/exact/real.hpp"

namespace tiebreak {

/// 10 log10(signal / noise) with four digits behind the point, rounded to nearest; `inf` without noise, `-inf` without signal, `nan` of neither.
std::string decibel_text(const Real& signal, const Real& noise);
/// Six significant digits.
std::string short_text(const Real& value);
/// 100 * part / whole with four digits behind the point; "" of nothing.
std::string percent_text(std::int64_t part, std::int64_t whole);

}  // namespace tiebreak
