// SPDX-License-Identifier: Apache-2.0
// A condition on a module's choice, in ops that have what it names and in ops that have not.
#include <gtest/gtest.h>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/evaluate/explain_difference.hpp"
#include "interpreter/notation/notation.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

Tensor number_tensor(const std::string& type, const Shape& shape, const std::vector<double>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), shape, {}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Real value = tensor.element().is_integer() ? Real(static_cast<std::int64_t>(values[i])) : Real::from_double(values[i]);
    tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(value));
  }
  return tensor;
}

/// Away from zero where the accumulator is i32, down elsewhere, and in ops that have no `acc`.
Profile rounds_accumulators_away() {
  Profile profile;
  const notation::ExprPtr condition = *notation::parse_expression("acc.type == i32", "test");
  profile.choices["quant.requantize/tie"] = ProfileValue{.alternative = {}, .condition = condition, .then = "away", .otherwise = "floor"};
  return profile;
}

std::int64_t first_code(const Semantics& semantics, const OpCall& call) {
  const auto results = evaluate(semantics, call);
  EXPECT_TRUE(results) << to_text(results.error());
  return results ? *results->front().tensor.value(0).to_int64() : -99;
}

TEST(ProfileCondition, DoesNotHoldWhereTheOpHasNoSuchName) {
  const auto library = spec_pages();
  ASSERT_TRUE(library);
  const Tensor one = number_tensor("f32", {}, {1}), two = number_tensor("f32", {}, {2}), zero = number_tensor("i8", {}, {0});
  const auto requantize = [&](const std::string& type) {
    return OpCall{.op = "quant.requantize", .operands = {number_tensor(type, {1}, {3}), one, one, two}, .attributes = {}};
  };
  const Tensor a = number_tensor("i8", {1, 1}, {3}), b = number_tensor("i8", {1, 1}, {1});
  const OpCall product{.op = "onnx.QLinearMatMul", .operands = {a, one, zero, b, one, zero, two, zero}, .attributes = {}};
  const Profile profile = rounds_accumulators_away();
  EXPECT_EQ(first_code({*library, profile}, requantize("i32")), 2);
  EXPECT_EQ(first_code({*library, profile}, requantize("i16")), 1);
  EXPECT_EQ(first_code({*library, profile}, product), 1);
}

/// The scalars of an activation's quantization are computed in an op of their own, where a profile's words about quant.quantize meet other names.
TEST(ProfileCondition, EveryProfileCanBeEvaluatedInHybridOps) {
  const auto library = spec_pages();
  ASSERT_TRUE(library);
  const OpCall call{.op = "quant.dynamic", .operands = {number_tensor("f32", {3}, {-1, 0.5, 3})}, .attributes = {}};
  for (const auto& [name, profile] : library->profiles()) {
    const auto results = evaluate({*library, profile}, call);
    EXPECT_TRUE(results) << name << ": " << to_text(results.error());
  }
}

/// A profile speaks of codes by their type, which has one name in all ops of a page, not by an operand or a result.
TEST(ProfileCondition, TypesOfAPageAreKnownInItsOtherOps) {
  const auto library = spec_pages();
  ASSERT_TRUE(library);
  const auto taken = [&](const char* profile, const std::string& choice, const char* storage) {
    const Tensor x = number_tensor("f32", {3}, {-1, 0.5, 3});
    const OpCall call{.op = "quant.dynamic", .operands = {x}, .attributes = {{"storage", Attribute{*ElementType::parse(storage)}}}};
    const auto readings = readings_of({*library, **library->find_profile(profile)}, call);
    return readings ? readings->at("quant.dynamic/quantize." + choice) : to_text(readings.error());
  };
  EXPECT_EQ(taken("mlir-const", "order", "i8"), "before_f64");
  EXPECT_EQ(taken("mlir-const", "order", "u8"), "before_f64");
  EXPECT_EQ(taken("onednn-x64", "not_a_number", "u8"), "least");
  EXPECT_EQ(taken("onednn-x64", "not_a_number", "i8"), "greatest");
}

}  // namespace
}  // namespace tiebreak
