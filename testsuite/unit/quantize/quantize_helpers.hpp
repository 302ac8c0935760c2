// SPDX-License-Identifier: Apache-2.0
// Small float programs, their parameters, and what their forms give.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testsuite/models/model_builder.hpp"
#include "testsuite/quantize/compare_forms.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {

inline Semantics by_onnx() { return {pages(), **pages().find_profile("onnx")}; }
inline Semantics by_tool() { return {pages(), **pages().find_profile("onnxruntime-tool")}; }

/// Parameters of one tensor. Scales are powers of two in most tests: then f32 is exact, and all forms must give the same.
inline TensorParameters given(const std::string& tensor, const char* storage, double scale, std::int64_t zero_point) {
  const ElementType element = *ElementType::parse(storage);
  return {tensor, {element, element.min(), element.max(), f32_type(), {}, {}, {{Real::from_double(scale)}}, {{Real(zero_point)}}}, "given", {}};
}

inline Recipe recipe_of(const std::string& body) {
  const auto recipe = parse_recipe(R"({"schema": "tiebreak.recipe/1", )" + body + "}", "recipe.json");
  EXPECT_TRUE(recipe) << to_text(recipe.error());
  return recipe ? *recipe : Recipe{};
}

inline QuantizedForms forms_of(const Program& program, const std::string& recipe, std::vector<TensorParameters> parameters) {
  auto made = quantize_program(by_tool(), program, recipe_of(recipe), {"model", std::move(parameters)});
  EXPECT_TRUE(made) << to_text(made.error());
  return made ? *std::move(made) : QuantizedForms{};
}

/// The first output of one form.
inline Floats run_form(const QuantizedForms& made, Form form, const std::vector<Tensor>& inputs) {
  const auto found = made.forms.find(form);
  if (found == made.forms.end()) return {};
  const auto outputs = evaluate(by_onnx(), found->second.program, inputs);
  EXPECT_TRUE(outputs) << to_word(form) << ": " << to_text(outputs.error());
  Floats values;
  if (!outputs) return values;
  for (std::int64_t i = 0; i < outputs->front().tensor.size(); ++i) values.push_back(f32_at(outputs->front().tensor, i));
  return values;
}

inline void expect_all_forms(const QuantizedForms& made, const std::vector<Tensor>& inputs, const Floats& expected) {
  for (const Form form : all_forms) EXPECT_EQ(run_form(made, form, inputs), expected) << to_word(form);
}

/// Quantize and dequantize, as plain arithmetic on doubles; exact for scales that are powers of two.
inline double on_grid(double value, double scale, int zero_point, int low = -128, int high = 127) {
  const double code = std::min<double>(high, std::max<double>(low, std::nearbyint(value / scale) + zero_point));
  return (code - zero_point) * scale;
}

/// Multiples of a quarter step, some of them beyond the codes.
inline Floats drawn_floats(std::size_t count, double scale, std::uint64_t seed) {
  PseudoRandom random(seed);
  Floats values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(scale * (static_cast<double>(random.below(1100)) - 550) / 4));
  return values;
}

inline bool has_operation(const Program& program, const std::string& op) {
  return std::ranges::any_of(program.operations, [&](const Operation& operation) { return operation.op == op; });
}

}  // namespace tiebreak
