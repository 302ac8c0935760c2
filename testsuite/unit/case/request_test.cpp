// SPDX-License-Identifier: Apache-2.0
// What an adapter is told: names of the program, and beside them those of the op's page.
#include "testsuite/case/request.hpp"

#include <gtest/gtest.h>

#include "interpreter/program/program.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

/// `name=operand` of each input, with `-` where none is stated.
std::string operands_of(const std::string& mlir) {
  static const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  auto parsed = parse_mlir(mlir, "test.mlir");
  if (!library || !parsed || parsed->functions.size() != 1) return parsed ? "no library" : to_text(parsed.error());
  Case test;
  test.id = "request/1";
  test.program = parsed->functions[0];
  for (ValueId id : test.program.inputs) test.inputs.push_back(*Tensor::zeros(*test.program.values[static_cast<std::size_t>(id)].type));
  ExchangeFile file;
  file.kind = "request";
  file.cases = {to_request(**library, test, **(*library)->find_profile("reference"), {})};
  sample::Folder folder;
  if (Status written = write_exchange(file, folder.file("request.h5")); !written) return to_text(written.error());
  const auto read = read_exchange(folder.file("request.h5"));
  if (!read) return to_text(read.error());
  std::string text;
  for (const ExchangeTensor& input : read->cases.front().inputs)
    text += (text.empty() ? "" : " ") + input.name + "=" + (input.operand.empty() ? "-" : input.operand);
  return text;
}

TEST(Request, InputsCarryTheNameOfTheOperand) {
  EXPECT_EQ(operands_of("%q = \"onnx.QuantizeLinear\"(%image, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>"),
            "image=x s=y_scale z=y_zero_point");
  EXPECT_EQ(operands_of("%q = \"onnx.QuantizeLinear\"(%image, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>"), "image=x s=y_scale");
}

TEST(Request, AVariadicOperandsMembersShareItsName) {
  EXPECT_EQ(operands_of("%c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>"), "a=inputs b=inputs");
}

TEST(Request, AnInputThatIsNoOneOperandHasNone) {
  EXPECT_EQ(operands_of("%y = stablehlo.add %a, %a : tensor<2xf32>"), "a=-") << "it is both";
  EXPECT_EQ(operands_of("%y = stablehlo.add %a, %b : tensor<2xf32>\n%z = stablehlo.add %y, %b : tensor<2xf32>"), "a=- b=-") << "a program of two ops";
}

/// `name: parameters` of each tensor that has some, of a request or of a golden file's case.
std::string parameters_of(const std::string& mlir, bool is_golden) {
  static const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  auto parsed = parse_mlir(mlir, "test.mlir");
  if (!library || !parsed) return parsed ? "no library" : to_text(parsed.error());
  Case test;
  test.id = "request/1";
  test.program = parsed->functions[0];
  for (ValueId id : test.program.inputs) {
    Tensor tensor = *Tensor::zeros(*test.program.values[static_cast<std::size_t>(id)].type);
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, tensor.element().encode(Real(1)).value_or(0));
    test.inputs.push_back(std::move(tensor));
  }
  const Semantics semantics{**library, **(*library)->find_profile("reference")};
  const auto results = evaluate(semantics, test.program, test.inputs);
  if (!results) return to_text(results.error());
  const ExchangeCase made = (is_golden ? to_golden : to_request)(**library, test, semantics.profile, *results);
  std::string text;
  for (const auto* tensors : {&made.inputs, &made.outputs})
    for (const ExchangeTensor& tensor : *tensors)
      if (tensor.parameters) text += tensor.name + " = " + to_text(*tensor.parameters) + "\n";
  return text;
}

TEST(Request, CodesCarryTheParametersOfOperandsThatAreInputs) {
  const std::string call = R"(%q = "onnx.QuantizeLinear"(%image, %s, %z) <{version = 13 : i64}> : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>)";
  EXPECT_EQ(parameters_of(call, false), "q = image: !quant.uniform<u8:f32, 1.0:1> from recovered: y_scale of onnx.QuantizeLinear\n");
  EXPECT_EQ(parameters_of(call, true), "") << "they lie in the file as inputs, and a page that renames an operand must not move it";
}

TEST(Request, AGoldenCaseHasWhatItsProgramStatesFoldsOrQuantizes) {
  const std::string folded = R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xi8> {
    %m = stablehlo.constant dense<64.0> : tensor<4xf32>
    %lo = stablehlo.constant dense<-127.0> : tensor<f32>
    %hi = stablehlo.constant dense<127.0> : tensor<f32>
    %0 = stablehlo.multiply %x, %m : tensor<4xf32>
    %1 = stablehlo.round_nearest_even %0 : tensor<4xf32>
    %2 = stablehlo.clamp %lo, %1, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %y = stablehlo.convert %2 : (tensor<4xf32>) -> tensor<4xi8>
    return %y : tensor<4xi8>
  })";
  EXPECT_EQ(parameters_of(folded, true), "y = x: !quant.uniform<i8<-127:127>:f32, 0.015625> from recovered: 1 / 64\n");
  const std::string stated =
      R"(func.func @main(%a: tensor<4xi8> {quantize_info = {scale = 0.5, from = "kl on calib.h5"}}, %t: tensor<4x!quant.uniform<i8:f32, 0.25>>)
      -> (tensor<4xi8>, tensor<4x!quant.uniform<i8:f32, 0.25>>) {
    %b = stablehlo.negate %a : tensor<4xi8>
    %u = "stablehlo.negate"(%t) {quantize_info = {clip_min = 0, clip_max = 127, scale = 0.25}} : (tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
    return %b, %u : tensor<4xi8>, tensor<4x!quant.uniform<i8:f32, 0.25>>
  })";
  EXPECT_EQ(parameters_of(stated, true),
            "a = a: !quant.uniform<i8:f32, 0.5> from annotation: kl on calib.h5\n"
            "u = u: !quant.uniform<i8<0:127>:f32, 0.25> from annotation\n");
}

}  // namespace
}  // namespace tiebreak
