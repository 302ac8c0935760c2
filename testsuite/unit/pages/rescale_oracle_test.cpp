// SPDX-License-Identifier: Apache-2.0
// tosa.RESCALE and quant.requantize_integer, whose multipliers are given as integers, against plain 64-bit arithmetic.
#include "testsuite/oracle/quantized/rescale_oracle.hpp"

#include "interpreter/orders/legal_results.hpp"
#include "testsuite/unit/helpers/requantize_points.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t values_per_rule = 2000;

Tensor line_or_scalar(const std::string& type, const std::vector<std::int64_t>& values, bool scalar = false) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), scalar ? Shape{} : Shape{static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return tensor;
}

/// Values around ties of value * m / 2^s, and others.
std::vector<std::int64_t> values_for(RequantizeRandom& random, const oracle::Rescale& rule, int bits) {
  std::vector<std::int64_t> values;
  const std::int64_t low = -(std::int64_t{1} << (bits - 1)), high = -low - 1;
  while (values.size() < values_per_rule) {
    const double tie = (static_cast<double>(random.between(-140, 140)) + 0.5) * std::ldexp(1.0, rule.shift) / std::max(1, rule.multiplier);
    const auto middle = static_cast<std::int64_t>(std::clamp(std::floor(tie), -0x1p60, 0x1p60)) + rule.input_zero_point;
    for (std::int64_t d = -1; d <= 1; ++d) values.push_back(std::clamp(middle + d, low, high));
    values.push_back(random.between(low, high));
  }
  values.resize(values_per_rule);
  return values;
}

oracle::Rescale random_rule(RequantizeRandom& random, bool scale32) {
  oracle::Rescale rule;
  rule.scale32 = scale32;
  const int digits = scale32 ? 31 : 15;
  const std::int64_t kind = random.between(0, 5);
  rule.multiplier = static_cast<std::int32_t>(kind == 0   ? std::int64_t{1} << (digits - 1)
                                              : kind == 1 ? random.between(0, (std::int64_t{1} << digits) - 1)
                                                          : random.between(std::int64_t{1} << (digits - 1), (std::int64_t{1} << digits) - 1) &
                                                                ~((std::int64_t{1} << (digits - 1 - random.between(2, 10))) - 1));
  rule.shift = static_cast<int>(random.between(0, 9) == 0 ? random.between(1, 63) : random.between(digits - 1, digits + 20));
  rule.rounding = scale32 && random.between(0, 1) == 1 ? oracle::RescaleRounding::twice : oracle::RescaleRounding::once;
  rule.output_zero_point = random.between(-128, 127);
  return rule;
}

OpCall rescale_call(const oracle::Rescale& rule, const std::vector<std::int64_t>& values, const std::string& type, const std::string& mode) {
  return {.op = "tosa.RESCALE",
          .operands = {line_or_scalar(type, values), line_or_scalar(rule.scale32 ? "i32" : "i16", {rule.multiplier}, true),
                       line_or_scalar("i8", {rule.shift}, true), line_or_scalar(type, {rule.input_zero_point}, true),
                       line_or_scalar("i8", {rule.output_zero_point}, true)},
          .attributes = {{"scale32", Attribute{rule.scale32}}, {"rounding_mode", Attribute{mode}}}};
}

TEST(RescaleOracle, EveryRounding) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  RequantizeRandom random(requantize_seed);
  std::int64_t total = 0, undefined = 0;
  for (int set = 0; set < 300; ++set) {
    const std::string type = set % 4 == 0 ? "i8" : set % 4 == 1 ? "i16" : set % 4 == 2 ? "i32" : "i48";
    oracle::Rescale rule = random_rule(random, type != "i48");
    if (type == "i8") rule.input_zero_point = random.between(-128, 127);
    const std::vector<std::int64_t> values = values_for(random, rule, ElementType::parse(type)->bits());
    auto results = evaluate({*library, **library->find_profile("reference")},
                            rescale_call(rule, values, type, rule.rounding == oracle::RescaleRounding::twice ? "DOUBLE_ROUND" : "SINGLE_ROUND"));
    ASSERT_TRUE(results) << to_text(results.error());
    const ResultTensor& y = results->front();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool missing = !y.undefined.empty() && y.undefined[i] != 0;
      const auto expected = oracle::rescale(values[i], rule);
      ASSERT_EQ(missing, !expected.has_value()) << values[i] << " * " << rule.multiplier << " >> " << rule.shift;
      undefined += missing ? 1 : 0;
      ++total;
      if (missing) continue;
      ASSERT_EQ(*y.tensor.value(static_cast<std::int64_t>(i)).to_int64(), *expected)
          << values[i] << " * " << rule.multiplier << " >> " << rule.shift << " set " << set;
    }
  }
  std::printf("  %lld values, %lld unpredictable\n", static_cast<long long>(total), static_cast<long long>(undefined));
}

/// The page gives the least member of the set; the interval holds two only beside a tie.
TEST(RescaleOracle, InexactRoundGivesTheLeastMember) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  RequantizeRandom random(requantize_seed);
  std::int64_t two = 0;
  for (int set = 0; set < 40; ++set) {
    oracle::Rescale rule = random_rule(random, true);
    rule.shift = static_cast<int>(random.between(31, 43));
    const std::vector<std::int64_t> values = values_for(random, rule, 24);
    auto results = evaluate({*library, **library->find_profile("reference")}, rescale_call(rule, values, "i32", "INEXACT_ROUND"));
    ASSERT_TRUE(results) << to_text(results.error());
    const ResultTensor& y = results->front();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!y.undefined.empty() && y.undefined[i] != 0) continue;
      const oracle::RescaleInterval interval = oracle::inexact_rescale(values[i], rule);
      ASSERT_EQ(*y.tensor.value(static_cast<std::int64_t>(i)).to_int64(), interval.first) << values[i] << " * " << rule.multiplier << " >> " << rule.shift;
      two += interval.last != interval.first ? 1 : 0;
      const auto once = oracle::rescale(values[i], rule);
      EXPECT_TRUE(rule.rounding != oracle::RescaleRounding::once || !once || (interval.first <= *once && *once <= interval.last));
    }
  }
  EXPECT_GT(two, 0);
}

/// All of the set is right, and nothing beside it.
TEST(RescaleOracle, InexactRoundAllowsTheInterval) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  RequantizeRandom random(requantize_seed + 1);
  std::int64_t wide = 0;
  for (int set = 0; set < 30; ++set) {
    oracle::Rescale rule = random_rule(random, true);
    rule.shift = static_cast<int>(random.between(set % 3 == 0 ? 25 : 31, 43));
    const bool to_i32 = set % 3 == 0;
    if (to_i32) rule.output_zero_point = 0, rule.low = -2147483648LL, rule.high = 2147483647LL;
    const std::vector<std::int64_t> values = values_for(random, rule, 24);
    OpCall call = rescale_call(rule, values, "i32", "INEXACT_ROUND");
    if (to_i32) call.operands[4] = line_or_scalar("i32", {0}, true);
    const auto legal = legal_results({*library, **library->find_profile("reference")}, call);
    ASSERT_TRUE(legal) << to_text(legal.error());
    ASSERT_EQ(legal->size(), 1U);
    const LegalResults& y = legal->front();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (y.computed.front().is_undefined(static_cast<std::int64_t>(i))) continue;
      const oracle::RescaleInterval interval = oracle::inexact_rescale(values[i], rule);
      const LegalElement& element = y.elements[i];
      const bool one = interval.first == interval.last;
      ASSERT_EQ(element.kind, one ? LegalElement::Kind::unique : LegalElement::Kind::interval) << values[i] << " " << interval.first << " " << interval.last;
      if (one) continue;
      ASSERT_EQ(*element.low.to_int64(), interval.first);
      ASSERT_EQ(*element.high.to_int64(), interval.last);
      wide += interval.last > interval.first + 1 ? 1 : 0;
    }
  }
  EXPECT_GT(wide, 0) << "of i32 the set has more than two";
}

TEST(RescaleOracle, LegacyStageOfGemmlowp) {
  auto library = spec_pages();
  ASSERT_TRUE(library);
  auto profile = library->find_profile("gemmlowp-legacy");
  ASSERT_TRUE(profile);
  RequantizeRandom random(requantize_seed);
  for (int set = 0; set < 60; ++set) {
    const std::int64_t offset = random.between(-100000, 100000), multiplier = random.between(1, 1 << random.between(3, 20)), shift = random.between(0, 30);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < values_per_rule; ++i) values.push_back(static_cast<std::int32_t>(random.next()) >> random.between(0, 24));
    const OpCall call{.op = "quant.requantize_integer",
                      .operands = {line_or_scalar("i32", values), line_or_scalar("i32", {multiplier}, true), line_or_scalar("i32", {31 - shift}, true),
                                   line_or_scalar("i32", {offset}, true)},
                      .attributes = {{"output_dtype", Attribute{*ElementType::parse("u8")}}}};
    auto results = evaluate({*library, **profile}, call);
    ASSERT_TRUE(results) << to_text(results.error());
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(*results->front().tensor.value(static_cast<std::int64_t>(i)).to_int64(),
                oracle::requantize_legacy(static_cast<std::int32_t>(values[i]), static_cast<std::int32_t>(offset), static_cast<std::int32_t>(multiplier),
                                          static_cast<int>(shift), 0, 255));
  }
}

}  // namespace
}  // namespace tiebreak
