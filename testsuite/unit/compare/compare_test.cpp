// SPDX-License-Identifier: Apache-2.0
// Policies, distances between values, and the comparison of one output.
#include "testsuite/compare/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "testsuite/compare/difference.hpp"
#include "testsuite/unit/helpers/text_tensor.hpp"

namespace tiebreak {
namespace {

ResultTensor expected_of(const char* element, const std::vector<const char*>& values) {
  return {"y", text_tensor(element, {static_cast<std::int64_t>(values.size())}, values), {}, {}, {}};
}

Comparison compare_values(const char* element, const std::vector<const char*>& expected, const std::vector<const char*>& actual, const char* policy = "exact") {
  return compare(expected_of(element, expected), text_tensor(element, {static_cast<std::int64_t>(actual.size())}, actual), *parse_policy(policy), 20);
}

TEST(Policy, ReadsEveryFormAndRefusesTheRest) {
  EXPECT_EQ(parse_policy("exact")->kind, Policy::Kind::exact);
  EXPECT_EQ(parse_policy("lsb:1")->bound, Real(1));
  EXPECT_EQ(parse_policy("ulp:0.5")->bound, Real::dyadic(1, -1));
  EXPECT_EQ(parse_policy("steps:3")->kind, Policy::Kind::steps);
  EXPECT_EQ(parse_policy("absolute:0.0001")->kind, Policy::Kind::absolute);
  Policy capped = *parse_policy("lsb:2@0.1%");
  EXPECT_EQ(*capped.rate_cap, Real(1) / Real(1000));
  for (const char* bad : {"", "lsb", "lsb:", "lsb:-1", "lsb:0.5", "lsb:1e3", "ulp:nan", "ulp:inf", "lsb:1@", "lsb:1@5", "lsb:1@101%", "exact@1%", "lbs:1",
                          "exact:1", "ulp:0x1p3", "steps:0.5", "absolute"}) {
    Result<Policy> policy = parse_policy(bad);
    ASSERT_FALSE(policy) << bad;
    EXPECT_EQ(policy.error().code, Errc::usage) << bad;
  }
  EXPECT_NE(parse_policy("lbs:1").error().hint.find("did you mean 'lsb'?"), std::string::npos);
}

TEST(Difference, GridPositionsOfEveryF8CodeAreConsecutive) {
  for (const char* name : {"f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f6e3m2", "f4e2m1", "f8e8m0"}) {
    const FloatFormat& format = *find_float_format(name);
    std::map<std::int64_t, Real> by_position;
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << format.bits()); ++code) {
      Real v = decode(code, format);
      if (!v.is_finite()) continue;
      auto [place, added] = by_position.emplace(grid_position(code, format), v);
      EXPECT_TRUE(added || (v.is_zero() && place->second.is_zero())) << name << " code " << code;
    }
    const Real* previous = nullptr;
    std::int64_t position = by_position.begin()->first;
    for (const auto& [at, v] : by_position) {
      EXPECT_EQ(at, position++) << name;
      EXPECT_TRUE(previous == nullptr || *previous < v) << name << " at " << at;
      previous = &v;
    }
  }
}

TEST(Difference, NeighboursOfLargeF64ValuesAreOneApart) {
  ElementType f64 = *ElementType::parse("f64");
  EXPECT_EQ(difference(0x3FF0000000000000u, 0x3FF0000000000001u, f64), 1);
  EXPECT_EQ(difference(0x7FEFFFFFFFFFFFFFu, 0x7FEFFFFFFFFFFFFEu, f64), -1);
  EXPECT_GT(difference(0xFFEFFFFFFFFFFFFFu, 0x7FEFFFFFFFFFFFFFu, f64), 1e18);
}

TEST(Difference, UlpIsTheUpperBinadesAtPowersOfTwoAndTheLeastStepBelow) {
  const FloatFormat& f32 = *find_float_format("f32");
  EXPECT_EQ(ulp_at(Real(1), f32), Real::power_of_two(-23));
  EXPECT_EQ(ulp_at(Real::dyadic(3, -1), f32), Real::power_of_two(-23));
  EXPECT_EQ(ulp_at(-Real::power_of_two(-1), f32), Real::power_of_two(-24));
  EXPECT_EQ(ulp_at(Real(0), f32), Real::power_of_two(-149));
  EXPECT_EQ(ulp_at(Real::power_of_two(-149), f32), Real::power_of_two(-149));
}

TEST(Compare, EveryPairOfI8Codes) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; b += 5) {
      std::string left = std::to_string(a), right = std::to_string(b);
      Comparison exact = compare_values("i8", {left.c_str()}, {right.c_str()});
      EXPECT_EQ(exact.conforms, a == b);
      EXPECT_EQ(compare_values("i8", {left.c_str()}, {right.c_str()}, "lsb:2").conforms, std::abs(a - b) <= 2);
      EXPECT_EQ(exact.first.size(), a == b ? 0u : 1u);
      EXPECT_EQ(exact.worst, b - a);
    }
  }
}

TEST(Compare, NanEqualsNanAndZerosDifferBySign) {
  EXPECT_TRUE(compare_values("f32", {"nan"}, {"nan"}).conforms);
  Comparison zeros = compare_values("f32", {"0"}, {"-0"});
  EXPECT_FALSE(zeros.conforms);
  EXPECT_EQ(zeros.histogram, (std::map<std::string, std::int64_t>{{"sign of zero", 1}}));
  EXPECT_TRUE(compare_values("f32", {"0"}, {"-0"}, "ulp:0").conforms);
  Comparison special = compare_values("f32", {"1", "nan", "inf", "1", "-inf"}, {"nan", "1", "1", "inf", "inf"}, "ulp:1000");
  EXPECT_EQ(special.different, 5);
  EXPECT_EQ(special.excused, 0);
  EXPECT_EQ(special.histogram, (std::map<std::string, std::int64_t>{{"nan", 2}, {"inf", 2}, {"-inf", 1}}));
}

TEST(Compare, NansOfDifferentPayloadAreEqual) {
  Tensor a = *Tensor::zeros({*ElementType::parse("f32"), {1}, std::nullopt}), b = a;
  a.set_code(0, 0x7FC00000);
  b.set_code(0, 0xFF800001);
  EXPECT_TRUE(compare(ResultTensor{"y", a, {}, {}, {}}, b, Policy{}, 5).conforms);
}

TEST(Compare, HistogramBucketsAndOrder) {
  Comparison comparison = compare_values("i32", {"0", "0", "0", "0", "0", "0"}, {"-9", "-1", "1", "1", "3", "44"});
  std::vector<std::pair<std::string, std::int64_t>> ordered = histogram_order(comparison.histogram);
  std::vector<std::pair<std::string, std::int64_t>> wanted{{"<=-4", 1}, {"-1", 1}, {"1", 2}, {"3", 1}, {">=4", 1}};
  EXPECT_EQ(ordered, wanted);
  EXPECT_EQ(comparison.worst, 44);
  EXPECT_EQ(*comparison.worst_index, 5);
}

TEST(Compare, UlpIsMeasuredFromTheExactValue) {
  // Expected 1, but the exact value lies 0.4 ulp above it: one step up is only 0.6 ulp away, one step down 1.4.
  ResultTensor expected = expected_of("f32", {"1", "1"});
  double exact = 1 + 0.4 * std::ldexp(1.0, -23);
  expected.before = {{exact, 0.0}, {exact, 0.0}};
  Tensor actual = text_tensor("f32", {2}, {"0x1.000002p+0", "0x1.fffffcp-1"});
  Comparison loose = compare(expected, actual, *parse_policy("ulp:0.61"), 5);
  EXPECT_EQ(loose.excused, 1);
  EXPECT_FALSE(loose.conforms);
  EXPECT_EQ(compare(expected, actual, *parse_policy("ulp:0.59"), 5).excused, 0);
  EXPECT_TRUE(compare(expected, actual, *parse_policy("ulp:1.5"), 5).conforms);
}

TEST(Compare, PoliciesOfTheOtherKindOfTypeExcuseNothing) {
  EXPECT_FALSE(compare_values("f32", {"1"}, {"0x1.000002p+0"}, "lsb:9").conforms);
  EXPECT_FALSE(compare_values("i8", {"1"}, {"2"}, "ulp:9").conforms);
  EXPECT_FALSE(compare_values("i8", {"1"}, {"2"}, "steps:9").conforms);
  EXPECT_FALSE(compare_values("i8", {"1"}, {"2"}, "absolute:9").conforms);
}

TEST(Compare, StepsAndAbsoluteDistances) {
  // Around 1 the steps above are twice those below, which `steps` does not care about and `ulp` does.
  EXPECT_TRUE(compare_values("f16", {"1"}, {"0x1.ffcp-1"}, "steps:1").conforms);
  EXPECT_FALSE(compare_values("f16", {"1"}, {"0x1.ff8p-1"}, "steps:1").conforms);
  EXPECT_TRUE(compare_values("f16", {"1"}, {"0x1.ff8p-1"}, "ulp:1").conforms);
  EXPECT_TRUE(compare_values("f32", {"1"}, {"1.25"}, "absolute:0.25").conforms);
  EXPECT_FALSE(compare_values("f32", {"1"}, {"0x1.400002p+0"}, "absolute:0.25").conforms);
}

TEST(Compare, CapsAreCountedExactly) {
  std::vector<const char*> expected(1000, "0"), actual(1000, "0");
  actual[3] = "1";
  EXPECT_TRUE(compare_values("i8", expected, actual, "lsb:1@0.1%").conforms);
  actual[4] = "-1";
  Comparison beyond = compare_values("i8", expected, actual, "lsb:1@0.1%");
  EXPECT_FALSE(beyond.conforms);
  EXPECT_NE(beyond.reason.find("allows 1 of 1000, 2 used"), std::string::npos) << beyond.reason;
}

TEST(Compare, UndefinedElementsAreCountedNotCompared) {
  ResultTensor expected = expected_of("i8", {"1", "2", "3"});
  expected.undefined = {0, 1, 0};
  Comparison comparison = compare(expected, text_tensor("i8", {3}, {"1", "99", "3"}), Policy{}, 5);
  EXPECT_TRUE(comparison.conforms);
  EXPECT_EQ(comparison.undefined, 1);
  EXPECT_EQ(comparison.compared, 2);
}

TEST(Compare, ShapesAndTypesFailUnderEveryPolicy) {
  for (const char* policy : {"exact", "lsb:1000", "ulp:1000"}) {
    Comparison shape = compare(expected_of("i8", {"1", "2"}), text_tensor("i8", {2, 1}, {"1", "2"}), *parse_policy(policy), 5);
    EXPECT_FALSE(shape.conforms);
    EXPECT_EQ(shape.reason, "shape is [2, 1], expected [2]");
    Comparison type = compare(expected_of("i8", {"1", "2"}), text_tensor("u8", {2}, {"1", "2"}), *parse_policy(policy), 5);
    EXPECT_FALSE(type.conforms);
    EXPECT_EQ(type.reason, "element type is u8, expected i8");
  }
}

TEST(Compare, UnexcusedMismatchesAreKeptFirst) {
  Comparison comparison = compare(expected_of("i8", {"0", "0", "0"}), text_tensor("i8", {3}, {"1", "1", "9"}), *parse_policy("lsb:1"), 2);
  ASSERT_EQ(comparison.first.size(), 2u);
  EXPECT_EQ(comparison.first[0].index, 2);
  EXPECT_FALSE(comparison.first[0].excused);
  EXPECT_TRUE(comparison.first[1].excused);
}

}  // namespace
}  // namespace tiebreak
