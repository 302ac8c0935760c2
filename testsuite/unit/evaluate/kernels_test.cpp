// SPDX-License-Identifier: Apache-2.0
// Kernels that answer an op's calls in place of its page: alone, inside a program and inside a region, with the page's own answer at hand.
#include <gtest/gtest.h>

#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

const Pages kernel_pages{{"t/double", "op t.double(x: i32) -> y: i32\nstructure elementwise(x)\ny = wrap.i32(2 * x)"},
                         {"t/choose", "op t.choose(at: i32[]) region bodies -> results: i32...\nstructure control.branch(at)"}};

class KernelsTest : public testing::Test {
 protected:
  Semantics semantics() const { return {*toy_.library, **toy_.library->find_profile("reference")}; }
  static EvaluateOptions with_kernel(Kernel kernel) {
    EvaluateOptions options;
    options.kernels = std::make_shared<const Kernels>(Kernels{{"t.double", std::move(kernel)}});
    return options;
  }
  /// The page's answer to another call: x plus one.
  static Result<std::vector<ResultTensor>> one_more(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
    OpCall other = call;
    other.operands[0]->set_code(0, other.operands[0]->code(0) + 1);
    return evaluate_page(semantics, other, options);
  }
  static std::string text_of(const Result<std::vector<ResultTensor>>& results) { return results ? texts_of(results->front()).at(0) : results.error().what; }
  static Program parsed(const std::string& text) { return parse_mlir(text, "toy.mlir")->functions.front(); }

  ToyLibrary toy_{kernel_pages};
};

TEST_F(KernelsTest, AnswerInPlaceOfThePage) {
  const OpCall call{.op = "t.double", .operands = {tensor_of("i32", {}, {"5"})}};
  EXPECT_EQ(text_of(evaluate(semantics(), call)), "10");
  EXPECT_EQ(text_of(evaluate(semantics(), call, with_kernel(one_more))), "12");
  EXPECT_EQ(text_of(evaluate_page(semantics(), call, with_kernel(one_more))), "10");
}

TEST_F(KernelsTest, AnswerInsideAProgram) {
  const Program program = parsed("%y = \"t.double\"(%x) : (tensor<i32>) -> tensor<i32>\n%z = \"t.double\"(%y) : (tensor<i32>) -> tensor<i32>\n");
  EXPECT_EQ(text_of(evaluate(semantics(), program, {tensor_of("i32", {}, {"5"})}, with_kernel(one_more))), "26");
}

TEST_F(KernelsTest, AnswerInsideARegion) {
  const Program body = parsed("%y = \"t.double\"(%x) : (tensor<i32>) -> tensor<i32>\n");
  const OpCall call{.op = "t.choose",
                    .operands = {tensor_of("i32", {}, {"0"})},
                    .result_types = {tensor_of("i32", {}, {"0"}).type()},
                    .regions = {{.program = &body, .captured = {{.name = "x", .tensor = tensor_of("i32", {}, {"5"})}}}}};
  EXPECT_EQ(text_of(evaluate(semantics(), call)), "10");
  EXPECT_EQ(text_of(evaluate(semantics(), call, with_kernel(one_more))), "12");
}

TEST_F(KernelsTest, GiveWhatIsStated) {
  const auto gives = [&](const Tensor& tensor) {
    const Kernel kernel = [tensor](const Semantics&, const OpCall&, const EvaluateOptions&) {
      return std::vector<ResultTensor>{{.name = "y", .tensor = tensor}};
    };
    const OpCall call{.op = "t.double", .operands = {tensor_of("i32", {}, {"5"})}, .result_types = {tensor_of("i32", {}, {"0"}).type()}};
    return text_of(evaluate(semantics(), call, with_kernel(kernel)));
  };
  EXPECT_EQ(gives(tensor_of("i32", {}, {"7"})), "7");
  EXPECT_EQ(gives(tensor_of("i8", {}, {"7"})), "t.double: result 0 has type tensor<i32>, the kernel gives tensor<i8>");
}

}  // namespace
}  // namespace tiebreak
