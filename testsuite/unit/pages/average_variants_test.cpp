// SPDX-License-Identifier: Apache-2.0
// Every profile's mean against the oracle's function of the same name: all counts from 1 to 256 and some beyond, with sums at every
// rounding boundary and one beside it.
#include "testsuite/oracle/quantized/average_variants.hpp"

#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct AverageParameters {
  float x_scale;
  std::int32_t x_zero_point;
  float y_scale;
  std::int32_t y_zero_point;
};
constexpr AverageParameters average_parameters[] = {{1, 0, 1, 0}, {0.1f, -3, 0.1f, 5}, {0.02f, 11, 0.03f, -7}, {0.3f, 127, 0.07f, -128}};

struct Points {
  std::vector<std::int64_t> sums, items;
};

/// Sums whose mean lies at a tie of the codes, and both neighbours.
Points points_of(const AverageParameters& p) {
  Points points;
  for (std::int64_t items = 1; items <= 256; ++items)
    for (int code = -129; code <= 128; ++code) {
      const double mean = (code + 0.5 - p.y_zero_point) * static_cast<double>(p.y_scale) / static_cast<double>(p.x_scale) + p.x_zero_point;
      if (std::fabs(mean) > 300) continue;
      const auto sum = static_cast<std::int64_t>(std::floor(mean * static_cast<double>(items)));
      for (std::int64_t offset = -1; offset <= 1; ++offset) {
        if (code % 7 != 0 && offset < 0) continue;
        points.sums.push_back(sum + offset);
        points.items.push_back(items);
      }
    }
  return points;
}

TEST(AverageVariants, EveryCountAtEveryBoundary) {
  std::int64_t total = 0;
  for (const oracle::AverageVariant& variant : oracle::average_variants())
    for (const AverageParameters& p : average_parameters) {
      const Points points = points_of(p);
      OpCall call{
          .op = "quant.average",
          .operands = {vector_tensor("i32", points.sums), vector_tensor("i32", points.items), scalar_tensor("f32", static_cast<double>(p.x_scale)),
                       scalar_tensor("i32", p.x_zero_point), scalar_tensor("f32", static_cast<double>(p.y_scale)), scalar_tensor("i32", p.y_zero_point)}};
      auto results = run_profile(call, variant.name);
      ASSERT_TRUE(results) << to_text(results.error());
      int wrong = 0;
      for (std::size_t i = 0; i < points.sums.size(); ++i) {
        const oracle::AverageArguments arguments{
            points.sums[i], static_cast<std::int32_t>(points.items[i]), p.x_scale, p.y_scale, p.x_zero_point, p.y_zero_point, {-128, 127}};
        const auto actual = integer_at(results->front(), static_cast<std::int64_t>(i));
        const std::int64_t expected = variant.function(arguments);
        if (actual != expected && ++wrong <= 3)
          ADD_FAILURE() << variant.name << " scales " << p.x_scale << " " << p.y_scale << ": " << points.sums[i] << " / " << points.items[i] << " gives "
                        << text_of(actual) << ", oracle " << expected;
      }
      EXPECT_EQ(wrong, 0) << variant.name;
      total += static_cast<std::int64_t>(points.sums.size());
    }
  std::printf("  %lld points, %zu profiles\n", static_cast<long long>(total), oracle::average_variants().size());
  EXPECT_GE(total, 1'000'000);
}

}  // namespace
}  // namespace tiebreak
