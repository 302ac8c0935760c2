// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/stated_gap.hpp"

#include <cmath>

#include "testsuite/compare/difference.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr int digits_of_a_measure = 3;

/// Absolute; infinite where a side is nan or an infinity, or no value of the type.
double steps_between(const Real& stated, const Real& computed, const ElementType& type) {
  const auto from = type.encode(computed), to = type.encode(stated);
  const double steps = from && to ? std::abs(difference(*from, *to, type)) : HUGE_VAL;
  return std::isnan(steps) ? HUGE_VAL : steps;
}

}  // namespace

std::string gap_text(const Real& stated, const Real& computed, const ElementType& type) {
  const char* far = "more than rounding explains";
  const double steps = steps_between(stated, computed, type);
  if (std::isinf(steps)) return far;
  std::string text = decimal_text(steps, digits_of_a_measure) + (type.is_float() ? " ulp" : " LSB");
  if (type.is_float() && !computed.is_zero()) text += ", relative error " + decimal_text(abs((stated - computed) / computed).to_double(), digits_of_a_measure);
  if (steps > (type.is_float() ? few_ulp : few_lsb)) text += std::string(", ") + far;
  return text;
}

void LargestGap::add(std::int64_t index, const Real& stated, const Real& computed, const ElementType& type) {
  const double steps = steps_between(stated, computed, type);
  if (largest_ && largest_->steps >= steps) return;
  largest_ = Entry{index, steps, "stated " + value_text(stated) + ", computed " + value_text(computed) + " (" + gap_text(stated, computed, type) + ")"};
}

std::string LargestGap::text(std::int64_t first, const Shape& shape) const {
  if (!largest_ || largest_->index == first) return "";
  return "; farthest at " + index_text(shape, largest_->index) + ": " + largest_->words;
}

}  // namespace tiebreak
