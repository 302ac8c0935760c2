// SPDX-License-Identifier: Apache-2.0
// How far a stated value is off, and when rounding cannot be the reason.
#include "testsuite/case/stated_gap.hpp"

#include <gtest/gtest.h>

namespace tiebreak {
namespace {

std::string gap(const char* stated, const char* computed, const char* type) {
  return gap_text(*Real::parse(stated), *Real::parse(computed), *ElementType::parse(type));
}

TEST(StatedGap, IntegersInCodesAndFloatsInUlp) {
  EXPECT_EQ(gap("7", "6", "i8"), "1 LSB");
  EXPECT_EQ(gap("7", "5", "i8"), "2 LSB, more than rounding explains");
  EXPECT_EQ(gap("0x1.000002p+0", "1", "f32"), "1 ulp, relative error 1.19e-07");
  EXPECT_EQ(gap("0x1.000008p+0", "1", "f32"), "4 ulp, relative error 4.77e-07");
  EXPECT_EQ(gap("0x1.00000ap+0", "1", "f32"), "5 ulp, relative error 5.96e-07, more than rounding explains");
}

TEST(StatedGap, TwentyPercentAreNotOneUlp) {
  EXPECT_EQ(gap("1.25", "1", "f32"), "2.1e+06 ulp, relative error 0.25, more than rounding explains");
  EXPECT_EQ(gap("nan", "1", "f32"), "more than rounding explains");
  EXPECT_EQ(gap("inf", "1", "f32"), "more than rounding explains");
  EXPECT_EQ(gap("0.5", "0", "f16"), "1.43e+04 ulp, more than rounding explains") << "zero has no relative error";
}

TEST(StatedGap, TheFarthestElementIsNamedWhereItIsNotTheFirst) {
  const ElementType i8 = *ElementType::parse("i8");
  LargestGap gaps;
  EXPECT_EQ(gaps.text(0, {4}), "");
  gaps.add(1, Real(3), Real(2), i8);
  EXPECT_EQ(gaps.text(1, {4}), "");
  gaps.add(2, Real(-9), Real(2), i8);
  gaps.add(3, Real(13), Real(2), i8);
  EXPECT_EQ(gaps.text(1, {4}), "; farthest at [2]: stated -9, computed 2 (11 LSB, more than rounding explains)");
}

}  // namespace
}  // namespace tiebreak
