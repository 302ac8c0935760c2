// SPDX-License-Identifier: Apache-2.0
// Quantized types whose storage range is narrow, or has no code 0: no op makes what is no code of its result. What a system would store
// there is undefined.
#include "interpreter/program/program.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

struct NarrowType {
  std::string range;  ///< storage<least:greatest>
  std::int64_t least, greatest, zero_point;
};
const NarrowType narrow_types[] = {{"u16<40000:65535>", 40000, 65535, 40000},
                                   {"u16<1:65535>", 1, 65535, 1},
                                   {"i32<-2147483647:2147483647>", -2147483647, 2147483647, 0},
                                   {"i8<-127:127>", -127, 127, 0},
                                   {"i8<5:100>", 5, 100, 7},
                                   {"u8<200:255>", 200, 255, 220}};

std::string quantized(const NarrowType& type, const std::string& scale) {
  return "tensor<6x!quant.uniform<" + type.range + ":f32, " + scale + ":" + std::to_string(type.zero_point) + ">>";
}

/// The ends, their neighbours, the zero point and the middle, in both orders.
std::vector<Tensor> end_codes(const NarrowType& type, const TensorType& form) {
  const std::int64_t codes[] = {type.least, type.greatest, type.zero_point, type.least + 1, type.greatest - 1, (type.least + type.greatest) / 2};
  std::vector<Tensor> tensors{*Tensor::zeros(form), *Tensor::zeros(form)};
  for (std::int64_t i = 0; i < 6; ++i) {
    tensors[0].set_code(i, static_cast<std::uint64_t>(codes[i]));
    tensors[1].set_code(5 - i, static_cast<std::uint64_t>(codes[i]));
  }
  return tensors;
}

class NarrowRanges : public testing::TestWithParam<const char*> {
 protected:
  void expect_result(const std::string& text, const std::vector<Tensor>& inputs) {
    auto library = spec_pages();
    auto parsed = parse_mlir(text, "narrow.mlir");
    ASSERT_TRUE(parsed) << to_text(parsed.error());
    std::vector<Tensor> given(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(parsed->functions[0].inputs.size()));
    auto results = evaluate({*library, **library->find_profile(GetParam())}, parsed->functions[0], given);
    EXPECT_TRUE(results) << text << ": " << to_text(results.error());
  }
};

TEST_P(NarrowRanges, EveryElementwiseOp) {
  for (const NarrowType& type : narrow_types)
    for (const char* scale : {"1.0", "0.1"}) {
      const std::string form = quantized(type, scale);
      auto parsed = parse_mlir("%y = \"stablehlo.abs\"(%x) : (" + form + ") -> " + form, "narrow.mlir");
      ASSERT_TRUE(parsed) << to_text(parsed.error());
      const Program& program = parsed->functions[0];
      const std::vector<Tensor> codes = end_codes(type, *program.values[static_cast<std::size_t>(program.inputs[0])].type);
      for (const char* op : {"abs", "ceil", "exponential", "floor", "log", "logistic", "negate", "rsqrt", "sign", "sqrt", "tanh"})
        expect_result("%y = \"stablehlo." + std::string(op) + "\"(%x) : (" + form + ") -> " + form, codes);
      for (const char* op : {"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder"})
        expect_result("%y = \"stablehlo." + std::string(op) + "\"(%x, %z) : (" + form + ", " + form + ") -> " + form, codes);
      for (const NarrowType& other : narrow_types)
        expect_result("%y = \"stablehlo.uniform_quantize\"(%x) : (" + form + ") -> " + quantized(other, "1.0"), codes);
    }
}

TEST_P(NarrowRanges, FloatsThatAreNoNumbers) {
  Tensor floats = *Tensor::zeros({*ElementType::parse("f32"), {6}, {}});
  const std::uint64_t bits[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0, 0xC0E00000};
  for (std::int64_t i = 0; i < 6; ++i) floats.set_code(i, bits[i]);
  for (const NarrowType& type : narrow_types) expect_result("%y = \"stablehlo.uniform_quantize\"(%x) : (tensor<6xf32>) -> " + quantized(type, "0.5"), {floats});
}

INSTANTIATE_TEST_SUITE_P(Profiles, NarrowRanges, testing::Values("reference", "stablehlo-spec", "stablehlo-interpreter", "stablehlo-qdq"));

}  // namespace
}  // namespace tiebreak
