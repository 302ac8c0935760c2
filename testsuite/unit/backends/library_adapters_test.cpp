// SPDX-License-Identifier: Apache-2.0
// The adapters in Python: what they share, and one known answer of each library. Those that are not built, or whose library is absent, are
// skipped with the reason.
#include <gtest/gtest.h>

#include <filesystem>

#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

using Words = std::vector<std::string>;

std::string program_of(const std::string& name) { return std::string(TIEBREAK_BINARY_DIR) + "/tiebreak-adapter-" + name; }

/// Why it cannot be asked here, or "".
std::string missing(const std::string& name, const Words& arguments) {
  if (!std::filesystem::exists(program_of(name))) return "the adapter " + name + " is not built";
  BackendOptions options;
  options.arguments = arguments;
  const auto description = sample::open(program_of(name), options)->describe();
  return description ? "" : to_text(description.error());
}

std::vector<BackendAnswer> answers_of(const std::string& name, const Words& arguments, const std::vector<ExchangeCase>& cases) {
  BackendOptions options;
  options.arguments = arguments;
  return sample::open(program_of(name), options)->run(cases);
}

/// The values of the first output of the first answer.
std::string values_of(const std::vector<BackendAnswer>& answers) {
  if (answers.empty() || answers[0].kind != BackendAnswer::Kind::answered) return sample::to_text(answers);
  const Tensor& tensor = answers[0].outputs[0].tensor;
  std::string text;
  for (std::int64_t i = 0; i < tensor.size(); ++i) text += (i == 0 ? "" : " ") + tensor.value(i).to_string();
  return text;
}

ExchangeCase one_op(const std::string& op, std::vector<ExchangeTensor> inputs, const TensorType& output, AttributeMap attributes = {}) {
  ExchangeCase one;
  one.id = "op/case";
  one.op = op;
  one.program = "%y = \"" + op + "\"(";
  for (std::size_t i = 0; i < inputs.size(); ++i) one.program += (i == 0 ? "%" : ", %") + inputs[i].name;
  one.program += ")";
  one.attributes = std::move(attributes);
  one.inputs = std::move(inputs);
  one.outputs = {sample::named("y", *Tensor::zeros(output))};
  return one;
}

Tensor scalar(float value) { return sample::floats({value}, {}); }

/// 1 by 1 times 1 by 4: products 1, 3, 5, 7 at scale 1/2, with a zero point of 1.
ExchangeCase odd_halves() {
  return one_op("onnx.QLinearMatMul",
                {sample::named("a", sample::bytes("u8", {1}, {1, 1})), sample::named("as", scalar(1)), sample::named("az", sample::bytes("u8", {0}, {})),
                 sample::named("b", sample::bytes("i8", {1, 3, 5, 7}, {1, 4})), sample::named("bs", scalar(1)),
                 sample::named("bz", sample::bytes("i8", {0}, {})), sample::named("ys", scalar(2)), sample::named("yz", sample::bytes("u8", {1}, {}))},
                sample::type_of("u8", {1, 4}));
}

class LibraryAdapter : public testing::TestWithParam<const char*> {};

TEST_P(LibraryAdapter, CommandLines) {
  const std::string program = program_of(GetParam());
  if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " is not built";
  const std::string own = std::string(GetParam()) == "emulated" ? " --adapter faulty" : " --no-such-option 1";
  EXPECT_EQ(sample::shell(program + own + " describe > /dev/null 2>&1"), 2);
  EXPECT_EQ(sample::shell(program + " --adapter > /dev/null 2>&1"), 2);
  EXPECT_EQ(sample::shell(program + " > /dev/null 2>&1"), 2);
}

INSTANTIATE_TEST_SUITE_P(Python, LibraryAdapter, testing::Values("pytorch", "mlir", "ggml", "emulated"));

TEST(LibraryAdapters, PyTorchEnginesPartAtOddZeroPoints) {
  for (const auto& [engine, expected] : {std::pair{"qnnpack", "1 3 3 5"}, std::pair{"onednn", "2 2 4 4"}}) {
    const Words arguments{"--engine", engine};
    if (const std::string reason = missing("pytorch", arguments); !reason.empty()) GTEST_SKIP() << reason;
    EXPECT_EQ(values_of(answers_of("pytorch", arguments, {odd_halves()})), expected) << engine;
  }
  EXPECT_EQ(values_of(answers_of("pytorch", {}, {sample::quantize_case("op/case", {0.5F, 1.5F, 2.5F, -1.0F}, 1, 7)})), "7 9 9 6");
}

TEST(LibraryAdapters, PyTorchRefusesWhatItHasNoKernelFor) {
  if (const std::string reason = missing("pytorch", {}); !reason.empty()) GTEST_SKIP() << reason;
  ExchangeCase unsigned_weights = odd_halves();
  unsigned_weights.inputs[3].tensor = sample::bytes("u8", {1, 3, 5, 7}, {1, 4});
  EXPECT_EQ(sample::to_text(answers_of("pytorch", {}, {unsigned_weights})), "unsupported: weights of type u8: the library takes i8");
  EXPECT_EQ(sample::shell(program_of("pytorch") + " --engine fbgemm describe > /dev/null 2>&1"), 69);
}

TEST(LibraryAdapters, MlirRoundsOnceOrTwice) {
  if (const std::string reason = missing("mlir", {}); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [mode, expected] : {std::pair{"SINGLE_ROUND", "0 1 1 0 0 -1"}, std::pair{"DOUBLE_ROUND", "1 1 1 0 -1 -1"}}) {
    const auto rescale = one_op("tosa.RESCALE",
                                {sample::named("x", sample::bytes("i8", {1, 2, 3, -1, -2, -3}, {6})),
                                 sample::named("m", sample::bytes("i32", {0, 0, 0, 64}, {1})), sample::named("s", sample::bytes("i8", {32}, {1})),
                                 sample::named("z", sample::bytes("i8", {0}, {})), sample::named("o", sample::bytes("i8", {0}, {}))},
                                sample::type_of("i8", {6}), {{"rounding_mode", Attribute{std::string(mode)}}});
    EXPECT_EQ(values_of(answers_of("mlir", {}, {rescale})), expected) << mode;
  }
}

TEST(LibraryAdapters, MlirCastsTruncate) {
  if (const std::string reason = missing("mlir", {}); !reason.empty()) GTEST_SKIP() << reason;
  const auto cast = one_op("quant.quantize",
                           {sample::named("x", sample::floats({-1.5F, -0.5F, 0.5F, 0.9F, -0.9F}, {5})), sample::named("s", scalar(1)),
                            sample::named("z", sample::bytes("i8", {3}, {}))},
                           sample::type_of("i8", {5}));
  EXPECT_EQ(values_of(answers_of("mlir", {}, {cast})), "1 2 3 3 2");
}

Attribute to_type(const std::string& name) { return Attribute{*ElementType::parse(name)}; }

TEST(LibraryAdapters, MlirCastsOfTosaRoundToEvenAndSaturate) {
  if (const std::string reason = missing("mlir", {}); !reason.empty()) GTEST_SKIP() << reason;
  const std::vector<float> numbers{0.5F, 1.5F, -2.5F, 200.0F, -200.0F};
  EXPECT_EQ(values_of(answers_of(
                "mlir", {}, {one_op("onnx.Cast", {sample::named("x", sample::floats(numbers, {5}))}, sample::type_of("i8", {5}), {{"to", to_type("i8")}})})),
            "0 2 -2 127 -128");
  const auto wide = one_op("onnx.Cast", {sample::named("x", sample::floats(numbers, {5}))}, sample::type_of("u8", {5}), {{"to", to_type("u8")}});
  EXPECT_EQ(sample::to_text(answers_of("mlir", {}, {wide})), "unsupported: a result of type u8");
}

/// Codes 1, 4, 0 and 4 in a row, scale 1: means of 2.5, 2 and 2, and the zero point 7. Padding before them, where there is some, adds a fourth.
ExchangeCase means_of_two(const std::string& type, float y_scale, AttributeMap attributes = {}) {
  const Shape shape{1, 1, 1, attributes.contains("pads") ? 4 : 3};
  attributes["kernel_shape"] = Attribute::integers({1, 2});
  ExchangeCase one =
      one_op("microsoft.QLinearAveragePool",
             {sample::named("x", sample::bytes(type, {1, 4, 0, 4}, {1, 1, 1, 4})), sample::named("xs", scalar(1)),
              sample::named("xz", sample::bytes(type, {0}, {})), sample::named("ys", scalar(y_scale)), sample::named("yz", sample::bytes(type, {7}, {}))},
             sample::type_of(type, shape), attributes);
  std::string stated;
  for (const auto& [name, attribute] : attributes) stated += (stated.empty() ? "" : ", ") + name + " = " + to_text(attribute);
  const std::string element = type == "u8" ? "ui8>" : "i8>", parameters = ", tensor<f32>, tensor<" + element + ", tensor<f32>, tensor<" + element;
  one.program += " {" + stated + "} : (tensor<1x1x1x4x" + element + parameters + ") -> tensor<1x1x1x" + std::to_string(shape[3]) + "x" + element;
  return one;
}

TEST(LibraryAdapters, MlirPools) {
  if (const std::string reason = missing("mlir", {}); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_EQ(values_of(answers_of("mlir", {}, {means_of_two("i8", 1)})), "10 9 9");
  EXPECT_EQ(sample::to_text(answers_of("mlir", {}, {means_of_two("i8", 2)})), "unsupported: the op has one scale for operand and result");
  EXPECT_EQ(sample::to_text(answers_of("mlir", {}, {means_of_two("i8", 1, {{"strides", Attribute::integers({1, 2})}, {"ceil_mode", Attribute{Real(1)}}})})),
            "unsupported: ceil_mode");
  const auto greatest = one_op("onnx.MaxPool", {sample::named("x", sample::bytes("i8", {1, 255, 9, 128, 127, 3}, {1, 2, 3}))}, sample::type_of("i8", {1, 2, 2}),
                               {{"kernel_shape", Attribute::integers({2})}});
  EXPECT_EQ(values_of(answers_of("mlir", {}, {greatest})), "1 9 127 127");
}

TEST(LibraryAdapters, XnnpackMeansOfHalvesGoAway) {
  if (const std::string reason = missing("xnnpack", {}); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_EQ(values_of(answers_of("xnnpack", {}, {means_of_two("u8", 1)})), "10 9 9");
  EXPECT_EQ(sample::to_text(answers_of("xnnpack", {}, {means_of_two("i8", 1)})), "unsupported: X of type i8: the operator averages windows of u8 alone");
  const Attribute pads = Attribute::integers({0, 1, 0, 0});
  EXPECT_EQ(sample::to_text(answers_of("xnnpack", {}, {means_of_two("u8", 1, {{"pads", pads}})})),
            "unsupported: padding that does not count: the operator divides by the whole window");
  EXPECT_EQ(values_of(answers_of("xnnpack", {}, {means_of_two("u8", 1, {{"pads", pads}, {"count_include_pad", Attribute{Real(1)}}})})), "8 10 9 9");
}

TEST(LibraryAdapters, GgmlRoundsHalvesAway) {
  if (const std::string reason = missing("ggml", {}); !reason.empty()) GTEST_SKIP() << reason;
  auto halves =
      one_op("quant.quantize", {sample::named("x", sample::floats({0.5F, 1.5F, 2.5F, -2.5F}, {4})), sample::named("s", scalar(1))}, sample::type_of("i8", {4}));
  EXPECT_EQ(values_of(answers_of("ggml", {}, {halves})), "1 2 3 -3");
  halves.inputs[0].tensor = sample::floats({0.5F, 1.5F, 2.5F, 128.0F}, {4});
  EXPECT_EQ(sample::to_text(answers_of("ggml", {}, {halves})), "unsupported: values beyond those that the scale comes from");
}

/// 32 products of 125 * 119, which the plain loop multiplies by the product of the scales; and blocks of 4 bits that count from 8.
TEST(LibraryAdapters, GgmlMultipliesBlocks) {
  if (const std::string reason = missing("ggml", {}); !reason.empty()) GTEST_SKIP() << reason;
  const auto scale = [](const std::string& name, std::uint64_t code) {
    Tensor tensor = *Tensor::zeros(sample::type_of("f16", {1, 1}));
    tensor.set_code(0, code);
    return sample::named(name, tensor);
  };
  const auto codes = [](const std::string& name, const std::string& type, std::uint64_t code) {
    Tensor tensor = *Tensor::zeros(sample::type_of(type, {1, 32}));
    for (std::int64_t i = 0; i < 32; ++i) tensor.set_code(i, code);
    return sample::named(name, tensor);
  };
  const auto product = [&](const ExchangeTensor& w, std::vector<ExchangeTensor> further = {}) {
    std::vector<ExchangeTensor> inputs{codes("x", "i8", 125), w, scale("xs", 0x38CD), scale("ws", 0x31C3)};  // 0.6 and 0.18
    std::ranges::move(further, std::back_inserter(inputs));
    return one_op("quant.block_dot", std::move(inputs), sample::type_of("f32", {1, 1}));
  };
  EXPECT_EQ(values_of(answers_of("ggml", {}, {product(codes("w", "i8", 119))})), "6583259/128");
  const ExchangeTensor eight = sample::named("z", sample::bytes("u4", {8}, {}));
  EXPECT_EQ(values_of(answers_of("ggml", {}, {product(codes("w", "u4", 9), {eight})})), values_of(answers_of("ggml", {}, {product(codes("w", "i8", 1))})));
  EXPECT_EQ(sample::to_text(answers_of("ggml", {}, {product(codes("w", "u4", 9))})), "unsupported: a zero point other than that of q4_0, 8");
}

/// A code of 33 counts from 32, a scale of 3 from halves: each of 256 elements is 3/2. A vector is the number of its table.
TEST(LibraryAdapters, GgmlReadsBlocksOf256) {
  if (const std::string reason = missing("ggml", {}); !reason.empty()) GTEST_SKIP() << reason;
  const auto filled = [](const std::string& name, const std::string& type, std::int64_t count, std::uint64_t code) {
    Tensor tensor = *Tensor::zeros(sample::type_of(type, {count}));
    for (std::int64_t i = 0; i < count; ++i) tensor.set_code(i, code);
    return sample::named(name, tensor);
  };
  const auto all = [](const std::string& value) {
    std::string text = value;
    for (int i = 1; i < 256; ++i) text += " " + value;
    return text;
  };
  const ExchangeTensor half = filled("d", "f16", 1, 0x3800);
  const ExchangeCase six =
      one_op("ggml.dequantize_row_q6_K", {filled("qs", "u6", 256, 33), filled("scales", "i8", 16, 3), half}, sample::type_of("f32", {256}));
  EXPECT_EQ(values_of(answers_of("ggml", {}, {six})), all("3/2"));
  const ExchangeCase vectors =
      one_op("ggml.dequantize_row_iq1_s", {filled("grid", "u11", 32, 0), filled("scales", "u3", 8, 1), filled("down", "u1", 8, 1), half},
             sample::type_of("f32", {256}));
  EXPECT_EQ(values_of(answers_of("ggml", {}, {vectors})), all("-27/16"));
  const ExchangeCase short_row = one_op("ggml.dequantize_row_q4_0", {filled("qs", "u4", 33, 0), half}, sample::type_of("f32", {33}));
  EXPECT_EQ(sample::to_text(answers_of("ggml", {}, {short_row})), "unsupported: rows that are not whole blocks of 32");
}

TEST(LibraryAdapters, AnEmulatedProcessorAnswersAsThisOne) {
  const Words arguments{"--adapter", "faulty", "--cpu", "qemu64"};
  if (!std::filesystem::exists(program_of("faulty"))) GTEST_SKIP() << "the adapter faulty is not built";
  if (const std::string reason = missing("emulated", arguments); !reason.empty()) GTEST_SKIP() << reason;
  BackendOptions options;
  options.arguments = arguments;
  auto description = sample::open(program_of("emulated"), options)->describe();
  EXPECT_EQ(description->name, "faulty");
  EXPECT_EQ(description->details["cpu"], "qemu64");
  auto halves = sample::quantize_case("op/case", {0.5F, 1.5F, 2.5F}, 1, 7);
  halves.program += " : (tensor<3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3xui8>";
  EXPECT_EQ(values_of(answers_of("emulated", arguments, {halves})), "7 9 9");
  EXPECT_EQ(sample::shell(program_of("emulated") + " --adapter no-such --cpu qemu64 describe > /dev/null 2>&1"), 69);
}

}  // namespace
}  // namespace tiebreak
