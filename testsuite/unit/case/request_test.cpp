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

}  // namespace
}  // namespace tiebreak
