// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers and operators on codes, in all forms, against float operators between plain quantize and dequantize.
#include "testsuite/unit/quantize/quantize_helpers.hpp"

namespace tiebreak {
namespace {

using models::ModelBuilder;
using models::numbers;

constexpr double step = 1.0 / 16;
constexpr int zero = -3;

Floats gridded(const Floats& values, double scale, int zero_point) {
  Floats result;
  for (const float value : values) result.push_back(static_cast<float>(on_grid(value, scale, zero_point)));
  return result;
}

struct ElementwiseForm {
  const char* op;
  double (*compute)(double, double);
  const char* on_codes;
};

TEST(QuantizedRegions, ElementwiseFunctions) {
  const std::array<ElementwiseForm, 3> forms{{{"Add", [](double a, double b) { return a + b; }, "microsoft.QLinearAdd"},
                                              {"Sub", [](double a, double b) { return a - b; }, "onnx.Sub"},
                                              {"Mul", [](double a, double b) { return a * b; }, "microsoft.QLinearMul"}}};
  for (const ElementwiseForm& form : forms) {
    ModelBuilder model("elementwise", 13, 1);
    const ValueId a = model.input("a", "f32", {60}), b = model.input("b", "f32", {60});
    const QuantizedForms made = forms_of(model.finish({model.add(form.op, "y", {a, b})}), R"("defaults": {})",
                                         {given("a", "i8", step, zero), given("b", "i8", 1.0 / 32, 9), given("y", "i8", 0.125, 4)});
    const Floats left = drawn_floats(60, step, 1), right = drawn_floats(60, 1.0 / 32, 2);
    Floats expected;
    for (std::size_t i = 0; i < 60; ++i)
      expected.push_back(static_cast<float>(on_grid(form.compute(on_grid(left[i], step, zero), on_grid(right[i], 1.0 / 32, 9)), 0.125, 4)));
    expect_all_forms(made, {floats_tensor({60}, left), floats_tensor({60}, right)}, expected);
    EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, form.on_codes)) << form.op;
  }
}

/// y = x + 0 brings x to codes; then the operator on [1, 2, 4, 4] codes.
struct RegionForm {
  const char* op;
  AttributeMap attributes;
  std::vector<std::pair<const char*, std::vector<double>>> floats;       ///< further operands
  std::vector<std::pair<const char*, std::vector<std::int64_t>>> whole;  ///< of i64, behind them
  const char* on_codes;
};

/// Every region's operator runs on codes in the simulated and the integer form, and gives what the float operator gives between quantize and dequantize.
TEST(QuantizedRegions, OperatorsOnCodes) {
  const std::vector<RegionForm> forms{
      {"Relu", {}, {}, {}, "onnx.Max"},
      {"Clip", {}, {{"low", {-1.2}}, {"high", {2.03}}}, {}, "onnx.Clip"},
      {"MaxPool", {{"kernel_shape", numbers({3, 3})}, {"pads", numbers({1, 1, 1, 1})}, {"strides", numbers({2, 2})}}, {}, {}, "onnx.MaxPool"},
      {"Pad", {}, {}, {{"amounts", {0, 0, 1, 2, 0, 0, 0, 1}}}, "onnx.Pad"},
      {"Reshape", {}, {}, {{"shape", {2, -1}}}, "onnx.Reshape"},
      {"Flatten", {}, {}, {}, "onnx.Flatten"},
      {"Transpose", {{"perm", numbers({0, 2, 3, 1})}}, {}, {}, "onnx.Transpose"},
      {"Squeeze", {}, {}, {{"axes", {0}}}, "onnx.Squeeze"},
      {"Unsqueeze", {}, {}, {{"axes", {1}}}, "onnx.Unsqueeze"},
  };
  for (const RegionForm& form : forms) {
    ModelBuilder model("region", 13, 1);
    const ValueId x = model.input("x", "f32", {1, 2, 4, 4});
    const ValueId same = model.add("Add", "same", {x, model.floats("nothing", {1}, {0})});
    std::vector<ValueId> operands{same};
    for (const auto& [name, values] : form.floats) operands.push_back(model.floats(name, {}, values));
    for (const auto& [name, values] : form.whole) operands.push_back(model.whole(name, "i64", {static_cast<std::int64_t>(values.size())}, values));
    const Program program = model.finish({model.add(form.op, "y", operands, form.attributes)});
    const QuantizedForms made = forms_of(program, R"("defaults": {})", {given("x", "i8", step, zero), given("same", "i8", step, zero)});
    const Floats values = drawn_floats(32, step, 11);
    const auto plain = evaluate(by_onnx(), program, {floats_tensor({1, 2, 4, 4}, gridded(values, step, zero))});
    ASSERT_TRUE(plain) << form.op << ": " << to_text(plain.error());
    Floats result;
    for (std::int64_t i = 0; i < plain->front().tensor.size(); ++i) result.push_back(f32_at(plain->front().tensor, i));
    expect_all_forms(made, {floats_tensor({1, 2, 4, 4}, values)}, gridded(result, step, zero));
    EXPECT_EQ(made.plan.operations[1].placement, Placement::region) << form.op << ": " << made.plan.operations[1].reason;
    EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, form.on_codes)) << form.op;
    const auto dequantized = [](const Operation& operation) { return operation.op == "onnx.DequantizeLinear"; };
    EXPECT_EQ(std::ranges::count_if(made.forms.at(Form::integer).program.operations, dequantized), 1) << form.op << ": only the output leaves the codes";
  }
}

/// The average of four codes, and concatenated tensors with parameters of their own.
TEST(QuantizedRegions, AverageAndConcatenation) {
  ModelBuilder model("pools", 13, 1);
  const ValueId a = model.input("a", "f32", {1, 1, 4, 4}), b = model.input("b", "f32", {1, 1, 2, 2});
  const ValueId pool = model.add("AveragePool", "pool", {a}, {{"kernel_shape", numbers({2, 2})}, {"strides", numbers({2, 2})}});
  const ValueId y = model.add("Concat", "y", {pool, b}, {{"axis", models::number(1)}});
  const QuantizedForms made = forms_of(model.finish({y}), R"("defaults": {})",
                                       {given("a", "i8", step, zero), given("pool", "i8", 1.0 / 32, 1), given("b", "i8", 0.25, 2), given("y", "i8", 0.125, 0)});
  const Floats left = drawn_floats(16, step, 1), right = drawn_floats(4, 0.25, 2);
  Floats expected;
  for (const std::size_t i : {0U, 2U, 8U, 10U}) {
    double sum = 0;
    for (const std::size_t k : {0U, 1U, 4U, 5U}) sum += on_grid(left[i + k], step, zero);
    expected.push_back(static_cast<float>(on_grid(on_grid(sum / 4, 1.0 / 32, 1), 0.125, 0)));
  }
  for (const float value : right) expected.push_back(static_cast<float>(on_grid(on_grid(value, 0.25, 2), 0.125, 0)));
  expect_all_forms(made, {floats_tensor({1, 1, 4, 4}, left), floats_tensor({1, 1, 2, 2}, right)}, expected);
}

TEST(QuantizedRegions, NothingRunsOnCodesOfRealSpace) {
  ModelBuilder model("left", 13, 1);
  const ValueId x = model.input("x", "f32", {1, 4});
  const ValueId soft = model.add("Softmax", "soft", {x});
  const QuantizedForms made = forms_of(model.finish({model.add("Relu", "y", {soft})}), R"("defaults": {})", {given("x", "i8", step, zero)});
  EXPECT_EQ(made.plan.operations[0].reason, "no quantized form of onnx.Softmax");
  EXPECT_EQ(made.plan.operations[1].reason, "'soft' is in real space");
  const Floats values = drawn_floats(4, step, 2);
  const Floats once = run_form(made, Form::integer, {floats_tensor({1, 4}, values)});
  expect_all_forms(made, {floats_tensor({1, 4}, values)}, once);
}

}  // namespace
}  // namespace tiebreak
