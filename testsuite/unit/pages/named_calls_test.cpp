// SPDX-License-Identifier: Apache-2.0
// Custom calls and composites that name an op of a page, and composites that stand for their decomposition.
#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

const std::string hybrid_types = " : (tensor<1x2xf32>, tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xf32>";
const std::string hybrid_fields = "lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = dense<[0]> : tensor<1xi64>";

/// The only result of @main, or of a snippet, or the error.
std::string run_text(const std::string& text) {
  for (const MlirFunction& function : parse_mlir_functions(text, "named.mlir")) {
    if (!function.program) return to_text(function.program.error());
    if (function.is_called) continue;
    auto library = spec_pages();
    std::vector<Tensor> inputs;
    for (ValueId id : function.program->inputs) {
      const ProgramValue& value = function.program->values[static_cast<std::size_t>(id)];
      auto literal = parse_literal(value.type->quantized ? "[[1], [2]]" : "[[1.0, -2.7]]", *value.type, value.name);
      if (!literal) return to_text(literal.error());
      inputs.push_back(*literal);
    }
    auto results = evaluate({*library, **library->find_profile("reference")}, *function.program, inputs);
    return results ? results->front().tensor.value(0).to_decimal(9) : results.error().what;
  }
  return "no function";
}

TEST(NamedCalls, AreTheOpThatTheyName) {
  const std::string plain = run_text("%y = \"hybrid.dot_general\"(%x, %w) {" + hybrid_fields + "}" + hybrid_types);
  EXPECT_EQ(plain.substr(0, 7), "-2.1982");
  EXPECT_EQ(run_text("%y = stablehlo.custom_call @hybrid.dot_general(%x, %w) {backend_config = {" + hybrid_fields + "}, api_version = 4 : i32}" + hybrid_types),
            plain);
  EXPECT_EQ(
      run_text("%y = stablehlo.composite \"hybrid.dot_general\" %x, %w {composite_attributes = {" + hybrid_fields + "}, decomposition = @f}" + hybrid_types),
      plain);
  EXPECT_EQ(run_text("%y = \"stablehlo.composite\"(%x, %w) {name = \"hybrid.dot_general\", composite_attributes = {" + hybrid_fields + "}}" + hybrid_types),
            plain);
}

TEST(NamedCalls, RefuseWhatNoPageHas) {
  const std::string missing = run_text("%y = stablehlo.custom_call @acme.dot(%x, %w) {backend_config = {}}" + hybrid_types);
  EXPECT_NE(missing.find("acme.dot"), std::string::npos) << missing;
  const std::string attribute = run_text("%y = stablehlo.custom_call @hybrid.dot_general(%x, %w) {backend_config = {contracted = 1 : i64}}" + hybrid_types);
  EXPECT_EQ(attribute, "hybrid.dot_general has no attribute 'contracted'");
}

/// A name of a page is taken before the decomposition; any other name is the decomposition.
TEST(NamedCalls, DecompositionsAreRun) {
  const std::string f =
      "func.func private @f(%x: tensor<1x2xf32>, %w: tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xf32> {\n"
      "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]" +
      hybrid_types + "\n  return %0 : tensor<1x1xf32>\n}\n";
  const auto main = [&](const std::string& name) {
    return f + "func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xf32> {\n  %0 = stablehlo.composite \"" + name +
           "\" %x, %w {composite_attributes = {" + (name == "acme.dot" ? "" : hybrid_fields) + "}, decomposition = @f}" + hybrid_types +
           "\n  return %0 : tensor<1x1xf32>\n}\n";
  };
  EXPECT_EQ(run_text(main("acme.dot")).substr(0, 6), "-2.200");  // weight-only: 0.5 - 2.7
  EXPECT_EQ(run_text(main("hybrid.dot_general")).substr(0, 7), "-2.1982");
  const auto functions = parse_mlir_functions(main("acme.dot"), "named.mlir");
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_TRUE(functions[0].is_called);
  ASSERT_TRUE(functions[1].program);
  const std::string printed = print_mlir(*functions[1].program);
  const auto again = parse_mlir(printed, "printed.mlir");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(print_mlir(again->functions[0]), printed);
}

}  // namespace
}  // namespace tiebreak
