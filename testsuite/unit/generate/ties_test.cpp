// SPDX-License-Identifier: Apache-2.0
// The rules that aim at ties: what they hit is verified with exact arithmetic, not with the code that made it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testsuite/generate/generate.hpp"
#include "testsuite/generate/neighbours.hpp"

namespace tiebreak {
namespace {

TensorType type_of(const char* element, Shape shape) { return {*ElementType::parse(element), std::move(shape), std::nullopt}; }

Tensor tensor_of(const char* element, Shape shape, const std::vector<Real>& values) {
  Tensor tensor = *Tensor::zeros(type_of(element, std::move(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(values[i]));
  return tensor;
}

Tensor make(const char* rule, const char* element, Shape shape, std::map<std::string, const Tensor*> operands, std::int64_t axis = 1,
            std::int64_t block_size = 0, std::uint64_t seed = 1) {
  InputRequest request;
  request.rule = rule;
  request.type = type_of(element, std::move(shape));
  request.operands = std::move(operands);
  request.axis = axis;
  request.block_size = block_size;
  request.seed = seed;
  Result<Tensor> tensor = generate_input(request);
  EXPECT_TRUE(tensor) << (tensor ? "" : to_text(tensor.error()));
  return tensor ? *std::move(tensor) : Tensor();
}

bool is_half(const Real& v) { return !v.is_whole() && (v * Real(2)).is_whole(); }

TEST(Ties, EveryTieOfAPowerOfTwoScaleIsHitExactlyWithBothNeighbours) {
  for (const char* element : {"f32", "f16", "bf16"}) {
    Tensor scale = tensor_of("f32", {}, {Real::dyadic(1, -3)});
    Tensor zero_point = tensor_of("i8", {}, {Real(5)});
    Tensor x = make("ties", element, {2048}, {{"of", &scale}, {"zero_point", &zero_point}});
    std::vector<Real> values;
    for (std::int64_t i = 0; i < x.size(); ++i) values.push_back(x.value(i));
    auto contains = [&](const Real& v) { return std::find(values.begin(), values.end(), v) != values.end(); };
    // y in -128 .. 127 with zero point 5: the stairs between codes are k + 1/2 for k = -133 .. 121, and some beyond.
    int exact = 0;
    for (std::int64_t k = -134; k <= 122; ++k) {
      Real tie = Real::dyadic(2 * k + 1, -4);
      bool holds = x.element().encode(tie).has_value();
      exact += holds ? 1 : 0;
      EXPECT_TRUE(!holds || contains(tie)) << element << " has no tie at " << k << " + 1/2";
      EXPECT_TRUE(contains(holds ? next_above(tie, x.element()) : value_above(tie, x.element()))) << element << " has nothing above " << k << " + 1/2";
      EXPECT_TRUE(contains(holds ? next_below(tie, x.element()) : value_below(tie, x.element()))) << element << " has nothing below " << k << " + 1/2";
    }
    EXPECT_GE(exact, 245) << element;  // bf16 has eight bits: it cannot hold the ties beyond 128
  }
}

TEST(Ties, ScalesThatAreNoPowerOfTwoHaveTheTwoValuesAroundEachTie) {
  Real scale_value = *Real::parse("0x1.99999ap-4");
  Tensor scale = tensor_of("f32", {}, {scale_value});
  Tensor x = make("ties", "f32", {4096}, {{"of", &scale}});
  std::set<std::int64_t> low, high;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    Real quotient = x.value(i) / scale_value;
    Real k = round_whole(quotient - Real::dyadic(1, -1), Rounding::nearest_even);
    Real distance = abs(quotient - k - Real::dyadic(1, -1));
    EXPECT_LT(distance, Real::dyadic(1, -14)) << "element " << i << " is far from every tie";
    (quotient < k + Real::dyadic(1, -1) ? low : high).insert(*k.to_int64());
  }
  for (std::int64_t k = -1; k <= 255; ++k) EXPECT_TRUE(low.contains(k) && high.contains(k)) << "tie at " << k << " + 1/2 lacks a side";
}

TEST(Ties, EachElementUsesTheScaleOfItsChannel) {
  std::vector<Real> scales{Real(1), Real(4), Real::dyadic(1, -2)};
  Tensor scale = tensor_of("f32", {3}, scales);
  for (std::int64_t axis : {1, -2}) {
    Tensor x = make("ties", "f32", {2, 3, 50}, {{"of", &scale}}, axis);
    int exact = 0;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      Real quotient = x.value(i) / scales[static_cast<std::size_t>((i / 50) % 3)];
      Real from_tie = abs(quotient - round_whole(quotient - Real::dyadic(1, -1), Rounding::nearest_even) - Real::dyadic(1, -1));
      EXPECT_LT(from_tie, Real::dyadic(1, -14));
      exact += is_half(quotient) ? 1 : 0;
    }
    EXPECT_GT(exact, 60);
  }
}

TEST(Ties, BlocksHaveScalesOfTheirOwn) {
  std::vector<Real> scales{Real(1), Real(8), Real(64), Real(512)};
  Tensor scale = tensor_of("f32", {2, 2}, scales);
  Tensor x = make("ties", "f32", {2, 6}, {{"of", &scale}}, 1, 3);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    Real quotient = x.value(i) / scales[static_cast<std::size_t>((i / 6) * 2 + (i % 6) / 3)];
    Real from_tie = abs(quotient - round_whole(quotient - Real::dyadic(1, -1), Rounding::nearest_even) - Real::dyadic(1, -1));
    EXPECT_LT(from_tie, Real::dyadic(1, -14));
  }
}

TEST(Ties, ReachBeyondBothEndsOfTheRange) {
  Tensor scale = tensor_of("f32", {}, {Real(1)});
  Tensor zero_point = tensor_of("u8", {}, {Real(200)});
  Tensor x = make("ties", "f32", {1024}, {{"of", &scale}, {"zero_point", &zero_point}});
  Real least = x.value(0), greatest = x.value(0);
  for (std::int64_t i = 1; i < x.size(); ++i) {
    least = min(least, x.value(i));
    greatest = max(greatest, x.value(i));
  }
  EXPECT_LT(least, Real(-201));
  EXPECT_GT(greatest, Real(56));
}

TEST(Ties, SixteenBitRangesAreSampledAtEndsAndAroundZero) {
  Tensor scale = tensor_of("f32", {}, {Real(1)});
  Tensor zero_point = tensor_of("i16", {}, {Real(0)});
  Tensor x = make("ties", "f32", {4096}, {{"of", &scale}, {"zero_point", &zero_point}});
  std::set<Real, bool (*)(const Real&, const Real&)> values([](const Real& a, const Real& b) { return a < b; });
  for (std::int64_t i = 0; i < x.size(); ++i) values.insert(x.value(i));
  for (const char* wanted : {"-32768.5", "-32767.5", "-1.5", "-0.5", "0.5", "1.5", "32766.5", "32767.5"})
    EXPECT_TRUE(values.contains(*Real::parse(wanted))) << wanted;
}

TEST(AccumulatorTies, WholeNumbersOnBothSidesOfEveryStair) {
  Tensor x_scale = tensor_of("f32", {}, {*Real::parse("0x1.3404eap-9")});
  Tensor w_scale = tensor_of("f32", {}, {Real(1)});
  Tensor y_scale = tensor_of("f32", {}, {*Real::parse("0x1.28f5c2p-4")});
  Tensor zero_point = tensor_of("i8", {}, {Real(-3)});
  Tensor acc = make("accumulator_ties", "i32", {4096}, {{"x_scale", &x_scale}, {"w_scale", &w_scale}, {"y_scale", &y_scale}, {"zero_point", &zero_point}});
  Real multiplier = x_scale.value(0) / y_scale.value(0);
  std::set<std::int64_t> codes;
  std::int64_t beyond_f32 = 0;
  for (std::int64_t i = 0; i < acc.size(); ++i) {
    codes.insert(*acc.value(i).to_int64());
    beyond_f32 += abs(acc.value(i)) > Real::power_of_two(24) ? 1 : 0;
  }
  for (std::int64_t k = -125; k <= 129; ++k) {
    Real tie = Real::dyadic(2 * k + 1, -1) / multiplier;
    EXPECT_TRUE(codes.contains(*round_whole(tie, Rounding::down).to_int64())) << k;
    EXPECT_TRUE(codes.contains(*round_whole(tie, Rounding::up).to_int64())) << k;
  }
  EXPECT_GT(beyond_f32, 10);
  EXPECT_TRUE(codes.contains(std::numeric_limits<std::int32_t>::max()));
  EXPECT_TRUE(codes.contains(std::numeric_limits<std::int32_t>::min()));
}

TEST(AccumulatorTies, EachChannelHasItsOwnMultiplier) {
  std::vector<Real> scales{Real::dyadic(1, -4), Real::dyadic(1, -6), Real::dyadic(1, -8), Real::dyadic(1, -10)};
  Tensor x_scale = tensor_of("f32", {}, {Real(1)});
  Tensor w_scale = tensor_of("f32", {4}, scales);
  Tensor y_scale = tensor_of("f32", {}, {Real(1)});
  std::set<std::int64_t> near_tie;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Tensor acc = make("accumulator_ties", "i32", {4}, {{"x_scale", &x_scale}, {"w_scale", &w_scale}, {"y_scale", &y_scale}}, 1, 0, seed);
    for (std::int64_t i = 0; i < 4; ++i) {
      Real scaled = acc.value(i) * scales[static_cast<std::size_t>(i)];
      Real from_tie = abs(scaled - round_whole(scaled - Real::dyadic(1, -1), Rounding::nearest_even) - Real::dyadic(1, -1));
      if (from_tie <= Real(2) * scales[static_cast<std::size_t>(i)]) near_tie.insert(i);
    }
  }
  EXPECT_EQ(near_tie.size(), 4u);
}

}  // namespace
}  // namespace tiebreak
