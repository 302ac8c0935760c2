// SPDX-License-Identifier: Apache-2.0
// The interval of a float sum holds what every order gives: all groupings and permutations of short sums, and the orders of the pages on long ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "interpreter/orders/sum_interval.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr unsigned sum_interval_seed = 20240315;

Tensor f32_matrix(const std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
  Tensor tensor = vector_tensor("f32", values);
  TensorType type = tensor.type();
  type.shape = {rows, columns};
  tensor.set_type(type);
  return tensor;
}

OpCall dot(const std::vector<float>& l, const std::vector<float>& r) {
  const std::int64_t n = static_cast<std::int64_t>(l.size());
  return {.op = "stablehlo.dot_general",
          .operands = {f32_matrix(l, 1, n), f32_matrix(r, n, 1)},
          .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
          .result_types = {TensorType{*ElementType::parse("f32"), {1, 1}, {}}}};
}

/// Every value that some tree over some order of the terms gives.
void all_sums(std::vector<float> terms, std::set<float>& found) {
  if (terms.size() == 1) {
    found.insert(terms[0]);
    return;
  }
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      std::vector<float> fewer = terms;
      fewer[i] = terms[i] + terms[j];
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(j));
      all_sums(fewer, found);
    }
}

float any_float(std::mt19937& random, int span) {
  return std::ldexp(static_cast<float>(random() % 0xffffff) - 0x7fffff, static_cast<int>(random() % static_cast<unsigned>(span)) - span / 2);
}

TEST(SumInterval, HoldsEveryTreeOfShortSums) {
  std::mt19937 random(sum_interval_seed);
  auto library = spec_pages();
  auto profile = library->find_profile("stablehlo-spec");
  std::size_t trees = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<float> l, r, terms;
    for (int i = 0; i < 5; ++i) {
      l.push_back(any_float(random, 24));
      r.push_back(any_float(random, 8));
      terms.push_back(l.back() * r.back());
    }
    auto interval = sum_interval({*library, **profile}, dot(l, r));
    ASSERT_TRUE(interval.has_value()) << to_text(interval.error());
    ASSERT_TRUE(interval->has_value());
    const float low = f32_at((*interval)->low.tensor, 0), high = f32_at((*interval)->high.tensor, 0);
    std::set<float> found;
    all_sums(terms, found);
    trees += found.size();
    EXPECT_LE(low, *found.begin()) << "seed " << sum_interval_seed << " round " << round;
    EXPECT_GE(high, *found.rbegin()) << "seed " << sum_interval_seed << " round " << round;
    // Not a bound for its own sake: at most as wide as the terms' magnitudes allow.
    double magnitude = 0;
    for (float term : terms) magnitude += std::fabs(term);
    EXPECT_LE(static_cast<double>(high) - static_cast<double>(low), 2 * 5.01 * magnitude * 0x1p-24 + 0x1p-120) << "round " << round;
  }
  EXPECT_GT(trees, 100u);
}

TEST(SumInterval, QuantizedResultsAreAnIntervalOfCodes) {
  auto library = spec_pages();
  auto profile = library->find_profile("stablehlo-spec");
  // 2^24 + 1 + 1 + ... : whether the ones are lost decides the code at scale 4.
  TensorType type{*ElementType::parse("i32"), {1, 9}, {}};
  type.quantized = QuantizedType{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {{Real(1)}}, {{Real(0)}}};
  Tensor lhs = *Tensor::zeros(type);
  lhs.set_code(0, 1 << 24);
  for (int i = 1; i < 9; ++i) lhs.set_code(i, 1);
  type.shape = {9, 1};
  Tensor rhs = *Tensor::zeros(type);
  for (int i = 0; i < 9; ++i) rhs.set_code(i, 1);
  TensorType result = type;
  result.shape = {1, 1};
  result.quantized->scales = {{Real(4)}};
  OpCall call{.op = "stablehlo.dot_general",
              .operands = {lhs, rhs},
              .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
              .result_types = {result}};
  auto interval = sum_interval({*library, **profile}, call);
  ASSERT_TRUE(interval.has_value()) << to_text(interval.error());
  ASSERT_TRUE(interval->has_value());
  EXPECT_LE(*(*interval)->low.tensor.value(0).to_int64(), (1 << 22));
  EXPECT_GE(*(*interval)->high.tensor.value(0).to_int64(), (1 << 22) + 2);
  EXPECT_LE(*(*interval)->high.tensor.value(0).to_int64(), (1 << 22) + 6);
}

/// 256 terms of bf16 have n u = 1; one more, and (1 + u)^n may be beyond the bound.
TEST(SumInterval, MoreTermsThanTheFormatCanBoundHaveNoEnds) {
  auto library = spec_pages();
  for (const std::int64_t terms : {256, 257}) {
    Tensor lhs = *Tensor::zeros({*ElementType::parse("bf16"), {1, terms}, {}}), rhs = *Tensor::zeros({*ElementType::parse("bf16"), {terms, 1}, {}});
    for (std::int64_t i = 0; i < terms; ++i) {
      lhs.set_code(i, 0x3f80);
      rhs.set_code(i, 0x3f80);
    }
    OpCall call{.op = "stablehlo.dot_general",
                .operands = {lhs, rhs},
                .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
                .result_types = {TensorType{*ElementType::parse("bf16"), {1, 1}, {}}}};
    auto interval = sum_interval({*library, **library->find_profile("stablehlo-spec")}, call);
    ASSERT_TRUE(interval && *interval);
    EXPECT_EQ((*interval)->high.tensor.value(0).is_finite(), terms == 256) << terms;
    EXPECT_EQ((*interval)->low.tensor.value(0).is_finite(), terms == 256) << terms;
  }
}

TEST(SumInterval, IntegerSumsHaveNone) {
  auto library = spec_pages();
  Tensor x = vector_tensor<int>("i32", {1, 2});
  TensorType type = x.type();
  type.shape = {1, 2};
  x.set_type(type);
  Tensor y = x;
  type.shape = {2, 1};
  y.set_type(type);
  OpCall call{.op = "stablehlo.dot_general",
              .operands = {x, y},
              .attributes = {{"lhs_contracting_dimensions", Attribute::integers({1})}, {"rhs_contracting_dimensions", Attribute::integers({0})}},
              .result_types = {TensorType{*ElementType::parse("i32"), {1, 1}, {}}}};
  auto interval = sum_interval({*library, **library->find_profile("stablehlo-spec")}, call);
  ASSERT_TRUE(interval.has_value());
  EXPECT_FALSE(interval->has_value());
}

}  // namespace
}  // namespace tiebreak
