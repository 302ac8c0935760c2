// SPDX-License-Identifier: Apache-2.0
// Means, variances and gradients: every order of their sums that a page names lies in the interval of all orders. The seed is printed.
#include <gtest/gtest.h>

#include <random>

#include "interpreter/orders/legal_results.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

constexpr unsigned legal_sums_seed = 20251123;

Tensor random_tensor(std::mt19937_64& random, const std::string& type, const Shape& shape, double least, double most) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), shape, {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double value = least + (most - least) * static_cast<double>(random() % 100003) / 100003;
    tensor.set_code(i, *tensor.element().encode(*round_to(Real::from_double(value), tensor.element().floating())));
  }
  return tensor;
}

/// How many results lie apart from each other by their order: a test of sums that all agree would prove nothing.
std::size_t check_orders(OpCall call) {
  const TensorType whole = call.operands[0]->type(), feature = call.operands[1]->type();
  call.result_types = {whole, feature, feature};
  const auto legal = legal_results({*spec_pages(), **spec_pages()->find_profile("stablehlo-spec")}, call);
  if (!legal) return ADD_FAILURE() << to_text(legal.error()), 0;
  const auto first = evaluate({*spec_pages(), profile_with({{call.op + "/order", "sequential"}}, "stablehlo-spec")}, call);
  EXPECT_EQ(legal->size(), first->size());
  std::size_t apart = 0;
  for (const char* order : {"sequential", "pairwise", "exact"}) {
    const auto results = evaluate({*spec_pages(), profile_with({{call.op + "/order", order}}, "stablehlo-spec")}, call);
    for (std::size_t r = 0; r < results->size(); ++r)
      for (std::int64_t i = 0; i < (*results)[r].tensor.size(); ++i) {
        const LegalElement& element = (*legal)[r].elements[static_cast<std::size_t>(i)];
        const Real value = (*results)[r].tensor.value(i), plain = (*first)[r].tensor.value(i);
        apart += value == plain ? 0 : 1;
        if (element.kind == LegalElement::Kind::unique) {
          EXPECT_EQ(value, plain);
          continue;
        }
        EXPECT_EQ(element.kind, LegalElement::Kind::interval) << (*legal)[r].why;
        EXPECT_LE(element.low, value) << call.op << " " << order << " result " << r << " seed " << legal_sums_seed;
        EXPECT_GE(element.high, value) << call.op << " " << order << " result " << r << " seed " << legal_sums_seed;
      }
  }
  return apart;
}

AttributeMap attributes() { return {{"epsilon", Attribute{Real::from_double(0x1p-10)}}, {"feature_index", Attribute{Real(1)}}}; }

TEST(LegalSums, OfBatchNormTrainingHoldEveryOrder) {
  std::mt19937_64 random(legal_sums_seed);
  std::size_t apart = 0;
  for (const char* type : {"f32", "f16", "bf16"})
    for (int round = 0; round < 6; ++round)
      apart += check_orders(
          {.op = "stablehlo.batch_norm_training",
           .operands = {random_tensor(random, type, {9, 3}, -4, 5), random_tensor(random, type, {3}, -2, 2), random_tensor(random, type, {3}, -2, 2)},
           .attributes = attributes()});
  EXPECT_GT(apart, 100U);
}

TEST(LegalSums, OfBatchNormGradHoldEveryOrder) {
  std::mt19937_64 random(legal_sums_seed + 1);
  std::size_t apart = 0;
  for (int round = 0; round < 6; ++round)
    apart += check_orders(
        {.op = "stablehlo.batch_norm_grad",
         .operands = {random_tensor(random, "f32", {9, 3}, -4, 5), random_tensor(random, "f32", {3}, -2, 2), random_tensor(random, "f32", {3}, -1, 1),
                      random_tensor(random, "f32", {3}, 0.5, 4), random_tensor(random, "f32", {9, 3}, -1, 1)},
         .attributes = attributes()});
  EXPECT_GT(apart, 100U);
}

TEST(LegalSums, AreNoneWhereTheOrderIsBound) {
  std::mt19937_64 random(legal_sums_seed + 2);
  const OpCall call{
      .op = "stablehlo.batch_norm_training",
      .operands = {random_tensor(random, "f32", {9, 3}, -4, 5), random_tensor(random, "f32", {3}, -2, 2), random_tensor(random, "f32", {3}, -2, 2)},
      .attributes = attributes(),
      .result_types = {TensorType{*ElementType::parse("f32"), {9, 3}, {}}, TensorType{*ElementType::parse("f32"), {3}, {}},
                       TensorType{*ElementType::parse("f32"), {3}, {}}}};
  EXPECT_TRUE(legal_results({*spec_pages(), **spec_pages()->find_profile("reference")}, call)->empty());
  EXPECT_EQ(legal_results({*spec_pages(), **spec_pages()->find_profile("reference")}, call, true)->size(), 3U);
}

}  // namespace
}  // namespace tiebreak
