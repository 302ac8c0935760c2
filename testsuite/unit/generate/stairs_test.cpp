// SPDX-License-Identifier: Apache-2.0
// Rules made from stairs and around ties: complete on domains that can be gone through whole, checked with machine numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/generate/generate.hpp"
#include "testsuite/oracle/quantize_oracle.hpp"

namespace tiebreak {
namespace {

const std::shared_ptr<const Library>& pages() {
  static const auto library = Library::load(std::string(TIEBREAK_SOURCE_DIR) + "/spec").value();
  return library;
}

ElementType type_of(const std::string& name) { return *ElementType::parse(name); }

Tensor filled(const std::string& type, Shape shape, const std::vector<std::string>& values) {
  Tensor tensor = *Tensor::zeros({type_of(type), std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const Real v = *Real::parse(values[static_cast<std::size_t>(i)]);
    tensor.set_code(i, *tensor.element().encode(tensor.element().is_float() ? *round_to(v, tensor.element().floating()) : v));
  }
  return tensor;
}

InputRequest stairs_request(const std::string& rule, const std::string& type, Shape shape) {
  InputRequest request;
  request.rule = rule;
  request.type = {type_of(type), std::move(shape), {}};
  request.where = "test";
  return request;
}

Tensor made(const InputRequest& request) {
  auto tensor = generate_input(request);
  EXPECT_TRUE(tensor) << (tensor ? "" : to_text(tensor.error()));
  return tensor ? *tensor : *Tensor::zeros({type_of("i8"), {}, {}});
}

StairsOf requantize_stairs(const std::string& type, const std::string& scale, std::int64_t zero_point) {
  StairsOf of;
  of.library = pages().get();
  of.varied = "acc";
  of.operands = {"acc", "x_scale", "w_scale", "y_scale", "y_zero_point"};
  of.call.op = "quant.requantize";
  of.call.operands = {*Tensor::zeros({type_of(type), {1}, {}}), filled("f32", {}, {scale}), filled("f32", {}, {"1"}), filled("f32", {}, {"1"}),
                      filled("i32", {}, {std::to_string(zero_point)})};
  return of;
}

/// Codes of all 16-bit accumulators, by the exact engine.
std::vector<std::int64_t> codes_of_all(const StairsOf& of) {
  OpCall call = of.call;
  Tensor all = *Tensor::zeros({type_of("i16"), {65536}, {}});
  for (std::int64_t i = 0; i < 65536; ++i) all.set_code(i, *all.element().encode(Real(i - 32768)));
  call.operands[0] = std::move(all);
  Profile profile = **pages()->find_profile("reference");
  for (const auto& [key, alternative] : of.choices) profile.choices[key] = ProfileValue{.alternative = alternative};
  auto results = evaluate({*pages(), profile}, call);
  EXPECT_TRUE(results);
  std::vector<std::int64_t> codes;
  for (std::int64_t i = 0; i < 65536; ++i) codes.push_back(*results->front().tensor.value(i).to_int64());
  return codes;
}

TEST(Stairs, AreAllOfThemAndBothSides) {
  for (const char* code : {"exact", "f32_before", "two_stages"})
    for (std::int64_t zero_point : {0, 7}) {
      InputRequest request = stairs_request("stairs", "i16", {600});
      request.stairs = requantize_stairs("i16", "0.0173", zero_point);
      request.stairs->choices = {{"quant.requantize/code", code}};
      const std::vector<std::int64_t> codes = codes_of_all(*request.stairs);
      std::set<std::int64_t> expected, found;
      for (std::size_t i = 1; i < codes.size(); ++i)
        if (codes[i] != codes[i - 1]) expected.insert({static_cast<std::int64_t>(i) - 32769, static_cast<std::int64_t>(i) - 32768});
      const Tensor tensor = made(request);
      for (std::int64_t i = 0; i < tensor.size(); ++i) found.insert(*tensor.value(i).to_int64());
      EXPECT_EQ(found, expected) << code << " " << zero_point;
      EXPECT_EQ(expected.size(), 510u);
    }
}

TEST(Stairs, FloatStairsAreNeighboursWithOtherCodes) {
  InputRequest request = stairs_request("stairs", "f32", {510});
  StairsOf of;
  of.library = pages().get();
  of.varied = "x";
  of.operands = {"x", "y_scale", "y_zero_point"};
  of.call.op = "onnx.QuantizeLinear";
  of.call.operands = {*Tensor::zeros({type_of("f32"), {1}, {}}), filled("f32", {}, {"0.1"}), filled("u8", {}, {"128"})};
  of.choices = {{"onnx.QuantizeLinear/quotient", "f32"}};
  request.stairs = of;
  const Tensor tensor = made(request);
  std::vector<float> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(static_cast<float>(tensor.value(i).to_double()));
  std::sort(values.begin(), values.end());
  auto code = [](float x) { return std::clamp(static_cast<int>(std::nearbyint(x / 0.1f)) + 128, 0, 255); };
  for (std::size_t i = 0; i < values.size(); i += 2) {
    EXPECT_EQ(values[i + 1], std::nextafter(values[i], INFINITY));
    EXPECT_EQ(code(values[i]), static_cast<int>(i / 2));
    EXPECT_EQ(code(values[i + 1]), static_cast<int>(i / 2) + 1);
  }
}

TEST(Stairs, RowsSumToThem) {
  InputRequest request = stairs_request("stairs", "i8", {64, 5});
  request.stairs = requantize_stairs("i32", "0.05", 0);
  const Tensor weights = filled("i8", {5, 1}, {"127", "-90", "50", "9", "1"}), zero = filled("i8", {}, {"3"});
  request.operands = {{"weights", &weights}, {"zero_point", &zero}};
  InputRequest plain = stairs_request("stairs", "i32", {510});
  plain.stairs = request.stairs;
  std::set<std::int64_t> stairs, sums;
  const Tensor accumulators = made(plain), rows = made(request);
  for (std::int64_t i = 0; i < accumulators.size(); ++i) stairs.insert(*accumulators.value(i).to_int64());
  for (std::int64_t r = 0; r < 64; ++r) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < 5; ++k) sum += (*rows.value(r * 5 + k).to_int64() - 3) * *weights.value(k).to_int64();
    EXPECT_TRUE(stairs.contains(sum)) << sum;
    sums.insert(sum);
  }
  EXPECT_EQ(sums.size(), 64u);
}

TEST(Stairs, EveryChannelHasItsOwn) {
  InputRequest request = stairs_request("stairs", "i32", {4});
  request.stairs = requantize_stairs("i32", "1", 0);
  request.stairs->call.operands[2] = filled("f32", {4}, {"0.5", "0.25", "0.125", "0.0625"});
  const Tensor tensor = made(request);
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t width = std::int64_t{2} << i, v = *tensor.value(i).to_int64();
    // Ties of a power of two to even: one side of a stair is the tie itself, or the next.
    const std::int64_t rest = ((v % width) + width) % width;
    EXPECT_LE(std::abs(rest - width / 2), 1) << v;
  }
}

TEST(Stairs, MistakesAreNamed) {
  InputRequest request = stairs_request("stairs", "i32", {4});
  EXPECT_EQ(generate_input(request).error().code, Errc::usage);
  request.stairs = requantize_stairs("i32", "1", 0);
  request.stairs->choices = {{"quant.requantize/cod", "f32"}};
  EXPECT_EQ(generate_input(request).error().code, Errc::unknown_name);
  request.stairs->choices = {};
  request.stairs->varied = "accumulator";
  EXPECT_EQ(generate_input(request).error().code, Errc::unknown_name);
  request.stairs->varied = "acc";
  const Tensor even = filled("i8", {1, 1}, {"0"});
  InputRequest rows = stairs_request("stairs", "i8", {4, 1});
  rows.stairs = requantize_stairs("i32", "0.5", 0);
  rows.operands = {{"weights", &even}};
  EXPECT_FALSE(generate_input(rows)) << "-1, 0 and 1 have the code 0: times zero nothing is at a stair";
}

TEST(Ties, ExactOnesAreExactAndTheOthersAreNot) {
  const Tensor x = filled("f32", {}, {"0.75"}), y = filled("f32", {}, {"3"}), zero = filled("i8", {}, {"0"});
  InputRequest request = stairs_request("exact_ties", "i32", {256});
  request.operands = {{"x_scale", &x}, {"y_scale", &y}, {"zero_point", &zero}};
  const Tensor exact = made(request);
  for (std::int64_t i = 0; i < exact.size(); ++i) EXPECT_EQ(((*exact.value(i).to_int64() % 4) + 4) % 4, 2);  // acc / 4 is k + 1/2
  request.rule = "near_ties";
  const Tensor near = made(request);
  for (std::int64_t i = 0; i < near.size(); ++i) EXPECT_EQ(*near.value(i).to_int64() % 2 == 0, false);
  const Tensor third = filled("f32", {}, {"0.1"});
  request.rule = "exact_ties";
  request.operands = {{"x_scale", &third}, {"y_scale", &y}, {"zero_point", &zero}};
  EXPECT_FALSE(generate_input(request)) << "0.1 in f32 has 24 digits: no accumulator is a tie";
}

TEST(Ties, TheNearestComeFirst) {
  const Tensor x = filled("f32", {}, {"0.0173"}), y = filled("f32", {}, {"1"});
  InputRequest request = stairs_request("near_ties", "i32", {40});
  request.output = type_of("i8");
  request.operands = {{"x_scale", &x}, {"y_scale", &y}};
  const Tensor near = made(request);
  double last = 0;
  for (std::int64_t i = 0; i < near.size(); ++i) {
    const double product = static_cast<double>(0.0173f) * near.value(i).to_double();  // 24 and 14 digits: exact
    const double distance = std::abs(product - std::floor(product) - 0.5);
    EXPECT_GE(distance, last);
    EXPECT_GT(distance, 0);
    last = distance;
  }
  EXPECT_LT(last, 0.01);
}

TEST(Ties, SaturationVisitsBothEndsFromBothSides) {
  const Tensor scale = filled("f32", {}, {"0.3"}), zero = filled("u8", {}, {"5"});
  InputRequest request = stairs_request("saturation", "f32", {120});
  request.operands = {{"of", &scale}, {"zero_point", &zero}};
  const Tensor tensor = made(request);
  std::set<int> codes;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    codes.insert(static_cast<int>(std::clamp(std::nearbyint(tensor.value(i).to_double() / 0.3) + 5, -3.0, 258.0)));
  for (int wanted : {-1, 0, 1, 254, 255, 256}) EXPECT_TRUE(codes.contains(wanted)) << wanted;
}

TEST(Parameters, ZeroPointsScalesAndLargeAccumulators) {
  const Tensor zeros = made(stairs_request("zero_points", "u8", {6}));
  std::set<std::int64_t> found;
  for (std::int64_t i = 0; i < 6; ++i) found.insert(*zeros.value(i).to_int64());
  EXPECT_EQ(found, (std::set<std::int64_t>{0, 1, 255, 128, 129, 3}));
  for (const char* type : {"f32", "f16", "bf16", "f64"}) {
    const Tensor scales = made(stairs_request("extreme_scales", type, {24}));
    for (std::int64_t i = 0; i < scales.size(); ++i) EXPECT_TRUE(scales.value(i).is_finite() && scales.value(i).sign() > 0) << type;
  }
  const Tensor large = made(stairs_request("large_accumulators", "i32", {300}));
  int ties = 0, inexact = 0;
  for (std::int64_t i = 0; i < large.size(); ++i) {
    const std::int64_t v = *large.value(i).to_int64();
    const double below = static_cast<double>(static_cast<float>(static_cast<double>(v)));
    inexact += below != static_cast<double>(v) ? 1 : 0;
    const float near = static_cast<float>(v);
    const double other = std::nextafter(near, below > static_cast<double>(v) ? -INFINITY : INFINITY);
    ties += std::abs(static_cast<double>(near) - static_cast<double>(v)) == std::abs(other - static_cast<double>(v)) ? 1 : 0;
    EXPECT_GE(std::abs(static_cast<double>(v)), 16777216.0 - 1);
  }
  EXPECT_GT(inexact, 150);
  EXPECT_GT(ties, 60);
  EXPECT_FALSE(generate_input(stairs_request("large_accumulators", "i16", {3})));
  EXPECT_FALSE(generate_input(stairs_request("extreme_scales", "i8", {3})));
  EXPECT_FALSE(generate_input(stairs_request("zero_points", "f32", {3})));
}

}  // namespace
}  // namespace tiebreak
