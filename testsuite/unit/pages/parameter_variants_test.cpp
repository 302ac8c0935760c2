// SPDX-License-Identifier: Apache-2.0
// Every profile's scale and zero point against the oracle's function of the same name: ranges whose zero points are ties of a decimal or
// binary scale, their neighbours, and pseudo-random ranges from empty to wide.
#include "testsuite/oracle/quantized/parameter_variants.hpp"

#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct Ranges {
  std::vector<float> low, high;
  void add(float a, float b) {
    low.push_back(a);
    high.push_back(b);
  }
};

float fraction(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<float>(static_cast<double>(state >> 40) * 0x1p-24);
}

Ranges ranges() {
  Ranges all;
  for (float scale : {1.0f, 0.1f, 0x1p-7f, 0.0123f, 1e-5f, 3e-8f})
    for (int half = -3; half <= 513; ++half) {
      const float zero = static_cast<float>(half) * 0.5f, low = -zero * scale, high = (255 - zero) * scale;
      all.add(low, high);
      all.add(std::nextafter(low, -1e9f), high);
      all.add(low, std::nextafter(high, 1e9f));
    }
  for (float v : {0.0f, 1e-45f, 1e-38f, 1e-20f, 1e-9f, 5e-7f, 1e-6f, 1e-3f}) {
    all.add(-v, v);
    all.add(0, v);
    all.add(-v, 0);
    all.add(-v, -v);
    all.add(v, v);
  }
  std::uint64_t state = 20260101;
  for (int i = 0; i < 20000; ++i) {
    const float width = std::ldexp(1 + fraction(state), static_cast<int>(fraction(state) * 60) - 45), share = fraction(state) * 1.2f - 0.1f;
    all.add(-width * share, width * (1 - share));
  }
  return all;
}

std::int64_t compare_parameters(const oracle::ParameterVariant& variant, const std::string& storage, bool narrow, const Ranges& all) {
  const ElementType element = *ElementType::parse(storage);
  oracle::CodeRange codes = oracle::integer_range(element.integer().is_signed, element.bits());
  if (narrow) ++codes.min;
  OpCall call{.op = "quant.parameters", .operands = {vector_tensor("f32", all.low), vector_tensor("f32", all.high)}};
  call.attributes["storage"] = Attribute{element};
  call.attributes["narrow"] = Attribute{narrow};
  auto results = run_profile(call, variant.name);
  EXPECT_TRUE(results) << variant.name << " " << (results ? "" : to_text(results.error()));
  if (!results) return 0;
  int wrong = 0;
  for (std::size_t i = 0; i < all.low.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const oracle::DerivedParameters expected = variant.function(all.low[i], all.high[i], codes);
    const double scale = f64_at((*results)[0].tensor, index);
    const auto zero = integer_at((*results)[1], index);
    if ((scale != expected.scale || zero != expected.zero_point) && ++wrong <= 3)
      ADD_FAILURE() << variant.name << " " << storage << " [" << all.low[i] << ", " << all.high[i] << "]: scale " << scale << " zero point " << text_of(zero)
                    << ", oracle " << expected.scale << " " << text_of(expected.zero_point);
  }
  EXPECT_EQ(wrong, 0) << variant.name << " " << storage;
  return static_cast<std::int64_t>(all.low.size());
}

TEST(ParameterVariants, TiesAndPseudoRandomRanges) {
  const Ranges all = ranges();
  std::int64_t points = 0;
  for (const oracle::ParameterVariant& variant : oracle::parameter_variants()) {
    points += compare_parameters(variant, "u8", false, all) + compare_parameters(variant, "i8", false, all) + compare_parameters(variant, "i8", true, all);
    points += compare_parameters(variant, "u4", false, all) + compare_parameters(variant, "i16", false, all);
  }
  std::printf("  %lld points, %zu profiles\n", static_cast<long long>(points), oracle::parameter_variants().size());
  EXPECT_GE(points, 1'000'000);
}

}  // namespace
}  // namespace tiebreak
