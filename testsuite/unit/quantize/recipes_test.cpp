// SPDX-License-Identifier: Apache-2.0
// Recipes: what they change in the forms, and what is refused with its place.
#include "testsuite/text/output_file.hpp"
#include "testsuite/unit/quantize/quantize_helpers.hpp"

namespace tiebreak {
namespace {

using models::ModelBuilder;

/// y = x * w + b with weights of two scales.
Program layer() {
  ModelBuilder model("layer", 13, 1);
  const ValueId x = model.input("x", "f32", {2, 4});
  const ValueId w = model.floats("w", {4, 2}, {3.96875, -0.5, 1, 0.25, -2, 0.9921875, 0.03125, -0.0078125});
  return model.finish({model.add("Gemm", "y", {x, w, model.floats("b", {2}, {0.1, -0.3})})});
}
const std::vector<TensorParameters> both{given("x", "i8", 1.0 / 16, 7), given("y", "i8", 0.125, 1)};
const Tensor rows = floats_tensor({2, 4}, drawn_floats(8, 1.0 / 16, 3));

std::string refused(const std::string& text) {
  const auto recipe = parse_recipe(text, "r.json");
  if (!recipe) return to_text(recipe.error());
  const Program program = layer();
  const Status fits = check_recipe(*recipe, program);
  return fits ? "" : to_text(fits.error());
}
std::string head(const std::string& body) { return R"({"schema": "tiebreak.recipe/1", )" + body + "}"; }

TEST(Recipes, AreRefusedWithTheirPlace) {
  EXPECT_EQ(refused(head(R"("nodes": [{"operator": "Conv", "leave": true}])")), "operator 'Conv': no node of layer answers to it (r.json:/nodes/0)");
  EXPECT_EQ(refused(head(R"("nodes": [{"operator": "Gemm", "value": "z*"}])")),
            "operator 'Gemm' and value 'z*': no node of layer answers to it (r.json:/nodes/0)");
  EXPECT_EQ(refused(head(R"("nodes": [{"leave": true}])")),
            "an entry names its operators or its values (r.json:/nodes/0)\n  hint: {\"operator\": \"Conv\", \"granularity\": \"axis\"}");
  EXPECT_NE(refused(head(R"("defaults": {"storge": "i8"})")).find("storge"), std::string::npos);
  EXPECT_EQ(refused(head(R"("defaults": {"storage": "i9"})")), "'i9' is no storage (r.json:/defaults/storage)\n  hint: did you mean i4?");
  EXPECT_EQ(refused(head(R"("defaults": {"block": 0})")), "a block has 1 to 65536 elements (r.json:/defaults/block)");
  EXPECT_EQ(refused(head(R"("defaults": {"dynamic": 1})")), "'dynamic' is true or false (r.json:/defaults/dynamic)");
  EXPECT_EQ(refused(R"({"schema": "tiebreak.recipe/2"})"), "'tiebreak.recipe/2' is no recipe (r.json:/schema)\n  hint: tiebreak.recipe/1");
  EXPECT_EQ(refused(head(R"("nodes": [{"value": "x"}, {"operator": "onnx.Ge*"}])")), "");
}

TEST(Recipes, ParametersOfNothingAreRefused) {
  const auto made = quantize_program(by_tool(), layer(), recipe_of(R"("defaults": {})"), {"m", {given("xx", "i8", 1, 0)}});
  ASSERT_FALSE(made);
  EXPECT_EQ(to_text(made.error()), "parameters for 'xx': layer has no such value (parameters of m)\n  hint: did you mean x?");
}

/// What is written reads back, scales along an axis, too.
TEST(ParameterFiles, ReadBack) {
  const std::string path = testing::TempDir() + "parameters_of_recipes_test.json";
  const QuantizedForms made = forms_of(layer(), R"("defaults": {"granularity": "axis"})", both);
  ASSERT_TRUE(write_file(path, parameters_json(made.parameters)));
  const auto again = read_parameters(path);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(parameters_json(*again), parameters_json(made.parameters));
}

TEST(Recipes, StorageThatContradictsParameters) {
  const auto made = quantize_program(by_tool(), layer(), recipe_of(R"("defaults": {"storage": "u8"})"), {"m", both});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "the recipe wants u8, its parameters are of i8 and have no range");
}

/// With a range, the parameters are derived anew.
TEST(Recipes, StorageDerivedFromTheRange) {
  std::vector<TensorParameters> ranged = both;
  for (TensorParameters& each : ranged) each.range = Range{Real(-1), Real(254)};
  const QuantizedForms made = forms_of(layer(), R"("defaults": {"storage": "u8"})", ranged);
  ASSERT_TRUE(made.plan.types[0]);
  EXPECT_EQ(made.plan.types[0]->storage.name(), "u8");
  EXPECT_EQ(made.plan.types[0]->scales[0].value, Real(1));
  EXPECT_EQ(made.plan.types[0]->zero_points[0].value, Real(1));
}

TEST(Recipes, LeavesAndFallsThrough) {
  for (const char* body : {R"("nodes": [{"operator": "Gemm", "leave": true}])", R"("nodes": [{"value": "y", "storage": "f32"}])"}) {
    const QuantizedForms made = forms_of(layer(), body, both);
    EXPECT_EQ(made.plan.operations[0].placement, Placement::left) << body;
    const Floats once = run_form(made, Form::integer, {rows});
    expect_all_forms(made, {rows}, once);
    EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, "onnx.Gemm"));
  }
  const QuantizedForms half = forms_of(layer(), R"("nodes": [{"operator": "Gemm", "storage": "f16"}])", both);
  expect_all_forms(half, {rows}, run_form(half, Form::qdq, {rows}));
  EXPECT_TRUE(has_operation(half.forms.at(Form::integer).program, "onnx.Cast"));
}

/// A bias of 0.1 is no multiple of the accumulator's scale, 2^-9: in real space it stays 0.1.
TEST(Recipes, BiasInTheAccumulatorOrInRealSpace) {
  const QuantizedForms inside = forms_of(layer(), R"("defaults": {})", {both[0]});
  const QuantizedForms outside = forms_of(layer(), R"("defaults": {"bias": "real"})", {both[0]});
  const Floats in = run_form(inside, Form::integer, {rows}), out = run_form(outside, Form::integer, {rows});
  EXPECT_NE(in, out);
  expect_all_forms(inside, {rows}, in);
  EXPECT_EQ(run_form(outside, Form::simulated, {rows}), out);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(in[i], out[i], 1.0 / 512);
}

/// DynamicQuantizeLinear finds scale and zero point while the program runs; the accumulator is the same in f32.
TEST(Recipes, Dynamic) {
  const QuantizedForms made = forms_of(layer(), R"("defaults": {"dynamic": true})", {});
  EXPECT_EQ(made.plan.operations[0].placement, Placement::dynamic);
  for (const Form form : {Form::integer, Form::simulated}) EXPECT_TRUE(has_operation(made.forms.at(form).program, "onnx.DynamicQuantizeLinear"));
  EXPECT_TRUE(has_operation(made.forms.at(Form::integer).program, "onnx.MatMulInteger"));
  const Floats integer = run_form(made, Form::integer, {rows});
  EXPECT_EQ(run_form(made, Form::simulated, {rows}), integer);
  const auto plain = evaluate(by_onnx(), layer(), {rows});
  ASSERT_TRUE(plain);
  for (std::size_t i = 0; i < integer.size(); ++i) EXPECT_NEAR(integer[i], f32_at(plain->front().tensor, static_cast<std::int64_t>(i)), 0.25);
}

/// Blocks along the summed axis: weights of 1 and 1/16 in blocks of their own keep all of their bits.
TEST(Recipes, Blocks) {
  const QuantizedForms made = forms_of(layer(), R"("defaults": {"granularity": "block", "block": 2})", both);
  EXPECT_EQ(made.plan.operations[0].weights->scales.size(), 4U);
  const Floats qdq = run_form(made, Form::qdq, {rows});
  expect_all_forms(made, {rows}, qdq);
  EXPECT_EQ(made.forms.at(Form::integer).notes.at("y"), "blocks of weights have scales of their own inside the sum");
  const auto odd = quantize_program(by_tool(), layer(), recipe_of(R"("defaults": {"granularity": "block", "block": 3})"), {"m", both});
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().what, "blocks of 3 do not divide an axis of 4");
}

/// 16 bits: no operator on codes, so that the integer form dequantizes.
TEST(Recipes, SixteenBits) {
  const QuantizedForms made = forms_of(layer(), R"("defaults": {})", {given("x", "i16", 1.0 / 4096, 7), given("y", "i16", 1.0 / 4096, 1)});
  EXPECT_EQ(made.plan.opset, 21);
  EXPECT_EQ(made.forms.at(Form::integer).notes.at("y"), "no operator on codes that are no bytes");
  EXPECT_EQ(run_form(made, Form::integer, {rows}), run_form(made, Form::qdq, {rows}));
}

/// Codes equal to their zero point, 127: the real sum is small, but each term of it is beyond 2^24 and loses its last bit in f32.
TEST(Comparison, TermsBeyond24Bits) {
  ModelBuilder model("wide", 13, 1);
  constexpr std::int64_t count = 1101;
  std::vector<double> w(count, 127);
  Floats values(count, 0);
  w.back() = 1;
  values.back() = -2;  // code 125
  const ValueId x = model.input("x", "f32", {1, count});
  const QuantizedForms made = forms_of(model.finish({model.add("MatMul", "y", {x, model.floats("w", {count, 1}, w)})}), R"("defaults": {})",
                                       {given("x", "i8", 1, 127), given("y", "i8", 1, 0)});
  const auto comparison = compare_forms(by_onnx(), by_tool(), made, {{{floats_tensor({1, count}, values)}}});
  ASSERT_TRUE(comparison) << to_text(comparison.error());
  const auto simulated = std::ranges::find(comparison->partings, Form::simulated, &Parting::form);
  ASSERT_NE(simulated, comparison->partings.end());
  EXPECT_EQ(simulated->different, 1);
  EXPECT_EQ(simulated->sum, "-2");
  EXPECT_EQ(simulated->simulated_sum, "-4");
  EXPECT_EQ(simulated->cause, PartingCause::wide_sum);
  const auto fake = std::ranges::find(comparison->partings, Form::fake, &Parting::form);
  EXPECT_EQ(fake->different, 0);
}

/// A scale that is no power of two: the accumulator times its scale is rounded in f32 before it is divided, and lands on the other side of a tie.
TEST(Comparison, RoundingNextToATie) {
  ModelBuilder model("tie", 13, 1);
  const ValueId x = model.input("x", "f32", {256, 1});
  const QuantizedForms made = forms_of(model.finish({model.add("MatMul", "y", {x, model.floats("w", {1, 1}, {1.27})})}), R"("defaults": {})",
                                       {given("x", "i8", 0.1f, 0), given("y", "i8", 0.3f, 0)});
  Floats values;
  for (int code = -128; code < 128; ++code) values.push_back(static_cast<float>(code) * 0.1F);
  const auto comparison = compare_forms(by_onnx(), by_tool(), made, {{{floats_tensor({256, 1}, values)}}});
  ASSERT_TRUE(comparison) << to_text(comparison.error());
  for (const Parting& parting : comparison->partings) {
    if (parting.different > 0) {
      EXPECT_EQ(parting.cause, PartingCause::rounding) << comparison_text(*comparison);
    }
  }
  EXPECT_EQ(comparison->operations, 1U);
}

}  // namespace
}  // namespace tiebreak
