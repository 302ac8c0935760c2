// SPDX-License-Identifier: Apache-2.0
// A cause in words comes from the two formulas of the page.
#include "testsuite/causes/cause_words.hpp"

#include <gtest/gtest.h>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

std::string words(const std::string& key, const std::string& expected, const std::string& found) { return clause_words(pages(), key, expected, found); }

TEST(CauseWords, OneRoundingForAnother) {
  EXPECT_EQ(words("onnx.QuantizeLinear/tie", "away", "up"), "rounds halves up where the profile rounds them away from zero");
  EXPECT_EQ(words("onnx.QuantizeLinear/tie", "even", "away"), "rounds halves away from zero where the profile rounds them to even");
  EXPECT_EQ(words("onnx.QuantizeLinear/tie", "even", "zero"), "rounds toward zero where the profile rounds to the nearest, halves to even");
  EXPECT_EQ(words("onnx.QLinearConv/requantize.tie", "away", "floor"), "rounds down where the profile rounds to the nearest, halves away from zero");
}

TEST(CauseWords, OneConversionForAnother) {
  EXPECT_EQ(words("quant.requantize/multiplier", "f32", "f64"), "computes a * b / c in f64 step by step where the profile computes it in f32 step by step");
  EXPECT_EQ(words("quant.requantize/multiplier", "exact", "f32"), "computes a * b / c in f32 step by step where the profile keeps it exact");
  EXPECT_EQ(words("quant.requantize/store", "saturate", "wrap"), "wraps v to y where the profile saturates it to y");
  EXPECT_EQ(words("onnx.QLinearConv/accumulator", "unstated", "wrap"), "wraps total to i32 where the profile leaves it undefined beyond i32");
  EXPECT_EQ(words("onnx.QLinearConv/accumulator", "wrap", "exact"), "keeps total exact where the profile wraps it to i32");
}

TEST(CauseWords, ADifferenceWithinALargerFormula) {
  EXPECT_EQ(words("quant.requantize/code", "f32", "f64"), "computes acc * M in f64 step by step where the profile computes it in f32 step by step");
}

TEST(CauseWords, AValueWhereNothingIsStated) {
  EXPECT_EQ(words("onnx.QuantizeLinear/not_a_number", "unstated", "zero"), "gives 0 where the profile leaves the result undefined");
}

TEST(CauseWords, WhatHasNoWordsShowsBothFormulas) {
  EXPECT_EQ(words("quant.requantize/multiplier", "f32", "f32_left"),
            "takes multiplier=f32_left, each.f32(a / c * b), where the profile takes multiplier=f32, each.f32(a * b / c)");
  EXPECT_EQ(words("onnx.QuantizeLinear/tie", "zero if x.type == f16, else even", "away"),
            "takes tie=away, rna(v), where the profile takes tie=zero if x.type == f16, else even");
}

}  // namespace
}  // namespace tiebreak
