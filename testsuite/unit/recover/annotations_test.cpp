// SPDX-License-Identifier: Apache-2.0
// Annotations state parameters; a type or an operand that says something else is an error with both places.
#include <gtest/gtest.h>

#include "testsuite/recover/recover.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Result<RecoveredParameters> recover_from(const std::string& text, const std::vector<Tensor>* inputs = nullptr) {
  const auto parsed = parse_mlir(text, "p");
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  return recover_parameters(pages(), parsed->functions.at(0), {.inputs = inputs});
}

/// `x: !quant... from ...`, a line each; then `lost x: scale, why`.
std::string said_of(const std::string& text, const std::vector<Tensor>* inputs = nullptr) {
  const auto found = recover_from(text, inputs);
  if (!found) return to_text(found.error());
  std::string lines;
  for (const RecoveredTensor& tensor : found->tensors)
    lines += tensor.parameters.tensor + ": " + to_text(tensor.parameters.type) + " from " + tensor.parameters.from + "\n";
  for (const LostParameter& lost : found->lost) lines += "lost " + lost.tensor + ": " + lost.what + ", " + lost.why + "\n";
  return lines;
}

std::string negation(const std::string& type, const std::string& info) {
  return "func.func @main(%x: tensor<2x3x" + type + ">) -> tensor<2x3x" + type + "> {\n  %y = \"stablehlo.negate\"(%x) {quantize_info = {" + info +
         "}} : (tensor<2x3x" + type + ">) -> tensor<2x3x" + type + ">\n  return %y : tensor<2x3x" + type + ">\n}";
}

TEST(RecoverAnnotations, StateParametersOfCodes) {
  EXPECT_EQ(said_of(negation("i8", "scale = 0.5, zero_point = 3, clip_min = -127, clip_max = 127")),
            "y: !quant.uniform<i8<-127:127>:f32, 0.5:3> from annotation\n");
  EXPECT_EQ(said_of(negation("i8", "scale = 0.5, from = \"min_max on batches of seed 1\"")),
            "y: !quant.uniform<i8:f32, 0.5> from annotation: min_max on batches of seed 1\n");
  EXPECT_EQ(said_of(negation("i8", "scale = [0.5, 0.25, 0.125], zero_point = 1, axis = 1")),
            "y: !quant.uniform<i8:f32:1, {0.5:1, 0.25:1, 0.125:1}> from annotation\n");
  EXPECT_EQ(said_of(negation("i8", "scale = [0.5, 0.25, 0.125]")), "lost y: axis, its annotation has 3 scales and no axis\n");
  EXPECT_EQ(said_of(negation("i8", "scale = \"s\"")),
            "lost y: scale, its annotation names s, which is no constant\nlost y: zero point, no operation of the program has it\n");
}

TEST(RecoverAnnotations, OfNumbersInRealSpaceSayTheStorage) {
  EXPECT_EQ(said_of(negation("f32", "scale = 0.5, storage = ui8, zero_point = 3")), "y: !quant.uniform<u8:f32, 0.5:3> from annotation\n");
  EXPECT_EQ(said_of(negation("f32", "scale = 0.5, clip_min = -7, clip_max = 7")), "y: !quant.uniform<i4<-7:7>:f32, 0.5> from annotation\n");
  EXPECT_EQ(said_of(negation("f32", "scale = 0.5")), "lost y: storage, its annotation has no storage type and no clip range\n");
}

/// %x quantized with scale 0.5 and zero point 3 by constants.
std::string quantized(const std::string& x_info, const std::string& q_info) {
  return R"(func.func @main(%x: tensor<2xf32>)" + (x_info.empty() ? "" : " {quantize_info = {" + x_info + "}}") + R"() -> tensor<2xui8> {
  %s = stablehlo.constant dense<0.5> : tensor<f32>
  %z = stablehlo.constant dense<3> : tensor<ui8>
  %q = "onnx.QuantizeLinear"(%x, %s, %z) <{version = 13 : i64}>)" +
         (q_info.empty() ? "" : " {quantize_info = {" + q_info + "}}") + R"( : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  return %q : tensor<2xui8>
})";
}

TEST(RecoverAnnotations, AgreeWithOperandsOrAreAnErrorWithBothPlaces) {
  const std::string same = "x: !quant.uniform<u8:f32, 0.5:3> from annotation\n";
  EXPECT_EQ(said_of(quantized("scale = 0.5, zero_point = 3", "")), same) << "what is said of the number holds for its codes";
  EXPECT_EQ(said_of(quantized("", "scale = 0.5, zero_point = 3")), same);
  EXPECT_EQ(said_of(quantized("", "scale = 0.5")), same) << "the operand has what the annotation leaves out";
  EXPECT_EQ(said_of(quantized("", "clip_min = 3, clip_max = 250")), "x: !quant.uniform<u8<3:250>:f32, 0.5:3> from recovered: y_scale of onnx.QuantizeLinear\n");
  EXPECT_EQ(said_of(quantized("", "scale = 0.25")),
            "the annotation of q says scale 0.25, and onnx.QuantizeLinear says 0.5 (p:4:8)\n  hint: onnx.QuantizeLinear stands at p:4:8");
  EXPECT_EQ(said_of(quantized("scale = 0.25", "")),
            "the annotation of x says scale 0.25, and onnx.QuantizeLinear says 0.5 (p: 'x')\n  hint: onnx.QuantizeLinear stands at p:4:8");
  EXPECT_EQ(said_of(quantized("", "scale = 0.5, zero_point = 4")),
            "the annotation of q says zero point 4, and onnx.QuantizeLinear says 3 (p:4:8)\n  hint: onnx.QuantizeLinear stands at p:4:8");
  EXPECT_EQ(said_of(quantized("", "clip_min = 0, clip_max = 256")),
            "the annotation of q says clip range 0 .. 256, and the type of q says 0 .. 255 (p:4:8)\n  hint: the type of q stands at p:4:8");
  EXPECT_EQ(said_of(quantized("", "storage = i8")),
            "the annotation of q says storage i8, and the type of q says u8 (p:4:8)\n  hint: the type of q stands at p:4:8");
}

TEST(RecoverAnnotations, OfAnAccumulatorAreNotHeldAgainstWhatFollows) {
  // y is made from a sum of scale 0.125, and its annotation speaks of codes that nobody has made yet.
  const std::string text = R"(func.func @main(%acc: tensor<2xi32>) -> tensor<2xf32> {
  %s = stablehlo.constant dense<0.125> : tensor<f32>
  %y = "onnx.DequantizeLinear"(%acc, %s) <{version = 13 : i64}> {quantize_info = {scale = 0.5, storage = i8}} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
})";
  EXPECT_EQ(said_of(text),
            "y: !quant.uniform<i32:f32, 0.125> from recovered: x_scale of onnx.DequantizeLinear\ny.2: !quant.uniform<i8:f32, 0.5> from annotation\n");
}

TEST(RecoverAnnotations, NarrowAQuantizedTypeAndNeverContradictIt) {
  const std::string type = "!quant.uniform<i8:f32, 0.1:3>";
  EXPECT_EQ(said_of(negation(type, "clip_min = 3, clip_max = 100, scale = 0.1 : f32, from = \"relu\"")),
            "x: !quant.uniform<i8:f32, 0.1:3> from recovered: the type of x\ny: !quant.uniform<i8<3:100>:f32, 0.1:3> from annotation: relu\n");
  EXPECT_EQ(said_of(negation(type, "scale = 0.2")),
            "the annotation of y says scale 0.2, and the type of y says 0.1 (p:2:8)\n  hint: the type of y stands at p:2:8");
  EXPECT_EQ(said_of(negation("!quant.uniform<i8<-127:127>:f32, 0.1:3>", "clip_min = -128, clip_max = 127")),
            "the annotation of y says clip range -128 .. 127, and the type of y says -127 .. 127 (p:2:8)\n  hint: the type of y stands at p:2:8");
}

TEST(RecoverAnnotations, EachFaultHasItsPlace) {
  const auto fault = [](const std::string& info) { return said_of(negation("i8", info)); };
  EXPECT_EQ(fault("scael = 0.5"), "quantize_info of y has no key 'scael' (p:2:8)\n  hint: did you mean 'scale'?");
  EXPECT_EQ(fault("scale = -1.0"), "quantize_info of y: 'scale' is positive and finite, got -1 (p:2:8)");
  EXPECT_EQ(fault("scale = [true]"), "quantize_info of y: 'scale' is a number, or a list of numbers (p:2:8)");
  EXPECT_EQ(fault("scale = 1.0, zero_point = 0.5"), "quantize_info of y: 'zero_point' is a whole number, got 0.5 (p:2:8)");
  EXPECT_EQ(fault("scale = 1.0, zero_point = [1, 2]"), "quantize_info of y: 'zero_point' has 2 values, and 'scale' 1 (p:2:8)");
  EXPECT_EQ(fault("clip_min = 1"), "quantize_info of y: 'clip_min' stands without 'clip_max' (p:2:8)");
  EXPECT_EQ(fault("clip_min = 1, clip_max = 1"), "quantize_info of y: 'clip_min' 1 is not below 'clip_max' 1 (p:2:8)");
  EXPECT_EQ(fault("axis = -1"), "quantize_info of y: 'axis' is counted from 0 (p:2:8)");
  EXPECT_EQ(fault("storage = f32"), "quantize_info of y: 'storage' is the integer type of the codes (p:2:8)");
  EXPECT_EQ(fault("from = 3"), "quantize_info of y: 'from' is a text that says where the parameters come from (p:2:8)");
}

TEST(RecoverAnnotations, AScaleThatIsLeftOutIsStatedByNobody) {
  EXPECT_EQ(said_of(R"(%y = "migraphx.quant_dot"(%a, %b) : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>)").substr(0, 14), "lost a: scale,");
}

TEST(RecoverAnnotations, InputsOfACallAreReadAsScalesAndZeroPoints) {
  const std::string text = R"(%q = "onnx.QuantizeLinear"(%x, %s, %z) <{version = 13 : i64}> : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>)";
  Tensor zero_point = *Tensor::zeros({*ElementType::parse("u8"), {}});
  zero_point.set_code(0, 3);
  const std::vector<Tensor> inputs{floats_tensor({2}, {1, 2}), floats_tensor({}, {0.25F}), zero_point};
  EXPECT_EQ(said_of(text, &inputs), "x: !quant.uniform<u8:f32, 0.25:3> from recovered: y_scale of onnx.QuantizeLinear\n");
  EXPECT_EQ(said_of(text),
            "lost x: scale, y_scale of onnx.QuantizeLinear is no constant\nlost x: zero point, y_zero_point of onnx.QuantizeLinear is no constant\n");
}

}  // namespace
}  // namespace tiebreak
