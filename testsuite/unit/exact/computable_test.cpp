// SPDX-License-Identifier: Apache-2.0
// Exact results, exact ties, near ties, domain errors and limits of expressions in real functions.
#include "interpreter/exact/computable.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "testsuite/unit/exact/real_text.hpp"

namespace tiebreak {
namespace {

Computable C(const char* text) { return real_of(text); }

Computable f(const char* word, const Computable& a) { return Computable::apply(*find_real_function(word), std::span<const Computable>(&a, 1)); }
Computable f(const char* word, const Computable& a, const Computable& b) {
  const Computable arguments[] = {a, b};
  return Computable::apply(*find_real_function(word), arguments);
}

std::string whole(const Computable& v, const char* rounding) {
  const auto result = v.round_whole(*find_rounding(rounding));
  return result ? result->to_string() : to_word(result.error().code);
}

std::string rounded(const Computable& v, const char* format, const char* rounding = "rne", Overflow overflow = Overflow::format) {
  const auto result = v.round_to(*find_float_format(format), *find_rounding(rounding), overflow);
  return !result ? to_word(result.error().code) : !*result ? "none" : (*result)->to_hex_float();
}

TEST(Computable, RationalResultsAreExact) {
  struct Row {
    Computable value;
    const char* expected;
  };
  const Row rows[] = {
      {f("exp", C("0")), "1"},
      {f("log", C("1")), "0"},
      {f("sqrt", C("9/4")), "3/2"},
      {f("sqrt", C("-0")), "-0"},
      {f("sqrt", C("1e-100")), nullptr},
      {f("cbrt", C("-27/8")), "-3/2"},
      {f("rsqrt", C("0.25")), "2"},
      {f("rsqrt", C("-0")), "-inf"},
      {f("pow", C("8"), C("2/3")), "4"},
      {f("pow", C("-8"), C("3")), "-512"},
      {f("pow", C("4/9"), C("-3/2")), "27/8"},
      {f("pow", C("-2"), C("0.5")), "nan"},
      {f("pow", C("nan"), C("0")), "1"},
      {f("pow", C("-1"), C("1e40")), "1"},
      {f("pow", C("-0"), C("-3")), "-inf"},
      {f("pow", C("0.5"), C("inf")), "0"},
      {f("pow", C("-0"), C("2")), "0"},
      {f("pow", C("-inf"), C("4")), "inf"},
      {f("pow", C("-inf"), C("-5")), "-0"},
      {f("tanh", C("-0")), "-0"},
      {f("tanh", C("-inf")), "-1"},
      {f("erf", C("inf")), "1"},
      {f("logistic", C("0")), "1/2"},
      {f("logistic", C("-inf")), "0"},
      {f("expm1", C("-inf")), "-1"},
      {f("log1p", C("-1")), "-inf"},
      {f("log", C("-0")), "-inf"},
      {f("log", C("-1")), "nan"},
      {f("sqrt", C("-1e-300")), "nan"},
      {f("sin", C("inf")), "nan"},
      {f("cos", C("0")), "1"},
      {f("atan2", C("-0"), C("3")), "-0"},
      {f("exp", C("nan")), "nan"},
      {f("exp", C("-inf")), "0"},
      {f("log", C("inf")), "inf"},
      {f("sqrt", C("15241578750190521/975461057789971041")), nullptr},
  };
  for (const Row& row : rows) {
    ASSERT_TRUE(row.value.is_exact()) << (row.expected ? row.expected : "a square");
    if (row.expected) {
      EXPECT_EQ(row.value.exact().to_string(), row.expected);
    }
  }
  EXPECT_EQ(f("sqrt", C("1e-100")).exact(), real_of("1e-50"));
  EXPECT_FALSE(f("sqrt", C("2")).is_exact());
  EXPECT_FALSE(f("pow", C("8"), C("1/2")).is_exact());
  EXPECT_FALSE(f("exp", C("1e-300")).is_exact());
}

TEST(Computable, ExactTiesOfExponentialsAreSeen) {
  const Computable e = f("exp", C("0.1"));
  const Computable half = e / (e + e);
  const Computable tie = half + half + half + half + half;  // 5/2, but only by identity
  ASSERT_FALSE(tie.is_exact());
  EXPECT_EQ(whole(tie, "rne"), "2");
  EXPECT_EQ(whole(tie, "rna"), "3");
  EXPECT_EQ(whole(tie, "rhu"), "3");
  EXPECT_EQ(whole(tie, "rhd"), "2");
  EXPECT_EQ(whole(-tie, "rhu"), "-2");
  EXPECT_EQ(whole(f("exp", C("1/3")) * f("exp", C("2/3")) / f("exp", C("1")) * C("7/2"), "rne"), "4");
  EXPECT_EQ(whole(f("logistic", C("0.3")) + f("logistic", C("-0.3")) + C("0.5"), "rne"), "2");
  EXPECT_EQ(whole(f("tanh", C("0.7")) - (C("1") - C("2") / (f("exp", C("1.4")) + C("1"))), "floor"), "0");
  EXPECT_EQ(whole(f("expm1", C("5")) - f("exp", C("5")), "ceil"), "-1");
  const Computable one = f("exp", C("0.3")) * f("exp", C("-0.3"));
  EXPECT_EQ(rounded(one * C("0x1.000001p0"), "f32"), "0x1p+0");
  EXPECT_EQ(rounded(one * C("0x1.000003p0"), "f32"), "0x1.000004p+0");
  EXPECT_EQ(rounded(one * C("0x1.000001p0"), "f32", "odd"), "0x1.000002p+0");
  EXPECT_EQ(rounded(C("1") / (e * e - f("exp", C("0.2"))), "f32"), "inf");
  EXPECT_EQ(rounded((e - e) / (e * e - f("exp", C("0.2"))), "f32"), "nan");
}

TEST(Computable, NearTiesAreDecidedByPrecision) {
  const Computable little = f("exp", C("-700"));
  EXPECT_EQ(whole(C("2.5") + little, "rne"), "3");
  EXPECT_EQ(whole(C("2.5") - little, "rna"), "2");
  EXPECT_EQ(whole(C("3") - little, "floor"), "2");
  EXPECT_EQ(rounded(C("0x1.000001p0") + little, "f32"), "0x1.000002p+0");
  EXPECT_EQ(rounded(C("0x1.000001p0") - little, "f32"), "0x1p+0");
  EXPECT_EQ(whole(C("2.5") + f("sqrt", C("2")) * C("1e-1000"), "rne"), "3");
}

TEST(Computable, HugeAndTinyArguments) {
  EXPECT_EQ(rounded(f("exp", C("-1e9")), "f32"), "0x0p+0");
  EXPECT_EQ(rounded(f("exp", C("-1e100000")), "f32", "ceil"), "0x1p-149");
  EXPECT_EQ(rounded(f("exp", C("1e100000")), "f32"), "inf");
  EXPECT_EQ(rounded(f("exp", C("1e100000")), "f32", "rtz"), "0x1.fffffep+127");
  EXPECT_EQ(rounded(f("exp", C("1e9")), "f8e4m3fn"), "nan");
  EXPECT_EQ(rounded(f("exp", C("1e9")), "f4e2m1"), "none");
  EXPECT_EQ(rounded(f("exp", C("1e9")), "f4e2m1", "rne", Overflow::saturate), "0x1.8p+2");
  EXPECT_EQ(rounded(f("tanh", C("1e9")), "f64", "rtz"), "0x1.fffffffffffffp-1");
  EXPECT_EQ(rounded(f("tanh", C("-1e9")), "f64", "floor"), "-0x1p+0");
  EXPECT_EQ(rounded(f("logistic", C("100")), "f32"), "0x1p+0");
  EXPECT_EQ(rounded(f("logistic", C("-1e9")), "f16", "ceil"), "0x1p-24");
  EXPECT_EQ(rounded(C("1") - f("tanh", C("1e9")), "f32", "ceil"), "0x1p-149");
  EXPECT_EQ(rounded(f("tanh", C("-1e-300")), "f32"), "-0x0p+0");
  EXPECT_EQ(rounded(C("-100") * (C("1") + f("erf", C("-100"))), "f32"), "-0x0p+0");
  EXPECT_EQ(rounded(f("erf", C("100")), "f32", "floor"), "0x1.fffffep-1");
  EXPECT_EQ(rounded(f("exp", C("-1")), "f8e8m0"), "0x1p-2");
  EXPECT_EQ(rounded(f("log", C("0.5")), "f8e8m0"), "nan");
}

TEST(Computable, SpecialValuesMeetIrrationalOnes) {
  const Computable e = f("exp", C("1"));
  EXPECT_EQ(rounded(C("-0") * e, "f32"), "-0x0p+0");
  EXPECT_EQ(rounded(C("-0") / -e, "f32"), "0x0p+0");
  EXPECT_EQ(rounded(e * C("-inf"), "f32"), "-inf");
  EXPECT_EQ(rounded(e / C("-inf"), "f32"), "-0x0p+0");
  EXPECT_EQ(rounded(e / C("-0"), "f32"), "-inf");
  EXPECT_EQ(rounded(e + C("nan"), "f32"), "nan");
  EXPECT_EQ(rounded(C("inf") - e, "f32"), "inf");
  EXPECT_EQ(rounded(f("log", -e), "f32"), "nan");
  EXPECT_EQ(rounded(f("sqrt", C("1") - e), "f32"), "nan");
  EXPECT_EQ(rounded(f("log", e), "f32"), "0x1p+0");
}

TEST(Computable, RationalPowersTooLargeToWriteDownAreNotTakenForIrrational) {
  const auto value = f("pow", C("4"), C("200003/2")).round_whole(Rounding::down);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(*value, Real::power_of_two(200003));
}

TEST(Computable, WhatPrecisionCannotDecideIsAnError) {
  const Computable two = f("sqrt", C("2")) * f("sqrt", C("2"));
  EXPECT_EQ(whole(two, "floor"), "undecided");
  EXPECT_EQ(whole(two, "rne"), "2");
  EXPECT_EQ(rounded(two, "f32", "rtz"), "undecided");
  EXPECT_EQ(whole(f("exp", C("1e9")), "rne"), "undecided");
}

TEST(Computable, LongSumsNeitherRecurseNorRepeat) {
  Computable sum;
  Computable first = f("exp", C("-0x1p-20"));
  for (int i = 1; i <= 100000; ++i) sum = sum + f("exp", Real::dyadic(-i, -20));
  EXPECT_EQ(rounded(first / sum, "f64"), rounded(first / sum, "f64"));
  // A geometric series: exp(-h) (1 - exp(-nh)) / (1 - exp(-h)).
  const Computable closed = f("exp", C("-0x1p-20")) * f("expm1", Real::dyadic(-100000, -20)) / f("expm1", C("-0x1p-20"));
  EXPECT_EQ(rounded(sum, "f64"), rounded(closed, "f64"));
}

TEST(Computable, ApproximationsAreGoodToTheBitsAskedFor) {
  const Real e = real_of("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746639193200305992");
  const auto value = f("exp", C("1")).approximate(300);
  ASSERT_TRUE(value.has_value());
  EXPECT_LT(abs(*value - e), Real::power_of_two(-298));
  EXPECT_EQ(f("sqrt", C("4")).approximate()->to_string(), "2");
}

// The last enclosure is kept with the number: results that several threads compare are asked by all of them. For ThreadSanitizer (preset tsan).
TEST(Computable, IsOneNumberForAllThreads) {
  Computable sum = f("exp", C("1"));
  for (int i = 0; i < 8; ++i) sum = sum + f("log", Real(i + 2)) * sum;
  const char* const formats[] = {"f32", "f64", "bf16"};
  std::vector<std::string> expected;
  for (const char* format : formats) expected.push_back(rounded(sum, format));
  std::vector<std::string> found(4 * std::size(formats));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < found.size(); ++i)
      threads.emplace_back([&, i] {
        for (int again = 0; again < 50; ++again) {
          (void)sum.approximate(static_cast<int>(100 + 40 * i));
          found[i] = rounded(sum, formats[i % std::size(formats)]);
        }
      });
  }
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i % std::size(formats)]);
}

TEST(Computable, WordsComeBack) {
  for (const char* word : {"sqrt", "cbrt", "rsqrt", "exp", "expm1", "log", "log1p", "pow", "sin", "cos", "tan", "tanh", "atan2", "erf", "logistic"}) {
    ASSERT_NE(find_real_function(word), nullptr) << word;
    EXPECT_EQ(to_word(*find_real_function(word)), word);
  }
  EXPECT_EQ(find_real_function("sigmoid"), nullptr);
}

}  // namespace
}  // namespace tiebreak
