// SPDX-License-Identifier: Apache-2.0
// Conversions under profiles against the oracle's, on f32 of every exponent: whole binades coarsely, ties and their neighbours, both signs,
// what is no number.
#include "testsuite/oracle/conversions.hpp"

#include <cmath>
#include <random>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// For every sign and exponent: the digits that ties of narrow formats have, one beside them on each side, and some at random.
const std::vector<float>& inputs() {
  static const std::vector<float> all = [] {
    std::vector<float> list;
    std::mt19937 random(7);
    for (std::uint32_t high = 0; high < 512; ++high)
      for (std::uint32_t top = 0; top < 32; ++top)
        for (std::uint32_t low : {0u, 1u, 0x3FFFFu, static_cast<std::uint32_t>(random() & 0x3FFFFu)}) {
          const std::uint32_t bits = (high << 23) | (top << 18) | low;
          float value = 0;
          std::memcpy(&value, &bits, 4);
          list.push_back(value);
        }
    return list;
  }();
  return all;
}

Result<std::vector<ResultTensor>> convert_inputs(const std::string& profile, const std::string& to, bool saturate) {
  static const Tensor x = vector_tensor("f32", inputs());
  OpCall call{.op = "quant.convert", .operands = {x}};
  call.attributes["to"] = Attribute{*ElementType::parse(to)};
  call.attributes["saturate"] = Attribute{saturate};
  return run_profile(call, profile);
}

TEST(Conversions, NarrowFloatsAreThoseOfTheSystems) {
  for (const oracle::FloatConversion& one : oracle::float_conversions()) {
    auto results = convert_inputs(one.name, one.format, one.saturate);
    ASSERT_TRUE(results) << one.name << " " << to_text(results.error());
    int wrong = 0;
    for (std::size_t i = 0; i < inputs().size(); ++i) {
      const double expected = one.function(inputs()[i]);
      ASSERT_FALSE(undefined_at(results->front(), static_cast<std::int64_t>(i))) << one.name;
      const Real actual = results->front().tensor.value(static_cast<std::int64_t>(i));
      if (!actual.identical(Real::from_double(expected)) && ++wrong <= 3)
        ADD_FAILURE() << one.name << " " << one.format << (one.saturate ? "" : " not saturating") << " of "
                      << Real::from_double(static_cast<double>(inputs()[i])).to_hex_float() << ": " << actual.to_string() << ", oracle " << expected;
    }
  }
}

TEST(Conversions, IntegersAreThoseOfTheSystems) {
  for (const oracle::IntegerConversion& one : oracle::integer_conversions()) {
    auto results = convert_inputs(one.name, one.type, true);
    ASSERT_TRUE(results) << one.name << " " << to_text(results.error());
    int wrong = 0;
    for (std::size_t i = 0; i < inputs().size(); ++i) {
      const auto expected = one.function(inputs()[i]), actual = integer_at(results->front(), static_cast<std::int64_t>(i));
      if (actual != expected && ++wrong <= 3)
        ADD_FAILURE() << one.name << " " << one.type << " of " << Real::from_double(static_cast<double>(inputs()[i])).to_hex_float() << ": " << text_of(actual)
                      << ", oracle " << text_of(expected);
    }
  }
}

}  // namespace
}  // namespace tiebreak
