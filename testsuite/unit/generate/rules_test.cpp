// SPDX-License-Identifier: Apache-2.0
// The other rules: what they contain, that they are the same everywhere, and their errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "testsuite/generate/generate.hpp"
#include "testsuite/generate/neighbours.hpp"
#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak {
namespace {

InputRequest request_for(const char* rule, const char* element, Shape shape, std::uint64_t seed = 1) {
  InputRequest request;
  request.rule = rule;
  request.type = {*ElementType::parse(element), std::move(shape), std::nullopt};
  request.seed = seed;
  request.where = "test";
  return request;
}

std::vector<std::uint64_t> codes(const Tensor& tensor) {
  std::vector<std::uint64_t> list;
  for (std::int64_t i = 0; i < tensor.size(); ++i) list.push_back(tensor.code(i));
  return list;
}

TEST(PseudoRandom, IsSplitMix64) {
  PseudoRandom random(1234567);
  // First outputs of the published generator for this seed.
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(PseudoRandom, BelowStaysBelowAndReachesAll) {
  PseudoRandom random(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t v = random.below(7);
    ASSERT_LT(v, 7u);
    seen.insert(v);
  }
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Neighbours, OfEveryF8Value) {
  for (const char* name : {"f8e4m3fn", "f8e5m2", "f4e2m1", "f8e8m0", "f8e4m3fnuz"}) {
    ElementType type = *ElementType::parse(name);
    std::vector<Real> values;
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << type.bits()); ++code) {
      if (Real v = type.decode(code); v.is_finite() && !(v.is_zero() && v.is_negative())) values.push_back(v);
    }
    std::sort(values.begin(), values.end(), [](const Real& a, const Real& b) { return a < b; });
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      EXPECT_EQ(next_above(values[i], type), values[i + 1]) << name << " above " << values[i].to_string();
      EXPECT_EQ(next_below(values[i + 1], type), values[i]) << name << " below " << values[i + 1].to_string();
      Real middle = (values[i] + values[i + 1]) / Real(2);
      EXPECT_EQ(value_below(middle, type), values[i]) << name;
      EXPECT_EQ(value_above(middle, type), values[i + 1]) << name;
    }
  }
}

TEST(Rules, EveryRuleIsDeterministicAndFitsItsType) {
  Tensor scale = *Tensor::zeros({*ElementType::parse("f32"), {}, std::nullopt});
  scale.set_code(0, 0x3f800000);
  for (const InputRule& rule : input_rules()) {
    for (const char* element : {"i8", "u4", "i32", "f32", "f16", "bf16", "f8e4m3fn", "f8e5m2fnuz"}) {
      InputRequest request = request_for(rule.name.c_str(), element, {3, 40});
      for (const std::string& key : rule.required) {
        if (key == "value") request.numbers["value"] = Real(1);
        else request.operands[key] = &scale;
      }
      if (std::find(rule.operands.begin(), rule.operands.end(), "of") != rule.operands.end()) request.operands["of"] = &scale;
      const bool integer = request.type.element.is_integer();
      const std::map<std::string, bool> takes{{"accumulator_ties", integer},
                                              {"zero_points", integer},
                                              {"extreme_scales", !integer},
                                              {"stairs", false},
                                              {"exact_ties", !integer},
                                              {"near_ties", !integer},
                                              {"large_accumulators", integer && request.type.element.bits() > 25}};
      Result<Tensor> first = generate_input(request);
      if (auto limited = takes.find(rule.name); limited != takes.end() && !limited->second) {
        EXPECT_FALSE(first) << rule.name << " " << element;
        continue;
      }
      ASSERT_TRUE(first) << rule.name << " " << element << ": " << to_text(first.error());
      Result<Tensor> second = generate_input(request);
      EXPECT_EQ(codes(*first), codes(*second)) << rule.name << " " << element;
    }
  }
}

TEST(Rules, RandomDependsOnTheSeedAndKeepsItsBounds) {
  InputRequest request = request_for("random", "i8", {500});
  request.numbers = {{"min", Real(-3)}, {"max", Real(4)}};
  Tensor a = *generate_input(request);
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < a.size(); ++i) seen.insert(*a.value(i).to_int64());
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3, 4}));
  request.seed = 2;
  EXPECT_NE(codes(a), codes(*generate_input(request)));
  InputRequest floats = request_for("random", "f32", {500});
  floats.numbers = {{"min", Real::dyadic(-3, -1)}, {"max", Real(2)}};
  Tensor b = *generate_input(floats);
  for (std::int64_t i = 0; i < b.size(); ++i) {
    EXPECT_LE(Real::dyadic(-3, -1), b.value(i));
    EXPECT_LE(b.value(i), Real(2));
  }
}

TEST(Rules, SpecialsHaveWhatTheTypeHas) {
  Tensor x = *generate_input(request_for("specials", "f32", {64}));
  bool has_nan = false, has_infinity = false, has_negative_zero = false, has_subnormal = false;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    Real v = x.value(i);
    has_nan |= v.is_nan();
    has_infinity |= v.is_infinite();
    has_negative_zero |= v.is_zero() && v.is_negative();
    has_subnormal |= v.is_finite() && !v.is_zero() && abs(v) < Real::power_of_two(-126);
  }
  EXPECT_TRUE(has_nan && has_infinity && has_negative_zero && has_subnormal);
  Tensor edges = *generate_input(request_for("edges", "f32", {512}));
  for (std::int64_t i = 0; i < edges.size(); ++i) EXPECT_TRUE(edges.value(i).is_finite());
}

TEST(Rules, ExtremesAreTheTwoEnds) {
  Tensor x = *generate_input(request_for("extremes", "i8", {200}));
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < x.size(); ++i) seen.insert(*x.value(i).to_int64());
  EXPECT_EQ(seen, (std::set<std::int64_t>{-128, 127}));
}

TEST(Rules, SequenceOfAFullTurnHasEveryCode) {
  Tensor x = *generate_input(request_for("sequence", "i8", {256}));
  std::set<std::uint64_t> seen;
  for (std::uint64_t code : codes(x)) seen.insert(code);
  EXPECT_EQ(seen.size(), 256u);
}

TEST(Rules, EmptyShapesAndErrors) {
  EXPECT_EQ(generate_input(request_for("edges", "f32", {0, 4}))->size(), 0);
  Result<Tensor> unknown = generate_input(request_for("tise", "f32", {4}));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::unknown_name);
  EXPECT_EQ(unknown.error().hint, "did you mean 'ties'?");
  Result<Tensor> missing = generate_input(request_for("ties", "f32", {4}));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what.find("'of'"), std::string::npos);
  InputRequest bounds = request_for("random", "u8", {4});
  bounds.numbers = {{"min", Real(5)}, {"max", Real(300)}};
  EXPECT_FALSE(generate_input(bounds));
  Tensor zero = *Tensor::zeros({*ElementType::parse("f32"), {}, std::nullopt});
  InputRequest zero_scale = request_for("ties", "f32", {4});
  zero_scale.operands["of"] = &zero;
  EXPECT_FALSE(generate_input(zero_scale));
}

}  // namespace
}  // namespace tiebreak
