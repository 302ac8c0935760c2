// SPDX-License-Identifier: Apache-2.0
// TOSA's operators on floats against machine floats: every f16 as an integer, zeros of both signs, infinities and NaN among pairs.
#include "testsuite/oracle/tosa/tosa_floats.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/draw.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr float tosa_nan = std::numeric_limits<float>::quiet_NaN();

Floats tosa_floats() {
  const float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  Floats values{0.0F, -0.0F, infinity, -infinity, tosa_nan, 1.0F, -1.0F, 1.5F, most, -most, 0x1p-140F, -0x1p-140F};
  Draw draw(97);
  for (int i = 0; i < 20; ++i) values.push_back(draw.number(-4, 4));
  return values;
}

AttributeMap with_mode(bool ignore, AttributeMap more = {}) {
  more["nan_mode"] = Attribute{std::string(ignore ? "IGNORE" : "PROPAGATE")};
  return more;
}

/// NaN is one value; zeros have signs.
void expect_tosa(const OpCall& call, const Floats& expected) {
  const ResultTensor result = given_result(call);
  ASSERT_EQ(result.tensor.size(), static_cast<std::int64_t>(expected.size())) << call.op;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float actual = f32_at(result.tensor, static_cast<std::int64_t>(i));
    const bool same = std::bit_cast<std::uint32_t>(actual) == std::bit_cast<std::uint32_t>(expected[i]) || (std::isnan(actual) && std::isnan(expected[i]));
    EXPECT_TRUE(same) << call.op << " " << i << ": " << actual << ", oracle " << expected[i];
  }
}

TEST(TosaFloats, ExtremesOfPairs) {
  const Floats some = tosa_floats();
  Floats a, b;
  for (float x : some)
    for (float y : some) {
      a.push_back(x);
      b.push_back(y);
    }
  for (const bool ignore : {false, true}) {
    Floats greater, less;
    for (std::size_t i = 0; i < a.size(); ++i) {
      greater.push_back(oracle::tosa::greater_of(a[i], b[i], ignore));
      less.push_back(oracle::tosa::less_of(a[i], b[i], ignore));
    }
    expect_tosa({.op = "tosa.MAXIMUM", .operands = {floats_line(a), floats_line(b)}, .attributes = with_mode(ignore)}, greater);
    expect_tosa({.op = "tosa.MINIMUM", .operands = {floats_line(a), floats_line(b)}, .attributes = with_mode(ignore)}, less);
    for (const auto& [low, high] : {std::pair{-1.0, 6.0}, std::pair{0.0, 1.0}, std::pair{-2.0, 0.0}}) {
      Floats clamped;
      for (float x : some) clamped.push_back(oracle::tosa::clamped(x, static_cast<float>(low), static_cast<float>(high), ignore));
      expect_tosa({.op = "tosa.CLAMP",
                   .operands = {floats_line(some)},
                   .attributes = with_mode(ignore, {{"min_val", Attribute{Real::from_double(low)}}, {"max_val", Attribute{Real::from_double(high)}}})},
                  clamped);
    }
  }
}

TEST(TosaFloats, ExtremesOfLines) {
  const Floats some = tosa_floats();
  Draw draw(98);
  constexpr std::int64_t lines = 500, length = 4;
  Floats values;
  for (std::int64_t i = 0; i < lines * length; ++i) values.push_back(draw.below(3) == 0 ? tosa_nan : some[static_cast<std::size_t>(draw.below(12))]);
  Tensor tensor = floats_line(values);
  tensor.set_type({tensor.element(), {lines, length}, {}});
  for (const bool ignore : {false, true}) {
    const AttributeMap attributes = with_mode(ignore, {{"axis", Attribute{Real(1)}}});
    const ResultTensor places =
        given_result({.op = "tosa.ARGMAX", .operands = {tensor}, .attributes = attributes, .result_types = result_types({{"i32", {lines}}})});
    Floats greatest, least;
    for (std::int64_t i = 0; i < lines; ++i) {
      const Floats line(values.begin() + i * length, values.begin() + (i + 1) * length);
      EXPECT_EQ(integer_at(places, i), oracle::tosa::place_of_greatest(line, ignore)) << i << " ignore " << ignore;
      greatest.push_back(line[0]);
      least.push_back(line[0]);
      for (float value : line) {
        greatest.back() = oracle::tosa::greater_of(greatest.back(), value, ignore);
        least.back() = oracle::tosa::less_of(least.back(), value, ignore);
      }
    }
    // The less one of equal numbers is the second: a line that begins with itself is no other line but for the sign of its zeros.
    expect_tosa({.op = "tosa.REDUCE_MAX", .operands = {tensor}, .attributes = attributes}, greatest);
    expect_tosa({.op = "tosa.REDUCE_MIN", .operands = {tensor}, .attributes = attributes}, least);
  }
}

TEST(TosaFloats, EveryF16AsAnInteger) {
  Tensor codes = *Tensor::zeros({*ElementType::parse("f16"), {65536}, {}});
  for (std::int64_t i = 0; i < 65536; ++i) codes.set_code(i, static_cast<std::uint64_t>(i));
  for (const auto& [type, bits] : {std::pair{"i8", 8}, std::pair{"i16", 16}, std::pair{"i32", 32}}) {
    const ResultTensor result = given_result({.op = "tosa.CAST", .operands = {codes}, .result_types = result_types({{type, {65536}}})});
    for (std::int64_t i = 0; i < 65536; ++i) {
      const Real value = codes.value(i);
      const auto expected = value.is_nan() ? std::nullopt : oracle::tosa::to_integer(value.to_double(), bits);
      ASSERT_EQ(integer_at(result, i), expected) << type << " " << value.to_string();
    }
  }
}

}  // namespace
}  // namespace tiebreak
