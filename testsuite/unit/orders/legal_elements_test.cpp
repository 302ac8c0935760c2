// SPDX-License-Identifier: Apache-2.0
// Elements that are kept as the tensors of their least and greatest values, against the same elements listed, and the ends of float sums against the exact
// sums and bounds that they are made from. The seed is printed.
#include "interpreter/orders/legal_elements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpreter/orders/legal_results.hpp"
#include "interpreter/orders/sum_interval.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr unsigned elements_seed = 20261129;
using Kind = LegalElement::Kind;

/// Few values, so that ends are equal, are zeros of either sign, and hold one another; some are undefined.
ResultTensor drawn(std::mt19937_64& random, const ElementType& type, std::int64_t count, bool with_nan, bool with_undefined) {
  ResultTensor result{.name = "y", .tensor = *Tensor::zeros({type, {count}, {}})};
  for (std::int64_t i = 0; i < count; ++i) {
    Real value(static_cast<std::int64_t>(random() % 7) - 3);
    if (type.is_float() && random() % 8 == 0) value = Real::infinity(random() % 2 == 0);
    if (type.is_float() && value.is_zero() && random() % 2 == 0) value = Real::zero(true);
    if (with_nan && type.is_float() && random() % 8 == 0) value = Real::nan();
    result.tensor.set_code(i, *type.encode(value));
  }
  if (with_undefined) result.undefined.resize(static_cast<std::size_t>(count));
  for (std::uint8_t& flag : result.undefined) flag = random() % 6 == 0 ? 1 : 0;
  return result;
}

TEST(LegalElements, OfTwoTensorsAreIntervalsBetweenThem) {
  std::mt19937_64 random(elements_seed);
  constexpr std::int64_t count = 700;
  for (const char* name : {"f32", "f64", "f16", "bf16", "i8", "i32"})
    for (const bool with_undefined : {false, true}) {
      const ElementType type = *ElementType::parse(name);
      const ResultTensor low = drawn(random, type, count, false, with_undefined), high = drawn(random, type, count, false, with_undefined);
      const Tensor answer = drawn(random, type, count, true, false).tensor;
      const LegalElements elements(low, high);
      ASSERT_EQ(elements.size(), static_cast<std::size_t>(count));
      EXPECT_FALSE(elements.any_unknown());
      EXPECT_FALSE(elements.all_unique());
      const std::vector<LegalElement> listed = elements.listed();
      std::size_t held = 0, unique = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const Real from = low.is_undefined(i) ? Real::infinity(true) : low.tensor.value(i);
        const Real to = high.is_undefined(i) ? Real::infinity(false) : high.tensor.value(i);
        const LegalElement one = elements[static_cast<std::size_t>(i)], &same = listed[static_cast<std::size_t>(i)];
        ASSERT_EQ(one.kind, from == to && !from.is_zero() ? Kind::unique : Kind::interval) << name << " " << i << " seed " << elements_seed;
        ASSERT_EQ(one.kind, same.kind);
        if (one.kind == Kind::unique) ++unique;
        else ASSERT_TRUE(one.low.identical(from) && one.high.identical(to) && same.low.identical(from) && same.high.identical(to)) << name << " " << i;
        const auto holds = elements.holds(answer, static_cast<std::size_t>(i));
        ASSERT_TRUE(holds);
        ASSERT_EQ(*holds, is_legal(one, {&answer}, i)) << name << " " << i << " seed " << elements_seed;
        held += *holds ? 1 : 0;
      }
      EXPECT_GT(held, 0U) << name;
      EXPECT_GT(unique, 0U) << name;
    }
}

TEST(LegalElements, ThatAreListedOrUnknownStayWhatTheyAre) {
  const LegalElements unknown = LegalElements::unknown(3);
  EXPECT_EQ(unknown.size(), 3U);
  EXPECT_EQ(unknown[2].kind, Kind::unknown);
  EXPECT_EQ(unknown.listed().size(), 3U);
  EXPECT_TRUE(unknown.any_unknown());
  EXPECT_FALSE(unknown.all_unique());
  EXPECT_FALSE(unknown.holds(floats_line({1, 2, 3}), 0));
  const LegalElements listed(std::vector<LegalElement>{{}, {.kind = Kind::set, .members = {{1}, {2}}}});
  EXPECT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[1].members.size(), 2U);
  EXPECT_FALSE(listed.any_unknown());
  EXPECT_FALSE(listed.all_unique());
  EXPECT_FALSE(listed.holds(floats_line({1, 2}), 1));
  EXPECT_TRUE(LegalElements(std::vector<LegalElement>(2)).all_unique());
  EXPECT_EQ(LegalElements().size(), 0U);
  EXPECT_TRUE(LegalElements(ResultTensor{.name = "y", .tensor = floats_line({1, -2})}, ResultTensor{.name = "y", .tensor = floats_line({1, -2})}).all_unique());
}

/// More cells than are computed together, of terms that cancel, overflow, vanish, or are no numbers.
TEST(LegalElements, EndsOfSumsAreTheExactSumsLessAndMoreTheirBounds) {
  std::mt19937_64 random(elements_seed + 1);
  constexpr std::int64_t rows = 67, items = 7, columns = 66;
  std::size_t infinite = 0, finite = 0;
  for (const char* name : {"f32", "f16", "bf16", "f64"}) {
    const ElementType type = *ElementType::parse(name);
    const auto matrix = [&](std::int64_t height, std::int64_t width) {
      Tensor tensor = *Tensor::zeros({type, {height, width}, {}});
      for (std::int64_t i = 0; i < tensor.size(); ++i) {
        const double value = std::ldexp(static_cast<double>(random() % 4096) - 2048, static_cast<int>(random() % 12) - 12);
        Real drawn = *round_to(Real::from_double(value), type.floating(), Rounding::nearest_even, Overflow::format);
        if (random() % 120 == 0) drawn = random() % 2 == 0 ? type.max() : random() % 2 == 0 ? Real::infinity() : Real::nan();
        if (random() % 10 == 0) drawn = Real::zero(random() % 2 == 0);
        tensor.set_code(i, *type.encode(drawn));
      }
      return tensor;
    };
    const OpCall call{.op = "stablehlo.dot_general",
                      .operands = {matrix(rows, items), matrix(items, columns)},
                      .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
                      .result_types = {TensorType{type, {rows, columns}, {}}}};
    const auto interval = sum_interval({*spec_pages(), **spec_pages()->find_profile("stablehlo-spec")}, call, rows * columns);
    ASSERT_TRUE(interval && *interval) << name;
    const SumInterval& found = **interval;
    ASSERT_EQ(found.exact.size(), static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < found.exact.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const bool known = found.bound[i].is_finite();
      (known ? finite : infinite) += 1;
      const auto end = [&](const Real& at, Rounding rounding, bool upper) {
        return known ? *round_to(at, type.floating(), rounding, Overflow::format) : Real::infinity(!upper);
      };
      const Real low = found.low.tensor.value(index), high = found.high.tensor.value(index);
      ASSERT_TRUE(low.identical(end(found.exact[i] - found.bound[i], Rounding::up, false))) << name << " " << i << " seed " << elements_seed + 1;
      ASSERT_TRUE(high.identical(end(found.exact[i] + found.bound[i], Rounding::down, true))) << name << " " << i << " seed " << elements_seed + 1;
    }
  }
  EXPECT_GT(infinite, 1000U);
  EXPECT_GT(finite, 10000U);
}

}  // namespace
}  // namespace tiebreak
